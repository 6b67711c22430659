"""Campaigns as their project sees them: how far, how well, at what wage, for how much."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import accumulate, pairwise

from django.db.models import Count, F, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.ledger import Books
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    ChangeKind,
    Hit,
    HitState,
    Intent,
    IntentKind,
    Judgement,
    Worker,
)
from annotation.crowd.campaigns.sums import (
    ALL_KINDS,
    Kept,
    count_answers,
    get_agreement,
    list_outstanding,
    recall_books,
    recall_wages,
    sum_places,
)
from annotation.crowd.review.bulk import WorkerWage, list_paid_time, list_wages
from annotation.errors import NotFound
from scoring.aggregation import Agreement
from scoring.aggregation.filters.fast import MIN_SECONDS

CENT = Decimal("0.01")
# A HIT that has waited this much longer than others usually take is slow.
SLOW_AFTER = timedelta(hours=24)
MOST_SQUARES = 2500


def list_campaigns(project: Project) -> QuerySet[Campaign]:
    """Newest first."""
    rows = Campaign.objects.filter(project=project)
    return rows.select_related("unit_set", "job", "created_by").order_by("-created_at", "-pk")


def list_counted_campaigns(project: Project) -> QuerySet[Campaign]:
    """Each with how many assignments it wants and has."""
    return list_campaigns(project).annotate(
        hit_count=_of_hits(Count("pk")),
        wanted_count=_of_hits(Sum("wanted")),
        collected_count=_of_hits(Sum("collected")),
    )


def _of_hits(figure: Count | Sum) -> Coalesce:
    """Off an index for each campaign: joined, every HIT would carry its campaign's texts along."""
    hits = Hit.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    return Coalesce(Subquery(hits.annotate(figure=figure).values("figure")), 0)


def get_campaign(project: Project, pk: int, *, counted: bool = False) -> Campaign:
    """Counted, it has how many assignments it wants and has."""
    rows = list_counted_campaigns(project) if counted else list_campaigns(project)
    found = rows.filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no campaign {pk}.").format(pk=pk))
    return found


@dataclass(frozen=True, slots=True)
class Wage:
    """What workers really earn per hour, by the time that their assignments took.

    Measured on so many workers and assignments of theirs; `below` of them earn less than the floor.
    """

    median: Decimal | None
    floor: Decimal
    timed: int
    workers: int
    below: int

    @property
    def is_below(self) -> bool:
        return self.median is not None and self.median < self.floor


@dataclass(frozen=True, slots=True)
class Square:
    """One HIT in the grid."""

    state: str
    title: str


@dataclass(frozen=True, slots=True)
class Live:
    """A campaign at a glance."""

    campaign: Campaign
    hits: int
    wanted: int
    collected: int
    to_review: int
    approved: int
    rejected: int
    workers: int
    problems: int
    hasty: int
    books: Books
    agreement: Agreement
    wage: Wage
    slow: Sequence[Hit]
    unclear: Sequence[Intent]
    expected_end: datetime | None

    @property
    def outstanding(self) -> int:
        return max(self.wanted - self.collected, 0)

    @property
    def share(self) -> float:
        return self.collected / self.wanted if self.wanted else 0.0

    @property
    def percent(self) -> int:
        return int(100 * self.share)


def get_live(campaign: Campaign) -> Live:
    counts, places, books = count_answers(campaign), sum_places(campaign), recall_books(campaign)
    return Live(
        campaign=campaign,
        hits=places.hits,
        wanted=places.wanted,
        collected=places.collected,
        to_review=counts.to_review,
        approved=counts.approved,
        rejected=counts.rejected,
        workers=counts.workers,
        problems=counts.problems,
        hasty=_hasty.of(campaign),
        books=books,
        agreement=get_agreement(campaign),
        wage=get_wage(campaign),
        slow=list_slow_hits(campaign),
        unclear=list_unclear_intents(campaign) if books.open_intents else [],
        expected_end=_expected_end(campaign, places.wanted, places.collected),
    )


def get_wage(campaign: Campaign) -> Wage:
    """The median over workers, each counted once: nobody sets it by doing much, fast or slowly.

    Where nobody knows who worked, an assignment counts as a worker. Files of answers need not say
    what was paid.
    """
    return _wage.of(campaign, campaign.wage_floor)


def _measure_wage(campaign: Campaign) -> Wage:
    known = [row for row in list_wages(campaign) if row.rewards]
    rows = list_paid_time(campaign).filter(worker=None, hit__reward__gt=0)
    unknown = [
        reward / Decimal(seconds or 0) * 3600
        for reward, seconds in rows.values_list("hit__reward", "seconds")
    ]
    wages = [*(row.earned / row.hours for row in known), *unknown]
    return Wage(
        median=statistics.median(wages).quantize(CENT) if wages else None,
        floor=campaign.wage_floor,
        timed=sum(row.number for row in known) + len(unknown),
        workers=len(wages),
        below=sum(row.lacks >= CENT for row in known),
    )


