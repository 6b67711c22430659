"""Whether a worker may do a piece of work: qualification requirements, read as MTurk reads them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.market import rows
from annotation.crowd.market.deliveries import tell_assignment
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import (
    HOLDS_PLACE,
    AssignmentStatus,
    MarketAssignment,
    MarketHit,
    MarketHitType,
    Qualification,
    QualificationType,
)
from annotation.crowd.market.rows import patient
from annotation.crowd.market.system_qualifications import (
    ADULT,
    HITS_APPROVED,
    LOCALE,
    MASTERS,
    MASTERS_SANDBOX,
    SYSTEM_TYPES,
    integer_value,
)
from annotation.errors import DomainError, Forbidden, NotFound
from annotation.translation import gettext_lazy

Requirement = Mapping[str, Any]
COMPARISONS: dict[str, tuple[Callable[[int, int], bool], str]] = {
    "LessThan": (operator.lt, gettext_lazy("less than ")),
    "LessThanOrEqualTo": (operator.le, gettext_lazy("at most ")),
    "GreaterThan": (operator.gt, gettext_lazy("more than ")),
    "GreaterThanOrEqualTo": (operator.ge, gettext_lazy("at least ")),
    "EqualTo": (operator.eq, "exactly "),
    "NotEqualTo": (operator.ne, gettext_lazy("anything but ")),
}
# Qualifications by which campaigns keep workers out.
KEEPS_OUT = "Giza: "


@dataclass(frozen=True, slots=True)
class Unmet:
    """A requirement that a worker does not meet, in words, and what it keeps them from."""

    type_id: str
    words: str
    bars_preview: bool
    hides: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A worker and the values of everything that they hold."""

    worker: WorkerAccount
    held: Mapping[str, int]

    def value(self, type_id: str) -> int | None:
        if type_id in SYSTEM_TYPES:
            return integer_value(type_id, self.worker)
        return self.held.get(type_id)


def get_standing(worker: WorkerAccount) -> Standing:
    rows = Qualification.objects.filter(worker=worker, is_granted=True)
    return Standing(worker, dict(rows.values_list("type__qualification_type_id", "value")))


def unmet(requirements: Iterable[Requirement], worker: WorkerAccount) -> list[str]:
    """What stands between the worker and the work, in words; empty if nothing does."""
    wanted = list(requirements)
    return [item.words for item in list_unmet(wanted, get_standing(worker))] if wanted else []


def list_unmet(
    requirements: Iterable[Requirement],
    standing: Standing,
    names: Mapping[str, str] | None = None,
) -> list[Unmet]:
    found = [item for item in requirements if not is_met(item, standing)]
    if found and names is None:
        names = get_names(str(item["QualificationTypeId"]) for item in found)
    return [_describe(item, names or {}) for item in found]


def get_names(type_ids: Iterable[str]) -> dict[str, str]:
    """The names of custom qualification types."""
    rows = QualificationType.objects.filter(qualification_type_id__in=set(type_ids))
    return dict(rows.values_list("qualification_type_id", "name"))


def is_met(requirement: Requirement, standing: Standing) -> bool:
    type_id = str(requirement["QualificationTypeId"])
    comparator = requirement["Comparator"]
    if type_id == LOCALE:
        return _is_in_place(comparator, requirement.get("LocaleValues") or [], standing.worker)
    value = standing.value(type_id)
    if comparator in ("Exists", "DoesNotExist"):
        return (value is not None) == (comparator == "Exists")
    return _compares(comparator, value, requirement.get("IntegerValues") or [])


def _compares(comparator: str, value: int | None, wanted: Sequence[int]) -> bool:
    """Nobody who lacks a qualification passes a comparison with it."""
    if value is None or not wanted:
        return False
    if comparator in ("In", "NotIn"):
        return (value in wanted) == (comparator == "In")
    return COMPARISONS[comparator][0](value, wanted[0])


def _is_in_place(
    comparator: str, places: Sequence[Mapping[str, str]], worker: WorkerAccount
) -> bool:
    if comparator in ("Exists", "DoesNotExist"):
        return bool(worker.country) == (comparator == "Exists")
    if not worker.country:
        return False
    is_there = any(_is_at(place, worker) for place in places)
    return is_there == (comparator in ("EqualTo", "In"))


