"""Metrics: numbers for a summary from its text, references and source, one metric a file."""

from scoring.metrics.catalogue import (
    METRICS,
    Entry,
    Option,
    check_options,
    list_options,
    list_outside,
    load_metric,
)
from scoring.metrics.protocol import Metric, MetricTable, check_texts, sign_metric

__all__ = [
    "METRICS",
    "Entry",
    "Metric",
    "MetricTable",
    "Option",
    "check_options",
    "check_texts",
    "list_options",
    "list_outside",
    "load_metric",
    "sign_metric",
]
