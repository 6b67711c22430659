"""What workers earned, were paid, and are owed. Read off the books, which only ever grow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Max, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Hit
from annotation.crowd.market.models_accounts import PLACES, WorkerAccount
from annotation.crowd.market.models_work import (
    AssignmentStatus,
    EntryKind,
    MarketAssignment,
    MarketEntry,
)
from annotation.statements import fetch_all
from scoring.io.cells import defuse, row_line

EARNED = [EntryKind.REWARD, EntryKind.BONUS]
NOTHING = Decimal(0)
COLUMNS = (
    *("worker_id", "name", "email", "country", "requester", "project", "campaign"),
    *("earned", "paid_out", "owed", "last_entry"),
)


@dataclass(frozen=True, slots=True)
class Earnings:
    """In US dollars. Rewards and bonuses leave a requester's balance, so entries are negative."""

    rewards: Decimal
    bonuses: Decimal
    paid_out: Decimal
    # Of work that was sent, and that nobody has decided on yet.
    pending: Decimal

    @property
    def earned(self) -> Decimal:
        return self.rewards + self.bonuses

    @property
    def owed(self) -> Decimal:
        return self.earned - self.paid_out


def get_earnings(worker: WorkerAccount) -> Earnings:
    rows = worker.entries.order_by().values_list("kind").annotate(Sum("amount"))
    sums = dict(rows)
    waiting = worker.assignments.filter(status=AssignmentStatus.SUBMITTED)
    return Earnings(
        -sums.get(EntryKind.REWARD, NOTHING),
        -sums.get(EntryKind.BONUS, NOTHING),
        sums.get(EntryKind.PAYOUT, NOTHING),
        waiting.aggregate(sum=Sum("hit__hit_type__reward"))["sum"] or NOTHING,
    )


def list_days(worker: WorkerAccount) -> list[tuple[date, Decimal]]:
    """What each day brought, latest first."""
    rows = worker.entries.filter(kind__in=EARNED).order_by()
    sums = rows.annotate(day=TruncDate("at")).values_list("day").annotate(total=Sum("amount"))
    return [(day, -total) for day, total in sums.order_by("-day")]


def list_payouts(worker: WorkerAccount) -> QuerySet[MarketEntry]:
    return worker.entries.filter(kind=EntryKind.PAYOUT).order_by("-pk")


@dataclass(frozen=True, slots=True)
class Share:
    """What a worker earned by one campaign of one requester, and how much of it was paid out.

    Payouts count against the oldest earnings first, so that what is owed adds up by any of these.
    """

    requester: str
    project: str
    campaign: str
    earned: Decimal
    paid_out: Decimal

    @property
    def owed(self) -> Decimal:
        return self.earned - self.paid_out

    @property
    def source(self) -> tuple[str, str, str]:
        return self.requester, self.project, self.campaign


@dataclass(frozen=True, slots=True)
class Account:
    """A worker as the operator's books have them."""

    worker: WorkerAccount
    shares: list[Share]
    last_entry: str

    @property
    def earned(self) -> Decimal:
        return sum((share.earned for share in self.shares), NOTHING)

    @property
    def paid_out(self) -> Decimal:
        return sum((share.paid_out for share in self.shares), NOTHING)

    @property
    def owed(self) -> Decimal:
        return self.earned - self.paid_out


def list_accounts() -> list[Account]:
    """Everybody who has an entry, by worker id."""
    shares = _list_shares()
    rows = (
        WorkerAccount.objects.select_related("user")
        .filter(entries__isnull=False)
        .annotate(last=Max("entries__at"))
        .order_by("worker_id")
    )
    return [Account(row, shares[row.pk], row.last.isoformat(timespec="seconds")) for row in rows]


def list_payers(accounts: Iterable[Account]) -> list[Share]:
    """What workers earned and are owed, by requester, project and campaign."""
    sums: dict[tuple[str, str, str], list[Decimal]] = defaultdict(lambda: [NOTHING, NOTHING])
    for share in (share for account in accounts for share in account.shares):
        sums[share.source][0] += share.earned
        sums[share.source][1] += share.paid_out
    return [Share(*source, *sums[source]) for source in sorted(sums)]


