"""Recording that a worker was paid outside of Giza, which moves no money itself."""

from __future__ import annotations

from decimal import Decimal

from django.db import IntegrityError, transaction

from annotation.crowd.models import EntryKind, MarketEntry, WorkerAccount
from annotation.crowd.selectors.payments import get_earnings
from annotation.errors import DomainError, Invalid
from annotation.translation import gettext as _


def record_payout(
    *, worker: WorkerAccount, amount: Decimal, key: str, note: str = ""
) -> MarketEntry:
    """Write the payout once per key, and never more than is owed."""
    if amount <= 0:
        raise Invalid(_("A payout must be more than $0."))
    full_key = f"payout:{worker.pk}:{key}"
    try:
        with transaction.atomic():
            # Payouts of one worker wait for each other, so that the sum they see is the sum.
            locked = WorkerAccount.objects.select_for_update().get(pk=worker.pk)
            known = MarketEntry.objects.filter(key=full_key).first()
            return known or _write(locked, amount, full_key, note)
    except IntegrityError:
        return MarketEntry.objects.get(key=full_key)


def _write(worker: WorkerAccount, amount: Decimal, key: str, note: str) -> MarketEntry:
    owed = get_earnings(worker).owed
    if amount > owed:
        raise DomainError(
            _("{worker} is owed ${owed:.2f}, which is less than ${amount:.2f}.").format(
                worker=worker, owed=owed, amount=amount
            ),
            _("Reload the list: somebody may already have recorded this payout."),
        )
    return MarketEntry.objects.create(
        worker=worker, kind=EntryKind.PAYOUT, key=key, amount=amount, note=note
    )
