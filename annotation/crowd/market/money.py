"""A requester's prepaid budget: what is held for HITs that are out, and what was paid.

Every change is one conditional UPDATE of the requester's row, in the transaction of what it pays
for, beside an entry whose key can be written once. Callers change the assignment first, then the
worker, then the HIT, then come here: rows are always locked in that order.

- Money held for places of a HIT: more when places are added, less when nobody can take them.
"""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_UP, Decimal
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from annotation import clock
from annotation.access import require_staff
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.crowd.market.errors import insufficient_funds, invalid
from annotation.crowd.market.models_accounts import Requester, dollars
from annotation.crowd.market.models_work import (
    Bonus,
    EntryKind,
    MarketAssignment,
    MarketEntry,
    MarketHit,
)
from annotation.crowd.market.rows import patient
from annotation.errors import DomainError
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


SWEEP_SIZE = 200


def open_places(hit: MarketHit) -> int:
    """Places for which money must be there: taken and not decided, or free to be taken."""
    return hit.available + hit.pending + hit.submitted


def lock(hit: MarketHit) -> MarketHit:
    """The HIT as it is now, ours until the transaction ends."""
    rows = MarketHit.objects.select_related("hit_type").select_for_update(of=("self",))
    found: MarketHit = rows.get(pk=hit.pk)
    return found


def hold_places(hit: MarketHit, wanted: int) -> None:
    """Hold money for `wanted` places in all; the HIT must be locked."""
    missing = wanted - hit.held_places
    if missing <= 0:
        return
    MarketHit.objects.filter(pk=hit.pk).update(held_places=wanted)
    hold(hit.requester_id, missing * hit.place_cost)


def release_unused(hit: MarketHit, now: datetime) -> None:
    """Give back what is held for places that can't be taken any more; the HIT must be locked."""
    if hit.expires_at > now and not hit.is_deleted:
        return
    needed = hit.pending + hit.submitted
    if hit.held_places > needed:
        MarketHit.objects.filter(pk=hit.pk).update(held_places=needed)
        release(hit.requester_id, (hit.held_places - needed) * hit.place_cost)


def release_expired(now: datetime) -> None:
    """The sweep: HITs that ran out and hold more than is out."""
    # The first condition is that of the index, so that only such HITs are looked at.
    held = MarketHit.objects.filter(held_places__gt=0, expires_at__lte=now)
    idle = held.filter(held_places__gt=F("pending") + F("submitted"))
    for hit in idle.order_by("expires_at")[:SWEEP_SIZE]:
        _release(hit)


@patient
@transaction.atomic
def _release(hit: MarketHit) -> None:
    release_unused(lock(hit), clock.now())