# `until` is what the worker had earned up to an entry and with it, so that the part of it which
# `paid` covers is known row by row.
_SHARES = """
    WITH earned AS (
        SELECT e.id, e.worker_id, e.requester_id, -e.amount AS amount,
            SUM(-e.amount) OVER (PARTITION BY e.worker_id ORDER BY e.id) AS until,
            (
                SELECT MIN(ch.campaign_id) FROM crowd_hit ch
                WHERE ch.provider_id = h.hit_id AND ch.provider_id <> ''
            ) AS campaign_id
        FROM crowd_marketentry e
        LEFT JOIN crowd_marketassignment a ON a.id = e.assignment_id
        LEFT JOIN crowd_markethit h ON h.id = a.hit_id
        WHERE e.kind IN ('reward', 'bonus') AND e.worker_id IS NOT NULL
    ), paid AS (
        SELECT worker_id, SUM(amount) AS amount FROM crowd_marketentry
        WHERE kind = 'payout' GROUP BY worker_id
    )
    SELECT earned.worker_id, r.name, COALESCE(p.name, ''), COALESCE(c.name, ''),
        SUM(earned.amount),
        SUM(CASE
            WHEN earned.until <= COALESCE(paid.amount, 0) THEN earned.amount
            WHEN earned.until - earned.amount < COALESCE(paid.amount, 0)
            THEN COALESCE(paid.amount, 0) - (earned.until - earned.amount)
            ELSE 0 END),
        p.id
    FROM earned
    JOIN crowd_requester r ON r.id = earned.requester_id
    LEFT JOIN crowd_campaign c ON c.id = earned.campaign_id
    LEFT JOIN corpora_project p ON p.id = COALESCE(c.project_id, r.project_id)
    LEFT JOIN paid ON paid.worker_id = earned.worker_id
    GROUP BY earned.worker_id, r.id, r.name, p.id, p.name, c.id, c.name
    ORDER BY earned.worker_id, MIN(earned.id)
"""


def _list_shares() -> dict[int, list[Share]]:
    """By worker, in the order in which they first earned something."""
    found: dict[int, list[Share]] = defaultdict(list)
    for worker, requester, project, campaign, earned, paid, _ in fetch_all(_SHARES):
        share = Share(requester, project, campaign, _dollars(earned), _dollars(paid))
        found[worker].append(share)
    return found


def sum_owed(project: Project) -> Decimal:
    """What workers are still owed for the work of a project."""
    rows = [row for row in fetch_all(_SHARES) if row[-1] == project.pk]
    return sum((_dollars(earned) - _dollars(paid) for *_, earned, paid, _ in rows), NOTHING)


def list_undecided(project: Project) -> QuerySet[MarketAssignment]:
    """Work for a project that may still be paid for: in progress, or submitted and not decided."""
    published = Hit.objects.filter(campaign__project=project).exclude(provider_id="")
    rows = MarketAssignment.objects.filter(
        status__in=[AssignmentStatus.ACCEPTED, AssignmentStatus.SUBMITTED]
    )
    return rows.filter(
        Q(hit__requester__project=project) | Q(hit__hit_id__in=published.values("provider_id"))
    )


def _dollars(stored: Decimal | int) -> Decimal:
    """A sum of `Money` as the database adds it up."""
    return Decimal(stored).scaleb(-PLACES)


def stream_payments() -> Iterator[str]:
    """A CSV file with a line per worker and campaign, safe to open in a spreadsheet."""
    yield row_line(*COLUMNS)
    for account in list_accounts():
        worker = account.worker
        names = (worker.worker_id, worker.user.name, worker.user.email, worker.country)
        for share in account.shares:
            sums = (f"{amount:.4f}" for amount in (share.earned, share.paid_out, share.owed))
            yield row_line(*map(defuse, (*names, *share.source)), *sums, account.last_entry)
