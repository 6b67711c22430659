"""What a worker sees of the marketplace: available work, work in progress, and history."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.queries import HOMES
from annotation.crowd.market.accepting import (
    OWN_WORK,
    Standing,
    Unmet,
    get_names,
    get_standing,
    list_free,
    list_unmet,
)
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerBlock
from annotation.crowd.market.models_work import (
    AssignmentStatus,
    MarketAssignment,
    MarketHit,
    MarketHitType,
    QualificationType,
)
from annotation.crowd.market.rows import list_own_types, read_assignment, read_hit_type
from annotation.errors import NotFound

OWN = Unmet("", OWN_WORK, bars_preview=False, hides=False)
TIMED_AT_MOST = 2000
FEWEST_TIMED = 3
LISTED_AT_MOST = 200


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind of work that is open now, as one worker sees it."""

    hit_type: MarketHitType
    available: int
    median: timedelta | None
    missing: list[Unmet]

    @property
    def is_open(self) -> bool:
        return not self.missing

    @property
    def can_preview(self) -> bool:
        return not any(item.bars_preview for item in self.missing)

    @property
    def hourly(self) -> Decimal | None:
        """What the work pays in an hour at the pace of those who did it."""
        if not self.median:
            return None
        hours = Decimal(self.median.total_seconds()) / 3600
        return (self.hit_type.reward / hours).quantize(Decimal("0.01"))


def list_offers(worker: WorkerAccount, now: datetime) -> list[Offer]:
    """Best paid first; work whose requirements hide it is left out."""
    counts = count_free(worker, now)
    types = list(_list_types(worker, counts))
    medians = get_medians(hit_type.pk for hit_type in types)
    standing = get_standing(worker)
    missing = _list_missing(types, standing)
    offers = [
        Offer(item, counts[item.pk], medians.get(item.pk), missing[item.pk]) for item in types
    ]
    return [offer for offer in offers if not any(item.hides for item in offer.missing)]


def count_free(worker: WorkerAccount, now: datetime) -> dict[int, int]:
    """By HIT type, how many HITs have a place that the worker could take."""
    had = MarketAssignment.objects.filter(worker=worker, hit=OuterRef("pk"))
    free = MarketHit.objects.assignable(now).filter(~Exists(had)).order_by()
    return dict(free.values_list("hit_type").annotate(Count("pk")))


def _list_types(worker: WorkerAccount, counts: dict[int, int]) -> QuerySet[MarketHitType]:
    blocked = WorkerBlock.objects.filter(worker=worker, requester=OuterRef("requester"))
    rows = MarketHitType.objects.filter(~Exists(blocked), pk__in=counts)
    return rows.select_related("requester").order_by("-reward", "pk")[:LISTED_AT_MOST]


def _list_missing(types: Iterable[MarketHitType], standing: Standing) -> dict[int, list[Unmet]]:
    rows = list(types)
    wanted = {item["QualificationTypeId"] for row in rows for item in row.requirements}
    names = get_names(wanted) if wanted else {}
    own = list_own_types([row.pk for row in rows], standing.worker.pk)
    return {
        row.pk: [OWN] if row.pk in own else list_unmet(row.requirements, standing, names)
        for row in rows
    }


def get_medians(type_ids: Iterable[int]) -> dict[int, timedelta]:
    """How long the work takes, by HIT type: the median over workers of each one's own median.

    Rejected work is left out, and so few workers say nothing: nobody sets what is advertised.
    """
    done = MarketAssignment.objects.filter(
        hit__hit_type__in=list(type_ids), submitted_at__isnull=False, is_late=False
    ).exclude(status=AssignmentStatus.REJECTED)
    latest = done.select_related("hit").only(
        "accepted_at", "submitted_at", "worker_id", "hit__hit_type"
    )
    spent: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in latest.order_by("-pk")[:TIMED_AT_MOST]:
        assert row.submitted_at is not None
        seconds = (row.submitted_at - row.accepted_at).total_seconds()
        spent[row.hit.hit_type_id][row.worker_id].append(seconds)
    return {
        type_id: timedelta(seconds=statistics.median(map(statistics.median, times.values())))
        for type_id, times in spent.items()
        if len(times) >= FEWEST_TIMED
    }


def get_offer(worker: WorkerAccount, hit_type: MarketHitType, now: datetime) -> Offer:
    """One kind of work; its requirements may hide it."""
    missing = _list_missing([hit_type], get_standing(worker))[hit_type.pk]
    medians = get_medians([hit_type.pk])
    offer = Offer(hit_type, 0, medians.get(hit_type.pk), missing)
    if any(item.hides for item in missing):
        raise NotFound(_("There is no such HIT."), _("Choose another one from your list of work."))
    return offer


def get_hit(hit_id: str) -> MarketHit:
    found: MarketHit | None = (
        MarketHit.objects.alive()
        .select_related("hit_type__requester")
        .filter(hit_id=hit_id)
        .first()
    )
    if found is None:
        raise NotFound(_("There is no such HIT."), _("Choose another one from your list of work."))
    return found


def get_hit_type(hit_type_id: str) -> MarketHitType:
    found = read_hit_type(hit_type_id)
    if found is None:
        raise NotFound(_("There is no such work."), _("Choose another one from your list of work."))
    return found


def get_first_of_group(group_id: str, worker: WorkerAccount, now: datetime) -> MarketHit:
    """The first that the worker could take, or else the first there is.

    Programs name a group by its HITGroupId or by the HITTypeId of its HITs.
    """
    named = Q(group_id=group_id) | Q(hit_type_id=group_id)
    hit_type = MarketHitType.objects.filter(named).first()
    if hit_type is None:
        raise NotFound(
            _("There is no such group of HITs."), _("Choose other work from your list of work.")
        )
    there = MarketHit.objects.alive().filter(hit_type=hit_type).order_by("pk")
    found = list_free(hit_type, worker, now).order_by("pk").first() or there.first()
    if found is None:
        raise NotFound(_("This group has no HITs left."), _("Choose other work."))
    return found


def get_qualification_type(type_id: str) -> QualificationType:
    found = (
        QualificationType.objects.select_related("requester")
        .filter(qualification_type_id=type_id, is_deleted=False)
        .first()
    )
    if found is None:
        raise NotFound(_("There is no such qualification."), _("Go back to your list of work."))
    return found


def get_assignment(worker: WorkerAccount, assignment_id: str) -> MarketAssignment:
    """The worker's own; nobody else's exists for them."""
    found = read_assignment(assignment_id)
    if found is None or found.worker_id != worker.pk:
        raise NotFound(_("There is no such assignment."), _("Check your list of work."))
    return found


def list_in_hand(worker: WorkerAccount) -> QuerySet[MarketAssignment]:
    rows = worker.assignments.filter(status=AssignmentStatus.ACCEPTED)
    return (
        rows.select_related("hit__hit_type").defer("hit__question", "answer").order_by("deadline")
    )


def list_history(worker: WorkerAccount) -> QuerySet[MarketAssignment]:
    rows = worker.assignments.exclude(status=AssignmentStatus.ACCEPTED)
    related = rows.select_related("hit__hit_type__requester").prefetch_related("bonuses")
    return related.defer("hit__question", "answer").order_by("-accepted_at", "-pk")


def find_worker_home(user: User) -> str | None:
    """Somebody who only works here comes to their work, not to an empty list of projects."""
    is_worker = WorkerAccount.objects.filter(user=user).exists()
    return reverse("crowd:work_home") if is_worker else None


HOMES.append(find_worker_home)
