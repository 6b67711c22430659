"""Metrics that were trained on summaries: what they say of those is in-sample."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.judge.learned import Learned, Met, count_met
from scoring.metrics import s3
from scoring.metrics.protocol import Metric

TRAINED = (s3.NAME,)


def count_scored(metric: Metric, summaries: Iterable[str]) -> Met | None:
    """How many of the summaries a metric was trained on; None of a metric that isn't trained."""
    if not isinstance(metric, s3.S3):
        return None
    lessons = metric.model.learned
    learned = Learned((lessons,)) if lessons else None
    return count_met(learned, ((summary, ()) for summary in summaries))