def _is_at(place: Mapping[str, str], worker: WorkerAccount) -> bool:
    subdivision = place.get("Subdivision")
    same_country = place["Country"] == worker.country
    return same_country and (not subdivision or subdivision == worker.subdivision)


def _describe(requirement: Requirement, names: Mapping[str, str]) -> Unmet:
    type_id = str(requirement["QualificationTypeId"])
    guards = requirement.get("ActionsGuarded", "Accept")
    bars = guards != "Accept" or bool(requirement.get("RequiredToPreview"))
    words = _words(requirement, type_id, names.get(type_id, type_id))
    return Unmet(type_id, words, bars, guards == "DiscoverPreviewAndAccept")


def _words(requirement: Requirement, type_id: str, name: str) -> str:
    comparator = requirement["Comparator"]
    if type_id == LOCALE:
        return _place_words(comparator, requirement.get("LocaleValues") or [])
    if type_id == ADULT:
        return _("Adults only")
    if type_id in (MASTERS, MASTERS_SANDBOX):
        return _("Masters only")
    if comparator == "DoesNotExist" and name.startswith(KEEPS_OUT):
        return _("The requester has excluded you from this task")
    system = SYSTEM_TYPES.get(type_id)
    called = system.called if system else _("the qualification “{name}”").format(name=name)
    if comparator == "DoesNotExist":
        return _("Not available to workers with {called}").format(called=called)
    if comparator == "Exists":
        return _("Requires {called}").format(called=called)
    wanted = _wanted(comparator, requirement.get("IntegerValues") or [])
    if type_id == HITS_APPROVED:
        # As people say it: 10,000 approved HITs are at least so many.
        return _("Requires {wanted} approved HITs").format(wanted=wanted.removeprefix("at least "))
    return (
        _("Requires {called} of {wanted}%").format(called=called, wanted=wanted)
        if system
        else _("Requires {called}: {wanted}").format(called=called, wanted=wanted)
    )


def _wanted(comparator: str, values: Sequence[int]) -> str:
    relation = {"In": "", "NotIn": _("anything but ")}.get(comparator)
    if relation is None:
        relation = COMPARISONS[comparator][1]
    return relation + " or ".join(f"{value:,}" for value in values)


def _place_words(comparator: str, places: Sequence[Mapping[str, str]]) -> str:
    if comparator == "Exists":
        return _("Requires a country in your settings")
    if comparator == "DoesNotExist":
        return _("Not available to workers with a country in their settings")
    parts = ((place["Country"], place.get("Subdivision")) for place in places)
    codes = ", ".join("-".join(filter(None, part)) for part in parts)
    is_there = comparator in ("EqualTo", "In")
    return (
        _("{codes} workers only").format(codes=codes)
        if is_there
        else _("Not available to workers in {codes}").format(codes=codes)
    )


OWN_WORK = gettext_lazy(
    "This work belongs to your own requester or project, so you can't be paid for it"
)
DONE = [*HOLDS_PLACE, AssignmentStatus.LATE]


class NoPlace(DomainError):
    code = "no_place"
    title = gettext_lazy("This HIT is no longer available")


class EnoughDone(NoPlace):
    code = "enough_done"
    title = gettext_lazy("You have reached the limit")

    def __init__(self) -> None:
        super().__init__(
            _("You have reached the maximum number of these HITs per worker."),
            _("Choose other work."),
        )


class _HasOne(Exception):
    """The worker has this work already. It leaves the transaction, which undoes the count."""

    def __init__(self, assignment: MarketAssignment) -> None:
        super().__init__(assignment.assignment_id)
        self.assignment = assignment


class NotQualified(Forbidden):
    code = "not_qualified"
    title = gettext_lazy("This work is not available to you")


class OwnWork(NotQualified):
    code = "own_work"
    title = gettext_lazy("You can't work on your own HITs")

    def __init__(self) -> None:
        super().__init__(
            f"{OWN_WORK}.", _("Leave it to other workers. If you have accepted it, return it.")
        )


