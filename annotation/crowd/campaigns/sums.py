"""Whether rows of campaigns are the same as when they were last read, and what was kept of them.

- What pages say of all HITs, answers and ledger entries of a campaign, summed up once.
- How far the workers of a campaign agree.
- The HITs of a campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When

from annotation import clock
from annotation.computed import Computed
from annotation.crowd.campaigns.ledger import Books, make_books, sum_books
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignChange,
    ChangeKind,
    Hit,
    HitState,
    Intent,
    Judgement,
)
from annotation.crowd.review.bulk import WorkerWage, list_wages
from annotation.memory import Memory
from scoring.aggregation import Agreement, measure_agreement

V = TypeVar("V")
KEPT = 256


def _same(value: V) -> V:
    return value


def get_answer_stamp(campaigns: Sequence[Campaign]) -> tuple[Any, ...]:
    """Another one when an assignment comes in or is decided.

    Judgements come in one transaction with their assignment and never change.
    """
    stamps = read_stamps(campaigns, [ChangeKind.ANSWERS])
    return tuple((row.token, stamps[row.pk]) for row in campaigns)


def read_stamps(
    campaigns: Sequence[Campaign], kinds: Sequence[ChangeKind]
) -> dict[int, tuple[Any, ...]]:
    """By campaign, the marks that the database has set since rows of these kinds were written.

    Read them before the rows: what is kept under marks may be newer than they are, never older.
    """
    marks: dict[int, list[Any]] = {row.pk: [] for row in campaigns}
    rows = CampaignChange.objects.filter(campaign__in=list(marks), kind__in=kinds)
    for campaign, kind, mark in rows.values_list("campaign", "kind", "mark"):
        marks[campaign].append((kind, mark))
    return {pk: tuple(sorted(found)) for pk, found in marks.items()}


class Kept(Generic[V]):
    """What is summed up over all rows of a campaign, until the database says that some are others.

    *kinds* are the rows that it depends on. A function makes the values of several campaigns at
    once; what else a value depends on is named with each question.
    """

    def __init__(
        self, make: Callable[[Sequence[Campaign]], dict[int, V]], *kinds: ChangeKind
    ) -> None:
        self.make = make
        self.kinds = kinds
        self._memory: Memory[V] = Memory(KEPT)

    def of(self, campaign: Campaign, *parts: Hashable) -> V:
        key = (campaign.token, read_stamps([campaign], self.kinds)[campaign.pk], *parts)
        return self._memory.get(key, lambda: self.make([campaign])[campaign.pk])

    def of_all(self, campaigns: Sequence[Campaign]) -> dict[int, V]:
        """In two queries, however many campaigns there are."""
        stamps = read_stamps(campaigns, self.kinds)
        keys = {row.pk: (row.token, stamps[row.pk]) for row in campaigns}
        there = {pk: self._memory.find(key) for pk, key in keys.items()}
        found = {pk: value for pk, value in there.items() if value is not None}
        missing = [row for row in campaigns if row.pk not in found]
        made = self.make(missing) if missing else {}
        for pk, value in made.items():
            found[pk] = self._memory.get(keys[pk], partial(_same, value))
        return found


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


# As gold orders statements: the interval depends on it, and the same alpha has one interval.
SUMMARY, UNIT = "assignment__hit__summary", "unit"
EXAMPLE = f"{SUMMARY}__example"
ORDER = (
    *(f"{SUMMARY}__example__position", f"{SUMMARY}__example_id", f"{SUMMARY}__system__name"),
    *(f"{SUMMARY}__system_id", f"{UNIT}__position", f"{UNIT}_id"),
)
AGREEMENTS = Computed("agreement", Agreement, 86_400)


def get_agreement(campaign: Campaign) -> Agreement:
    """Alpha over statements: a unit in a summary, answered by several workers; examples resampled.

    Resampling takes a second on a large campaign, so that the answer is kept until there are
    other judgements. Rejected work does not count.
    """
    rows = Judgement.objects.filter(assignment__campaign=campaign).exclude(
        assignment__state=AssignmentState.REJECTED
    )
    parts = (campaign.token, *get_answer_stamp([campaign]))
    return AGREEMENTS.get(parts, lambda: _measure(rows))


def _measure(judgements: QuerySet[Judgement]) -> Agreement:
    rows = (
        judgements.order_by(*ORDER)
        .values_list(EXAMPLE, SUMMARY, UNIT)
        .annotate(present=Count("pk", filter=Q(present=True)), all=Count("pk"))
        # A single answer agrees with nobody; in a large campaign most statements have no other.
        .filter(all__gt=1)
    )
    counts, codes, seen = [], [], dict[int, int]()
    for example, *_, present, total in rows:
        counts.append((total - present, present))
        codes.append(seen.setdefault(example, len(seen)))
    return measure_agreement(
        np.array(counts, dtype=np.int64).reshape(-1, 2), np.array(codes, dtype=np.int64)
    )


def list_hits(campaign: Campaign, *, state: str = "") -> QuerySet[Hit]:
    """In the order in which they were planned."""
    rows = Hit.objects.filter(campaign=campaign).select_related(
        "summary__example", "summary__system"
    )
    return (rows.filter(state=state) if state else rows).order_by("pk")


def list_outstanding(campaign: Campaign, *, is_all: bool = False) -> QuerySet[Hit]:
    """HITs that lack assignments, those that lack most first; or all of them."""
    rows = list_hits(campaign).annotate(outstanding=F("wanted") - F("collected"))
    return (rows if is_all else rows.filter(outstanding__gt=0)).order_by("-outstanding", "pk")
