"""What workers earned, were paid, and are owed. Read off the books, which only ever grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Max, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from annotation.crowd.models import EntryKind, MarketEntry, WorkerAccount
from scoring.io.cells import defuse, row_line

EARNED = [EntryKind.REWARD, EntryKind.BONUS]
NOTHING = Decimal(0)
COLUMNS = ("worker_id", "name", "email", "country", "earned", "paid_out", "owed", "last_entry")


@dataclass(frozen=True, slots=True)
class Earnings:
    """In US dollars. Rewards and bonuses leave a requester's balance, so entries are negative."""

    rewards: Decimal
    bonuses: Decimal
    paid_out: Decimal

    @property
    def earned(self) -> Decimal:
        return self.rewards + self.bonuses

    @property
    def owed(self) -> Decimal:
        return self.earned - self.paid_out


def get_earnings(worker: WorkerAccount) -> Earnings:
    rows = worker.entries.order_by().values_list("kind").annotate(Sum("amount"))
    sums = dict(rows)
    return Earnings(
        -sums.get(EntryKind.REWARD, NOTHING),
        -sums.get(EntryKind.BONUS, NOTHING),
        sums.get(EntryKind.PAYOUT, NOTHING),
    )


def list_days(worker: WorkerAccount) -> list[tuple[date, Decimal]]:
    """What each day brought, latest first."""
    rows = worker.entries.filter(kind__in=EARNED).order_by()
    sums = rows.annotate(day=TruncDate("at")).values_list("day").annotate(total=Sum("amount"))
    return [(day, -total) for day, total in sums.order_by("-day")]


def list_payouts(worker: WorkerAccount) -> QuerySet[MarketEntry]:
    return worker.entries.filter(kind=EntryKind.PAYOUT).order_by("-pk")


@dataclass(frozen=True, slots=True)
class Account:
    """A worker as the operator's books have them."""

    worker: WorkerAccount
    earned: Decimal
    paid_out: Decimal
    last_entry: str

    @property
    def owed(self) -> Decimal:
        return self.earned - self.paid_out


def list_accounts() -> Iterator[Account]:
    """Everybody who has an entry, by worker id."""
    rows = (
        WorkerAccount.objects.select_related("user")
        .filter(entries__isnull=False)
        .annotate(
            earned=Sum("entries__amount", filter=Q(entries__kind__in=EARNED)),
            paid=Sum("entries__amount", filter=Q(entries__kind=EntryKind.PAYOUT)),
            last=Max("entries__at"),
        )
        .order_by("worker_id")
    )
    for row in rows:
        earned, paid = -(row.earned or NOTHING), row.paid or NOTHING
        yield Account(row, earned, paid, row.last.isoformat(timespec="seconds"))


def stream_payments() -> Iterator[str]:
    """A CSV file, line by line, that is safe to open in a spreadsheet."""
    yield row_line(*COLUMNS)
    for account in list_accounts():
        worker = account.worker
        names = (worker.worker_id, worker.user.name, worker.user.email, worker.country)
        sums = (f"{amount:.4f}" for amount in (account.earned, account.paid_out, account.owed))
        yield row_line(*map(defuse, names), *sums, account.last_entry)
