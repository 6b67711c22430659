"""Which metrics a project can be scored by, and what it lacks for the others."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.corpora.models import Document, Project, Reference
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from scoring.metrics import METRICS
from scoring.metrics.catalogue import Entry
from scoring.metrics.protocol import DOCUMENTS, REFERENCES

MODELS = gettext_lazy("needs models that this server doesn’t offer")


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """A metric; `lack` is empty, or what keeps it from scoring anything here."""

    name: str
    what: str
    lack: str
    is_quick: bool


def list_metric_choices(project: Project) -> list[MetricChoice]:
    """All metrics, each as it is without options."""
    has = {
        REFERENCES: Reference.objects.filter(example__project=project).exists(),
        DOCUMENTS: Document.objects.filter(example__project=project).exists(),
    }
    missing = [kind for kind, is_there in has.items() if not is_there]
    return [
        MetricChoice(name, row.what, _lack(row, missing), row.is_quick)
        for name, row in METRICS.items()
    ]


def _lack(entry: Entry, missing: list[str]) -> str:
    if entry.needs_models:
        return str(MODELS)
    lacking = [kind for kind in missing if kind in entry.needs]
    return (
        _("reads {lacking}, and no example has any").format(lacking=" and ".join(lacking))
        if lacking
        else ""
    )
