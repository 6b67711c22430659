"""What pages say of all HITs, answers and ledger entries of a campaign, summed up once.

The database says when rows have changed (`stamps.Kept`). What is paid is never read from here:
the services add up what they pay while they hold the campaign.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When

from annotation import clock
from annotation.crowd.models import (
    Assignment,
    AssignmentState,
    Campaign,
    ChangeKind,
    Hit,
    HitState,
    Intent,
)
from annotation.crowd.selectors.stamps import Kept, get_answer_stamp
from annotation.crowd.services.bulk import WorkerWage, list_wages
from annotation.crowd.services.ledger import Books, make_books, sum_books
from annotation.memory import Memory

ALL_KINDS = tuple(ChangeKind)
# What is older than a day turns so in steps of these.
STEP = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Places:
    """How many HITs there are, and how many assignments they want and have."""

    hits: int = 0
    wanted: int = 0
    collected: int = 0


def _sum_places(campaigns: Sequence[Campaign]) -> dict[int, Places]:
    rows = Hit.objects.filter(campaign__in=[row.pk for row in campaigns]).order_by()
    sums = rows.values_list("campaign").annotate(Count("pk"), Sum("wanted"), Sum("collected"))
    found = {pk: Places(*figures) for pk, *figures in sums}
    return {row.pk: found.get(row.pk, Places()) for row in campaigns}


_places = Kept(_sum_places, ChangeKind.HITS)


def sum_places(campaign: Campaign) -> Places:
    return _places.of(campaign)


def list_places(campaigns: Sequence[Campaign]) -> dict[int, Places]:
    return _places.of_all(campaigns)


# As `get_hit_state` tells the state of one.
_STATES = Case(
    When(state=HitState.PLANNED, then=Value("planned")),
    When(collected__gte=F("wanted"), decided__gte=F("collected"), then=Value("decided")),
    When(collected__gte=F("wanted"), then=Value("collected")),
    When(state=HitState.CLOSED, then=Value("closed")),
    When(collected__gt=0, then=Value("partial")),
    default=Value("open"),
)


def _count_hits(campaigns: Sequence[Campaign]) -> dict[int, Mapping[str, int]]:
    """By the states of `live.STATES`."""
    found: dict[int, dict[str, int]] = {row.pk: {} for row in campaigns}
    rows = Hit.objects.filter(campaign__in=list(found)).order_by()
    counts = rows.annotate(word=_STATES).values_list("campaign", "word").annotate(Count("pk"))
    for campaign, word, count in counts:
        found[campaign][word] = count
    return dict(found)


_hit_states = Kept(_count_hits, ChangeKind.HITS)


def count_hits(campaign: Campaign) -> Mapping[str, int]:
    return _hit_states.of(campaign)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many assignments there are of each state, and how many people did them."""

    to_review: int
    approved: int
    rejected: int
    workers: int
    problems: int

    @property
    def by_state(self) -> dict[str, int]:
        return {
            AssignmentState.SUBMITTED: self.to_review,
            AssignmentState.APPROVED: self.approved,
            AssignmentState.REJECTED: self.rejected,
        }


NOBODY = Counts(0, 0, 0, 0, 0)


def _count_answers(campaigns: Sequence[Campaign]) -> dict[int, Counts]:
    rows = Assignment.objects.filter(campaign__in=[row.pk for row in campaigns]).order_by()
    counts = rows.values_list("campaign").annotate(
        to_review=Count("pk", filter=Q(state=AssignmentState.SUBMITTED)),
        approved=Count("pk", filter=Q(state=AssignmentState.APPROVED)),
        rejected=Count("pk", filter=Q(state=AssignmentState.REJECTED)),
        workers=Count("worker", distinct=True),
        problems=Count("pk", filter=~Q(problem="")),
    )
    found = {pk: Counts(*figures) for pk, *figures in counts}
    return {row.pk: found.get(row.pk, NOBODY) for row in campaigns}


_counts = Kept(_count_answers, ChangeKind.ANSWERS)


def count_answers(campaign: Campaign) -> Counts:
    return _counts.of(campaign)


def list_counts(campaigns: Sequence[Campaign]) -> dict[int, Counts]:
    return _counts.of_all(campaigns)


_books = Kept(sum_books, ChangeKind.BOOKS)


def recall_books(campaign: Campaign) -> Books:
    return make_books(campaign, _books.of(campaign))


def recall_all_books(campaigns: Sequence[Campaign]) -> dict[int, Books]:
    sums = _books.of_all(campaigns)
    return {row.pk: make_books(row, sums[row.pk]) for row in campaigns}


def _count_entries(campaigns: Sequence[Campaign]) -> dict[int, int]:
    rows = Intent.objects.filter(campaign__in=[row.pk for row in campaigns]).order_by()
    found = dict(rows.values_list("campaign").annotate(Count("pk")))
    return {row.pk: found.get(row.pk, 0) for row in campaigns}


_entries = Kept(_count_entries, ChangeKind.BOOKS)


def count_entries(campaign: Campaign) -> int:
    return _entries.of(campaign)


_wages = Kept(lambda rows: {row.pk: tuple(list_wages(row)) for row in rows}, *ALL_KINDS)


def recall_wages(campaign: Campaign) -> tuple[WorkerWage, ...]:
    return _wages.of(campaign, campaign.wage_floor)


_filtered: Memory[int] = Memory(64)


def recall_count(campaign: Campaign, rows: QuerySet[Assignment], *parts: Hashable) -> int:
    """How many assignments of the campaign there are by a filter, which the parts name."""
    stamp = get_answer_stamp([campaign])
    return _filtered.get((stamp, *parts), rows.order_by().count)


def floor_time(at: datetime | None = None) -> datetime:
    """Now, or a little before: the same for a while, so that what depends on it can be kept."""
    at = at or clock.now()
    return at - (at - datetime.min.replace(tzinfo=at.tzinfo)) % STEP
