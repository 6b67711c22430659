"""Who may see a set whose author writes it independently of another author.

- A set held while it is changed; nothing gets past that would change a frozen one.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job, JobState
from annotation.errors import DomainError, Forbidden, NotFound
from annotation.units.double.models import DoubleAuthor
from annotation.units.sets.models import SetState, UnitSet


def list_unrevealed() -> QuerySet[DoubleAuthor]:
    """Authors whose units nobody else sees yet."""
    return DoubleAuthor.objects.filter(double__revealed_at=None).order_by()


def list_hidden_sets(user: User | None) -> QuerySet[Any]:
    """The ids of sets that this person doesn't see; without a person, of all that are hidden."""
    rows = list_unrevealed()
    hidden = rows if user is None else rows.exclude(user=user)
    return hidden.values("set")


def is_hidden(unit_set: UnitSet, user: User | None) -> bool:
    return list_hidden_sets(user).filter(set=unit_set).exists()


def refuse_if_hidden(unit_set: UnitSet, user: User | None) -> None:
    if is_hidden(unit_set, user):
        raise hidden_from_others(unit_set)


def hidden_from_others(unit_set: UnitSet) -> Forbidden:
    return Forbidden(
        _("{unit_set} is visible only to its author until both authors are done.").format(
            unit_set=unit_set
        ),
        _("See Units → Double annotation."),
    )


def hold_set(unit_set: UnitSet) -> UnitSet:
    """The set as it is now, kept from others until the transaction ends."""
    rows = UnitSet.objects.select_related("project", "job").select_for_update(of=("self",))
    held = rows.filter(pk=unit_set.pk).first()
    if held is None:
        raise NotFound(_("{unit_set} was deleted.").format(unit_set=unit_set))
    return held


def get_set_of(job: Job) -> UnitSet:
    """The set that a job fills."""
    rows = UnitSet.objects.select_related("project", "parent", "created_by")
    found = rows.filter(pk=job.params["set"]).first()
    if found is None:
        raise DomainError(_("The unit set that this job fills was deleted."))
    return found


def hold_draft(unit_set: UnitSet) -> UnitSet:
    """The set, held, if its units and what is said of them may change."""
    held = hold_set(unit_set)
    refuse_if_frozen(held)
    refuse_if_not_filled(held)
    return held


def hold_writing(unit_set: UnitSet) -> UnitSet:
    """The set, held, if people still write in it: neither frozen nor in review."""
    held = hold_draft(unit_set)
    if held.state != SetState.DRAFT:
        raise DomainError(
            _("{held} is in review.").format(held=held), _("Return it to draft first."), fix=held
        )
    return held


def refuse_if_frozen(unit_set: UnitSet) -> None:
    if unit_set.is_frozen:
        raise DomainError(
            _("{unit_set} is frozen and can't be changed.").format(unit_set=unit_set),
            _("Create its next version and change that."),
        )


def refuse_if_not_filled(unit_set: UnitSet) -> None:
    """A job that still writes, or may be tried again, must find the set as it left it."""
    job = unit_set.job
    if job is None or job.state == JobState.DONE:
        return
    if job.is_over:
        raise DomainError(
            _("{unit_set} is incomplete.").format(unit_set=unit_set),
            _("Retry its job, or delete the set."),
            fix=unit_set,
        )
    raise DomainError(
        _("Units are still being added to {unit_set}.").format(unit_set=unit_set),
        _("Wait until its job is done."),
        fix=unit_set,
    )


def refuse_if_closed(unit_set: UnitSet, user: User) -> None:
    """A set that is written independently changes by its author's hand, until they are done."""
    author = list_unrevealed().filter(set=unit_set).first()
    if author is not None and author.user_id != user.pk:
        raise hidden_from_others(unit_set)
    if author is not None and author.done_at:
        raise DomainError(
            _("{unit_set} is marked as done.").format(unit_set=unit_set),
            _("Choose “Continue writing” on the page of the double annotation."),
            fix=unit_set,
        )


def refuse_if_independent(unit_set: UnitSet) -> None:
    if list_unrevealed().filter(set=unit_set).exists():
        raise DomainError(
            _("{unit_set} is part of a double annotation.").format(unit_set=unit_set),
            _("It is frozen when both authors are done. To stop, delete the double annotation."),
            fix=unit_set,
        )