_wage = Kept(lambda rows: {row.pk: _measure_wage(row) for row in rows}, *ALL_KINDS)


def list_hasty(campaign: Campaign) -> QuerySet[Assignment]:
    """Work done in less time than it takes to read, by the rule that labels may leave out."""
    rows = Assignment.objects.filter(campaign=campaign, seconds__isnull=False).order_by()
    asked = Count("judgements") + F("gold_asked")
    found: QuerySet[Assignment] = rows.annotate(asked=asked)
    return found.filter(seconds__lt=MIN_SECONDS * F("asked"))


def _count_hasty(campaigns: Sequence[Campaign]) -> dict[int, int]:
    """Every assignment's statements are counted."""
    rows = {row.pk: list_hasty(row) for row in campaigns}
    return {pk: found.exclude(state=AssignmentState.REJECTED).count() for pk, found in rows.items()}


_hasty = Kept(_count_hasty, ChangeKind.ANSWERS)


def list_slow_hits(campaign: Campaign, limit: int = 20) -> list[Hit]:
    """HITs that are out for long and still lack assignments, or closed before they had them."""
    late = clock.now() - SLOW_AFTER
    waiting = Q(state=HitState.OPEN, published_at__lt=late) | Q(
        state=HitState.OPEN, expires_at__lt=clock.now()
    )
    rows = list_outstanding(campaign).filter(waiting)
    return list(rows[:limit])


def list_unclear_intents(campaign: Campaign) -> list[Intent]:
    """Payments of which nobody can tell whether they were made: a person has to look."""
    old = clock.now() - timedelta(minutes=10)
    kinds = [IntentKind.BONUS, IntentKind.APPROVE, IntentKind.REJECT]
    rows = Intent.objects.filter(
        campaign=campaign, settlement=None, kind__in=kinds, created_at__lt=old
    )
    return list(rows.select_related("assignment__worker")[:20])


def _expected_end(campaign: Campaign, wanted: int, collected: int) -> datetime | None:
    """By the pace since the campaign was published."""
    running = campaign.state == CampaignState.LIVE and campaign.published_at is not None
    if not running or not collected or collected >= wanted:
        return None
    assert campaign.published_at is not None
    elapsed = clock.now() - campaign.published_at
    return clock.now() + elapsed * ((wanted - collected) / collected)


def list_squares(campaign: Campaign, limit: int = MOST_SQUARES) -> list[Square]:
    """Every HIT as a small square: its state in a word, its name in the title."""
    rows = Hit.objects.filter(campaign=campaign).select_related(
        "summary__example", "summary__system"
    )
    rows = rows.only(
        *("state", "wanted", "collected", "decided", "part", "parts"),
        *("summary__example__key", "summary__system__name"),
    )
    return [Square(get_hit_state(hit), _square_title(hit)) for hit in rows[:limit]]


def get_hit_state(hit: Hit) -> str:
    """One of `live.STATES`."""
    if hit.state == HitState.PLANNED:
        return "planned"
    if hit.collected >= hit.wanted:
        return "decided" if hit.decided >= hit.collected else "collected"
    if hit.state == HitState.CLOSED:
        return "closed"
    return "partial" if hit.collected else "open"


def _square_title(hit: Hit) -> str:
    where = _("{example} by {system}").format(
        example=hit.summary.example.key, system=hit.summary.system.name
    )
    part = (
        _(", part {part} of {parts}").format(part=hit.part + 1, parts=hit.parts)
        if hit.parts > 1
        else ""
    )
    return _("{where}{part}: {collected} of {wanted} collected").format(
        where=where, part=part, collected=hit.collected, wanted=hit.wanted
    )


def count_by_time(campaign: Campaign) -> list[tuple[datetime, int]]:
    """How many were collected by the end of each of equal stretches of time."""
    return _collected.of(campaign, campaign.published_at)


def _count_by_time(campaign: Campaign, buckets: int = 48) -> list[tuple[datetime, int]]:
    rows = Assignment.objects.filter(campaign=campaign).order_by()
    first, last = rows.aggregate(first=Min("submitted_at"), last=Max("submitted_at")).values()
    if first is None:
        return []
    start = min(campaign.published_at or first, first)
    step = max((last - start) / buckets, timedelta(seconds=1))
    ends = [start + step * (index + 1) for index in range(buckets)]
    counts = [
        rows.filter(submitted_at__gte=since, submitted_at__lt=until)
        .annotate(end=Value(index))
        .values("end")
        .annotate(number=Count("pk"))
        .values_list("end", "number")
        for index, (since, until) in enumerate(pairwise([start, *ends[:-1]]))
    ]
    # One query, each part of it off an index: no page reads the times of all assignments.
    found = dict(counts[0].union(*counts[1:], all=True))
    found[buckets - 1] = rows.filter(submitted_at__gte=ends[-2]).count()
    totals = accumulate(found.get(index, 0) for index in range(buckets))
    return [(start, 0), *zip(ends, totals, strict=True)]


