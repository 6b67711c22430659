"""What is in a label set, what people have settled, and what they can settle."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.corpora.models import Import, ImportState, KeptFile, Project, Summary
from annotation.errors import DomainError, NotFound
from annotation.evaluation.models import Adjudication, LabelSet, SummaryLabels
from annotation.evaluation.selectors.pages_gold import get_label_set
from annotation.translation import gettext as _
from annotation.units.models import SetState, Unit


def list_kept_labels(project: Project) -> list[tuple[Import, int]]:
    """Imports that brought label files along, and how many."""
    kept = KeptFile.objects.filter(
        source__project=project, source__state=ImportState.DONE, name__regex=r"^labels/.+\.label$"
    )
    found: dict[int, tuple[Import, int]] = {}
    for file in kept.select_related("source").defer("data"):
        source, number = found.get(file.source_id, (file.source, 0))
        found[file.source_id] = (source, number + 1)
    return list(found.values())


def get_ready_labels(project: Project, pk: int) -> LabelSet:
    """Those named, once they are all there."""
    found = get_label_set(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} is not ready.").format(found=found),
            _("Wait until its job has finished."),
            fix=found,
        )
    return found


def list_summary_labels(label_set: LabelSet) -> QuerySet[SummaryLabels]:
    """Summaries in the order of the corpus, then by system."""
    rows = SummaryLabels.objects.filter(label_set=label_set)
    return rows.select_related("summary__example", "summary__system").order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )


def list_settled(project: Project) -> QuerySet[Adjudication]:
    """What experts have settled in any set of the project, and not taken back; the newest first."""
    return Adjudication.objects.filter(project=project, undone_at=None).select_related(
        "project", "unit", "summary__system", "summary__example", "made_by"
    )


def get_summary(project: Project, pk: int) -> Summary:
    rows = Summary.objects.live().filter(example__project=project, pk=pk)
    found = rows.select_related("example", "system").first()
    if found is None:
        raise NotFound(_("The project has no summary {pk}.").format(pk=pk))
    return found


def get_unit(project: Project, pk: int) -> Unit:
    """Of a frozen set: labels are about no other."""
    rows = Unit.objects.filter(set__project=project, is_deleted=False, pk=pk)
    found = rows.filter(set__state=SetState.FROZEN).select_related("set").first()
    if found is None:
        raise NotFound(_("The project has no frozen unit {pk}.").format(pk=pk))
    return found
