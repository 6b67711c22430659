"""The verbs of an import: create, write, take back, drop. Each starts a job or ends one.

Rows are written in chunks, each its own short transaction, so that nobody waits and a killed
worker loses one chunk at most. They stay hidden until the import's own row says it is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.imports.checking import run_check
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.imports.uploads import (
    UploadedFile,
    find_room,
    lock_quotas,
    remove_files,
    save_files,
    uploads_of,
)
from annotation.corpora.imports.writing import (
    add_counts,
    give_up_job,
    refuse_if_needed_elsewhere,
    run_removal,
    run_write,
)
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from scoring.io import wide


def create_import(
    *,
    project: Project,
    user: User | None,
    name: str,
    format: str = "",
    files: Iterable[UploadedFile] = (),
    path: str = "",
    columns: Mapping[str, str] | None = None,
) -> Import:
    """Keep the files, or note the path where they lie, and have them checked.

    `columns` says what the columns of a wide table hold; those not named are guessed.
    """
    import_ = Import(project=project, created_by=user, name=name[:200], format=format, path=path)
    import_.columns = _check_columns(columns or {})
    try:
        import_.size = save_files(import_, files, find_room(project=project, user=user).check)
        with transaction.atomic():
            lock_quotas(project=project, user=user)
            find_room(project=project, user=user).check(import_.size)
            import_.job = _create_job(import_, user, "check_import", _("Check"))
            import_.save()
    except BaseException:
        remove_files(import_)
        raise
    return import_


def choose_columns(*, import_: Import, user: User | None, columns: Mapping[str, str]) -> Job:
    """Say what the columns of a wide table hold, and have it checked again."""
    _expect(import_, ImportState.READY, ImportState.REFUSED)
    if not import_.plan.get("columns"):
        raise DomainError(_("This import has no columns to assign."), _("Upload a table."))
    if not import_.path and not uploads_of(import_).exists():
        raise DomainError(_("The file is no longer here."), _("Upload it again."))
    import_.columns, import_.format = _check_columns(columns), wide.NAME
    with transaction.atomic():
        job = _create_job(import_, user, "check_import", _("Check"))
        _move(import_, ImportState.CHECKING, job)
        import_.save(update_fields=["columns", "format"])
        text = _("set the columns of {import_}").format(import_=import_.name)
        record_activity(
            project=import_.project, actor=user, verb=Verb.CHANGE, target=import_, text=text
        )
    return job


def _check_columns(columns: Mapping[str, str]) -> dict[str, str]:
    for name, role in columns.items():
        if role not in wide.ROLES:
            known = ", ".join(wide.ROLES)
            raise Invalid(
                _("columns: '{name}' can't be '{role}'.").format(name=name[:40], role=role[:40]),
                _("Known: {known}.").format(known=known),
            )
    return dict(columns)


def write_import(*, import_: Import, user: User | None) -> Job:
    """Start to write what the check has found."""
    _expect(import_, ImportState.READY)
    if not has_news(import_):
        raise DomainError(_("Everything in this file is already in the project."))
    try:
        with transaction.atomic():
            job = _create_job(import_, user, "write_import", _("Import"))
            _move(import_, ImportState.WRITING, job)
    except IntegrityError:
        raise _busy() from None
    return job


def has_news(import_: Import) -> bool:
    """Whether the checked files hold anything that the project has not."""
    counts = import_.plan.get("counts", {})
    return any(count["new"] for count in counts.values()) or bool(import_.plan.get("kept"))


def undo_import(*, import_: Import, user: User | None) -> Job:
    """Take back what the import brought, all of it; hidden at once, removed by a job."""
    if not can_undo(import_):
        raise DomainError(
            _("The status of this import is “{state}”.").format(
                state=import_.get_state_display().lower()
            )
        )
    try:
        with transaction.atomic():
            refuse_if_needed_elsewhere(import_)
            return _start_removal(import_, user)
    except IntegrityError:
        raise _busy() from None


def _start_removal(import_: Import, user: User | None) -> Job:
    job = _create_job(import_, user, "remove_import", _("Undo"))
    if import_.state == ImportState.FAILED:
        give_up_job(import_)
        _move(import_, ImportState.REMOVING, job)
    else:
        _move(import_, ImportState.REMOVING, job)
        add_counts(import_.project, import_.plan["created"], sign=-1)
        text = _("undid the import of {import_}").format(import_=import_.name)
        record_activity(
            project=import_.project, actor=user, verb=Verb.UNDO, target=import_, text=text
        )
    return job


def can_undo(import_: Import) -> bool:
    """Done, or failed after the check, when it may have left rows."""
    failed = import_.state == ImportState.FAILED and not _failed_in_check(import_)
    return failed or import_.state == ImportState.DONE


def _failed_in_check(import_: Import) -> bool:
    return import_.job is not None and import_.job.kind == "check_import"


def drop_import(*, import_: Import) -> None:
    """Forget an import that was never written."""
    if not (import_.state == ImportState.FAILED and _failed_in_check(import_)):
        _expect(import_, ImportState.READY, ImportState.REFUSED, ImportState.CHECKING)
    with transaction.atomic():
        _move(import_, ImportState.DROPPED, import_.job)
        text = _("discarded the import of {import_}").format(import_=import_.name)
        record_activity(project=import_.project, verb=Verb.DROP, target=import_, text=text)
    remove_files(import_)


def _create_job(import_: Import, user: User | None, kind: str, verb: str) -> Job:
    return create_job(
        project=import_.project,
        user=user,
        kind=kind,
        title=f"{verb} {import_.name}"[:200],
        params={"folder": str(import_.folder)},
    )


def _expect(import_: Import, *states: ImportState) -> None:
    if import_.state not in states:
        raise DomainError(
            _("The status of this import is “{state}”.").format(
                state=import_.get_state_display().lower()
            )
        )


def _move(import_: Import, state: ImportState, job: Job | None) -> None:
    """Change the state once, whoever else tries."""
    unmoved = Import.objects.filter(pk=import_.pk, state=import_.state)
    if not unmoved.update(state=state, job=job):
        raise _moved_on()
    import_.state, import_.job = state, job


def _moved_on() -> DomainError:
    return DomainError(_("The status of this import has changed."), _("Reload the page."))


def _busy() -> DomainError:
    return DomainError(
        _("Another import of this project is being written or undone."), _("Wait until it is done.")
    )


def _remove_after_cancel(job: Job) -> None:
    """A cancelled write leaves hidden rows; have them removed."""
    import_ = Import.objects.get(folder=job.params["folder"])
    if import_.state == ImportState.WRITING:
        with transaction.atomic():
            removal = _create_job(import_, job.created_by, "remove_import", _("Undo"))
            _move(import_, ImportState.REMOVING, removal)


def _drop_after_cancel(job: Job) -> None:
    import_ = Import.objects.get(folder=job.params["folder"])
    if import_.state == ImportState.CHECKING:
        drop_import(import_=import_)


def _mark_failed(job: Job) -> None:
    """From now on the project is free for other imports; rows that were written stay hidden."""
    Import.objects.filter(job=job, state=STATES[job.kind]).update(state=ImportState.FAILED)


def _mark_retried(job: Job) -> None:
    own = Import.objects.filter(job=job)
    try:
        with transaction.atomic():
            again = own.filter(state=ImportState.FAILED).update(state=STATES[job.kind])
    except IntegrityError:
        raise _busy() from None
    if not again and own.exists():
        raise _moved_on()


# What an import is while a job of this kind is under way.
STATES = {
    "check_import": ImportState.CHECKING,
    "write_import": ImportState.WRITING,
    "remove_import": ImportState.REMOVING,
}
KINDS["check_import"] = JobKind(
    run_check, undo=_drop_after_cancel, failed=_mark_failed, retried=_mark_retried
)
KINDS["write_import"] = JobKind(
    run_write, undo=_remove_after_cancel, failed=_mark_failed, retried=_mark_retried
)
KINDS["remove_import"] = JobKind(
    run_removal, can_cancel=False, failed=_mark_failed, retried=_mark_retried
)
