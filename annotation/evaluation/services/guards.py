"""What others must ask before they let go of what labels refer to."""

from __future__ import annotations

from annotation.corpora.models import Import, Project
from annotation.corpora.services.import_removal import REFUSALS
from annotation.corpora.services.projects import REMOVE_FIRST
from annotation.errors import DomainError
from annotation.evaluation.models import (
    Adjudication,
    Decision,
    GoldVersion,
    LabelSet,
    SummaryLabels,
)


def refuse_if_labelled(import_: Import) -> None:
    row = SummaryLabels.objects.filter(summary__source=import_).select_related("label_set").first()
    if row is not None:
        raise DomainError(
            f"Summaries of this import are labelled in {row.label_set}.",
            "Delete the labels first; what a gold version is made of stays.",
        )


def remove_labels(project: Project) -> None:
    """A project that goes takes its labels and gold files along."""
    for gold in GoldVersion.objects.filter(project=project):
        gold.path.unlink(missing_ok=True)
    GoldVersion.objects.filter(project=project).delete()
    Adjudication.objects.filter(project=project).delete()
    Decision.objects.filter(project=project).delete()
    SummaryLabels.objects.filter(label_set__project=project).delete()
    LabelSet.objects.filter(project=project).delete()


REFUSALS.append(refuse_if_labelled)
# Before campaigns and units, which labels refer to.
REMOVE_FIRST.insert(0, remove_labels)