_collected = Kept(lambda rows: {row.pk: _count_by_time(row) for row in rows}, ChangeKind.ANSWERS)


def list_assignments(
    campaign: Campaign, *, state: str = "", worker: int | None = None, problem: bool = False
) -> QuerySet[Assignment]:
    """For review: oldest deadline first."""
    rows = Assignment.objects.filter(campaign=campaign).select_related(
        "hit__summary__example", "hit__summary__system", "worker", "campaign"
    )
    if state:
        rows = rows.filter(state=state)
    if worker is not None:
        rows = rows.filter(worker=worker)
    if problem:
        rows = rows.filter(~Q(problem="") | Q(pk__in=list_hasty(campaign).values("pk")))
    return rows.order_by("auto_approve_at", "pk")


@dataclass(frozen=True, slots=True)
class Standing:
    """A worker in a campaign: how much, how fast, how often with the majority of the others."""

    worker: Worker
    assignments: int
    rejected: int
    gold_asked: int
    gold_right: int
    median_seconds: float | None
    agreed: int
    compared: int
    wage: WorkerWage | None

    @property
    def agreement(self) -> float | None:
        return self.agreed / self.compared if self.compared else None


@dataclass(frozen=True, slots=True)
class _Work:
    """What a worker's answers say of them, without what may change for other reasons."""

    assignments: int
    rejected: int
    gold_asked: int
    gold_right: int
    median_seconds: float | None
    agreed: int
    compared: int


def list_standings(campaign: Campaign) -> list[Standing]:
    """Every worker of the campaign, the busiest first."""
    by_worker = _work.of(campaign)
    wages = {row.worker: row for row in recall_wages(campaign) if row.rewards}
    standings = [
        Standing(
            worker=worker,
            assignments=by_worker[pk].assignments,
            rejected=by_worker[pk].rejected,
            gold_asked=by_worker[pk].gold_asked,
            gold_right=by_worker[pk].gold_right,
            median_seconds=by_worker[pk].median_seconds,
            agreed=by_worker[pk].agreed,
            compared=by_worker[pk].compared,
            wage=wages.get(pk),
        )
        for pk, worker in Worker.objects.in_bulk(by_worker).items()
    ]
    return sorted(standings, key=lambda row: (-row.assignments, row.worker.pk))


def _read_work(campaign: Campaign) -> dict[int, _Work]:
    rows = Assignment.objects.filter(campaign=campaign, worker__isnull=False).order_by()
    counts = rows.values_list("worker").annotate(
        all=Count("pk"),
        rejected=Count("pk", filter=Q(state=AssignmentState.REJECTED)),
        asked=Sum("gold_asked"),
        right=Sum("gold_right"),
    )
    seconds: dict[int, list[float]] = {}
    for worker, spent in rows.values_list("worker", "seconds").iterator():
        if worker is not None:
            seconds.setdefault(worker, []).extend([spent] if spent else [])
    agreed = _agreement_by_worker(campaign)
    medians = {pk: statistics.median(times) if times else None for pk, times in seconds.items()}
    return {
        worker: _Work(number, rejected, asked, right, medians[worker], *agreed.get(worker, (0, 0)))
        for worker, number, rejected, asked, right in counts
        if worker in medians
    }


_work = Kept(lambda rows: {row.pk: _read_work(row) for row in rows}, ChangeKind.ANSWERS)


def _agreement_by_worker(campaign: Campaign) -> dict[int, tuple[int, int]]:
    """For each worker: how often they said what most of the others said; ties are not counted."""
    shared = (
        Assignment.objects.filter(campaign=campaign)
        .order_by()
        .values("hit__summary")
        .annotate(number=Count("pk"))
        .filter(number__gt=1)
    )
    # A summary that one person judged compares with nobody.
    rows = Judgement.objects.filter(
        assignment__campaign=campaign,
        assignment__worker__isnull=False,
        assignment__hit__summary__in=shared.values("hit__summary"),
    ).values_list("assignment__hit__summary", "unit", "assignment__worker", "present")
    statements: dict[tuple[int, int], list[tuple[int, bool]]] = {}
    for summary, unit, worker, present in rows:
        statements.setdefault((summary, unit), []).append((worker, present))
    found: dict[int, tuple[int, int]] = {}
    for answers in statements.values():
        yes = sum(present for __, present in answers)
        for worker, present in answers:
            for_it = yes - present
            against = len(answers) - 1 - for_it
            if for_it != against:
                same, compared = found.get(worker, (0, 0))
                found[worker] = (same + (present == (for_it > against)), compared + 1)
    return found


def list_entries(campaign: Campaign) -> QuerySet[Intent]:
    """The books, newest first, each with how it ended."""
    return (
        Intent.objects.filter(campaign=campaign)
        .select_related("settlement", "hit", "assignment__worker", "created_by")
        .order_by("-pk")
    )