def accept_hit(*, hit_id: str, worker: WorkerAccount) -> MarketAssignment:
    """Accept this HIT; accepting one in progress again gives the same assignment."""
    hit = MarketHit.objects.select_related("hit_type").defer("question").filter(hit_id=hit_id)
    found: MarketHit | None = hit.first()
    if found is None or found.is_deleted:
        raise NotFound(_("There is no such HIT."), _("Choose another one from your list of work."))
    check_may_work(found.hit_type, worker)
    return _accept(found, worker)


def accept_next(*, hit_type: MarketHitType, worker: WorkerAccount) -> MarketAssignment:
    """Accept any HIT of a type that the worker has not had; one in progress comes first."""
    check_may_work(hit_type, worker)
    return _accept_next(hit_type, worker)


class Deactivated(NotQualified):
    code = "deactivated"
    title = gettext_lazy("Your account is deactivated")

    def __init__(self) -> None:
        super().__init__(
            _("Your account is deactivated, so you can't work here."),
            _("Write to the people who run this site."),
        )


def check_may_work(hit_type: MarketHitType, worker: WorkerAccount) -> None:
    bars = rows.read_bars(hit_type, worker.pk)
    if not bars.is_active:
        raise Deactivated()
    if worker.is_suspended:
        raise NotQualified(
            _("Your account is suspended."), _("Write to the people who run this site.")
        )
    if bars.is_blocked:
        raise NotQualified(_("The requester of this work doesn't accept submissions from you."))
    if bars.is_own:
        raise OwnWork()
    if missing := unmet(hit_type.requirements, worker):
        raise NotQualified(f"{'. '.join(missing)}.")


@patient
def _accept(hit: MarketHit, worker: WorkerAccount) -> MarketAssignment:
    now = clock.now()
    try:
        with transaction.atomic():
            rows.count_accepted(worker.pk)
            mine = MarketAssignment.objects.filter(hit=hit, worker=worker, status__in=DONE).first()
            if mine is not None:
                raise _HasOne(mine)
            if rows.has_had_enough(hit.pk, worker.pk):
                raise EnoughDone()
            if not _take_place(hit, now):
                raise NoPlace(_("Other workers have taken this HIT, or it has expired."))
            return _hand_over(hit, worker, now)
    except _HasOne as found:
        return _in_hand(found.assignment)


def _in_hand(mine: MarketAssignment) -> MarketAssignment:
    if mine.status != AssignmentStatus.ACCEPTED:
        raise DomainError(_("You have already done this HIT."), _("Choose another one."))
    return mine


@patient
def _accept_next(hit_type: MarketHitType, worker: WorkerAccount) -> MarketAssignment:
    now = clock.now()
    try:
        with transaction.atomic():
            rows.count_accepted(worker.pk)
            mine = rows.read_in_hand(worker.pk, hit_type.pk, now)
            if mine is not None:
                raise _HasOne(mine)
            hit = rows.take_free_place(hit_type, worker.pk, now)
            if hit is None:
                raise NoPlace(_("No more HITs of this kind are available to you."))
            return _hand_over(hit, worker, now)
    except _HasOne as found:
        return found.assignment


def list_free(hit_type: MarketHitType, worker: WorkerAccount, now: datetime) -> QuerySet[MarketHit]:
    """HITs of a type that have a place and that the worker has never had."""
    had = MarketAssignment.objects.filter(worker=worker, hit=OuterRef("pk"))
    free: QuerySet[MarketHit] = MarketHit.objects.assignable(now).filter(
        ~Exists(had), hit_type=hit_type
    )
    return free


def _take_place(hit: MarketHit, now: datetime) -> bool:
    row = MarketHit.objects.assignable(now).filter(pk=hit.pk)
    return bool(row.update(available=F("available") - 1, pending=F("pending") + 1))


def _hand_over(hit: MarketHit, worker: WorkerAccount, now: datetime) -> MarketAssignment:
    allotted = timedelta(seconds=hit.hit_type.assignment_seconds)
    assignment = MarketAssignment.objects.create(
        hit=hit, worker=worker, accepted_at=now, deadline=now + allotted
    )
    tell_assignment(assignment, "AssignmentAccepted")
    return assignment
