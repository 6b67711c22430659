"""Taking an import back: its rows go in small steps, after they were hidden all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Q, QuerySet

from annotation import clock
from annotation.corpora.models import (
    Example,
    Import,
    ImportState,
    Job,
    JobState,
    KeptFile,
    Project,
    Summary,
    System,
)
from annotation.corpora.services.import_files import import_of, remove_files
from annotation.corpora.services.jobs import Work
from annotation.errors import DomainError
from annotation.removal import remove_rows
from annotation.translation import gettext as _

EXAMPLES_A_STEP = 200
SUMMARIES_A_STEP = 5000


# Later apps say here why an import must stay; each raises a DomainError.
REFUSALS: list[Callable[[Import], None]] = []


def refuse_if_needed_elsewhere(import_: Import) -> None:
    """A later import may have added summaries to this one's examples or systems."""
    for refuse in REFUSALS:
        refuse(import_)
    borrowed = Q(example__source=import_) | Q(system__source=import_)
    other = Summary.objects.filter(borrowed).exclude(source=import_).select_related("source")
    if later := other.first():
        raise DomainError(
            _("The import of {source} depends on this one.").format(source=later.source.name),
            _("Undo the import of {source} first.").format(source=later.source.name),
        )


def run_removal(work: Work) -> dict[str, Any]:
    import_ = import_of(work)
    if import_.state != ImportState.REMOVING:
        remove_files(import_)
        return {"state": import_.state}
    work.report(0, phase=_("Removing"))
    work.log(_("Its texts are hidden; deleting them."))
    _remove_all(work, import_)
    return {"state": ImportState.DROPPED.value}


def remove_failed(work: Work, project: Project) -> None:
    """What failed imports left would collide with the next; after this none can be retried."""
    for import_ in project.imports.filter(state=ImportState.FAILED):
        work.report(0, phase=_("Deleting what a failed import left behind"))
        give_up_job(import_)
        _remove_all(work, import_)
        work.log(
            _("Deleted what the failed import of {import_} had written.").format(
                import_=import_.name
            )
        )


def give_up_job(import_: Import) -> bool:
    """End an import's failed job for good; whether it had one."""
    failed = Job.objects.filter(imports=import_, state=JobState.FAILED)
    return bool(failed.update(state=JobState.CANCELLED))


def _remove_all(work: Work, import_: Import) -> None:
    while ids := _next_ids(Example.objects.filter(source=import_), EXAMPLES_A_STEP):
        with work.step():
            remove_rows(Example.objects.filter(pk__in=ids))
            work.done += len(ids)
    while ids := _next_ids(Summary.objects.filter(source=import_), SUMMARIES_A_STEP):
        with work.step():
            remove_rows(Summary.objects.filter(pk__gte=ids[0], pk__lte=ids[-1], source=import_))
            work.done += len(ids)
    with work.step():
        remove_rows(System.objects.filter(source=import_))
        remove_rows(KeptFile.objects.filter(source=import_))
        Import.objects.filter(pk=import_.pk).update(
            state=ImportState.DROPPED, finished_at=clock.now()
        )
    remove_files(import_)


def _next_ids(rows: QuerySet[Any], limit: int) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])
