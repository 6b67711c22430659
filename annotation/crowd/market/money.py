"""A requester's prepaid budget: what is held for HITs that are out, and what was paid.

Every change is one conditional UPDATE of the requester's row, in the transaction of what it pays
for, beside an entry whose key can be written once. Callers change the assignment first, then the
worker, then the HIT, then come here: rows are always locked in that order.
"""

from __future__ import annotations

from decimal import ROUND_UP, Decimal
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F

from annotation.access import require_staff
from annotation.corpora.models import User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.crowd.market.errors import insufficient_funds, invalid
from annotation.crowd.models import (
    Bonus,
    EntryKind,
    MarketAssignment,
    MarketEntry,
    Requester,
    dollars,
)
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

CENT = Decimal("0.01")
SMALLEST = Decimal("0.0001")
MOST = Decimal(10_000_000)
STAFF_ONLY = gettext_lazy("Only staff can add money to a budget.")
ASK_STAFF = gettext_lazy(
    "Ask them to add it. Tell them how much you need and where the money comes from."
)
# More than anybody can have, and still an integer that every database takes.
UNPAYABLE = Decimal(10**13)


def fee_of(amount: Decimal) -> Decimal:
    """What the marketplace takes on top of a reward or a bonus."""
    return (amount * Decimal(settings.MARKET_FEE)).quantize(SMALLEST, ROUND_UP)


def cost_of(amount: Decimal) -> Decimal:
    return amount + fee_of(amount)


def read_amount(name: str, text: str, *, least: Decimal = Decimal(0)) -> Decimal:
    """An amount as the API writes it: the service model has checked its pattern."""
    amount = Decimal(text)
    if not least <= amount <= MOST:
        raise invalid(
            name,
            _("must be {least:.2f} to {most:,.2f}.").format(least=least, most=MOST),
            "AWS.ParameterOutOfRange",
        )
    return amount


@transaction.atomic
def deposit(
    *,
    requester: Requester,
    amount: Decimal,
    note: str,
    user: User | None = None,
    key: str = "",
) -> MarketEntry:
    """Record a prepaid budget, and where the money came from; no money is moved.

    By staff, or by a command, which is nobody. The same key again deposits nothing more.
    """
    if user is not None:
        require_staff(user, STAFF_ONLY, ASK_STAFF)
    if amount.is_nan() or not CENT <= amount <= MOST:
        raise invalid("amount", _("must be {cent} to {most:,.2f}.").format(cent=CENT, most=MOST))
    if not note.strip():
        raise invalid("note", _("must say where the money came from."))
    entry, is_new = MarketEntry.objects.get_or_create(
        key=key or f"deposit:{uuid4()}",
        defaults={
            "requester": requester,
            "kind": EntryKind.DEPOSIT,
            "amount": amount,
            "note": note.strip()[:200],
            "created_by": user,
        },
    )
    if is_new:
        Requester.objects.filter(pk=requester.pk).update(balance=F("balance") + dollars(amount))
        _record_deposit(entry, requester, user)
    elif (entry.requester_id, entry.amount) != (requester.pk, amount):
        raise DomainError(
            _(
                "This form was already used for another amount or another budget, so nothing was "
                "added now."
            ),
            _("Reload the requester's page and fill in the form again."),
        )
    return entry


def _record_deposit(entry: MarketEntry, requester: Requester, user: User | None) -> None:
    project = requester.project
    text = _("added ${amount:,.2f} to the budget of {requester}: {note}").format(
        amount=entry.amount, requester=requester, note=entry.note
    )
    record_activity(project=project, actor=user, verb=Verb.CHANGE, target=project, text=text)


def hold(requester_id: int, cost: Decimal) -> None:
    """Promise money to places; refused if what is left does not cover it."""
    if not cost:
        return
    if cost > UNPAYABLE:
        raise insufficient_funds(cost)
    free = Requester.objects.filter(pk=requester_id, balance__gte=F("held") + dollars(cost))
    if not free.update(held=F("held") + dollars(cost)):
        raise insufficient_funds(cost)


def release(requester_id: int, cost: Decimal) -> None:
    if cost:
        Requester.objects.filter(pk=requester_id).update(held=F("held") - dollars(cost))


def pay_reward(assignment: MarketAssignment, *, is_held: bool) -> None:
    """Pay for one place, from what was held for it or else from what is left."""
    hit = assignment.hit
    reward = hit.hit_type.reward
    _take(hit.requester_id, hit.place_cost, is_held=is_held)
    _write(assignment, EntryKind.REWARD, f"reward:{assignment.assignment_id}", reward)
    _write(
        assignment,
        EntryKind.FEE,
        f"fee:{assignment.assignment_id}",
        hit.place_cost - reward,
    )


def pay_bonus(bonus: Bonus) -> None:
    fee = fee_of(bonus.amount)
    _take(bonus.requester_id, bonus.amount + fee, is_held=False)
    _write(bonus.assignment, EntryKind.BONUS, f"bonus:{bonus.pk}", bonus.amount, bonus.reason)
    _write(bonus.assignment, EntryKind.FEE, f"bonus-fee:{bonus.pk}", fee)


def _take(requester_id: int, cost: Decimal, *, is_held: bool) -> None:
    row = Requester.objects.filter(pk=requester_id)
    if is_held:
        row.update(balance=F("balance") - dollars(cost), held=F("held") - dollars(cost))
    elif cost and not row.filter(balance__gte=F("held") + dollars(cost)).update(
        balance=F("balance") - dollars(cost)
    ):
        raise insufficient_funds(cost)


def _write(
    assignment: MarketAssignment, kind: EntryKind, key: str, amount: Decimal, note: str = ""
) -> None:
    """Nothing is written of nothing; a key that exists is an error that undoes the payment."""
    if amount:
        MarketEntry.objects.create(
            requester_id=assignment.hit.requester_id,
            worker_id=assignment.worker_id,
            assignment=assignment,
            kind=kind,
            key=key,
            amount=-amount,
            note=note[:200],
        )
