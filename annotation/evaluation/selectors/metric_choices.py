"""Which metrics a project can be scored by, and what it lacks for the others."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.corpora.models import Document, Project, Reference
from scoring.metrics import METRICS
from scoring.metrics.catalogue import Entry
from scoring.metrics.protocol import DOCUMENTS, REFERENCES

MODELS = "needs models that this server does not offer"
# What an example must have of a kind, and where the metrics' name for it is said.
TABLES = {REFERENCES: Reference, DOCUMENTS: Document}


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """A metric; `lack` is empty, or what keeps it from scoring anything here."""

    name: str
    what: str
    lack: str


def list_metric_choices(project: Project) -> list[MetricChoice]:
    """All metrics, each as it is without options."""
    missing = [
        kind
        for kind, model in TABLES.items()
        if not model.objects.filter(example__project=project).exists()
    ]
    return [MetricChoice(name, row.what, _lack(row, missing)) for name, row in METRICS.items()]


def _lack(entry: Entry, missing: list[str]) -> str:
    if entry.needs_models:
        return MODELS
    lacking = [kind for kind in missing if kind in entry.needs]
    return f"reads {' and '.join(lacking)}, and no example has any" if lacking else ""
