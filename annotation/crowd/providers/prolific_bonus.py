"""Bonuses on Prolific, where asking twice pays twice: written down before the call, never repeated.

A batch is set up first, which costs nothing; its id and the moment are kept before it is paid.
Should the answer be lost, the bonus stays unclear until it shows among the submission's payments.
"""

from __future__ import annotations

from decimal import Decimal

from annotation import clock
from annotation.crowd.models import ProlificBonus
from annotation.crowd.providers.base import NotReachable, ProviderError, Unsure
from annotation.crowd.providers.prolific_client import ProlificClient
from annotation.crowd.providers.prolific_study import to_cents
from annotation.translation import gettext as _


def send(
    client: ProlificClient, study_id: str, session_id: str, amount: Decimal, token: str
) -> None:
    row, __ = ProlificBonus.objects.get_or_create(
        token=token, defaults={"session_id": session_id, "cents": to_cents(amount)}
    )
    if row.paid_at is not None:
        return
    if not row.batch_id:
        row.batch_id = client.prepare_bonuses(study_id, f"{session_id},{amount:.2f}")
        ProlificBonus.objects.filter(pk=row.pk).update(batch_id=row.batch_id)
    _claim(row)
    try:
        client.pay_bonuses(row.batch_id)
    except (ProviderError, NotReachable):
        # Certainly not paid, so that it may be asked for again.
        ProlificBonus.objects.filter(pk=row.pk).update(asked_at=None)
        raise
    ProlificBonus.objects.filter(pk=row.pk).update(paid_at=clock.now())


def _claim(row: ProlificBonus) -> None:
    """Whoever writes the moment may pay; nobody else does, and nobody again."""
    free = ProlificBonus.objects.filter(pk=row.pk, asked_at=None, batch_id=row.batch_id)
    if not free.update(asked_at=clock.now()):
        raise Unsure(
            _("This bonus was already requested, and Prolific hasn't confirmed it."),
            _("Check the participant's payments on Prolific."),
        )


def find(client: ProlificClient, token: str) -> bool | None:
    """Paid, not paid, or None: payments show up there minutes later, so absence tells nothing."""
    row = ProlificBonus.objects.filter(token=token).first()
    if row is None or row.asked_at is None:
        return False
    if row.paid_at is not None or _is_listed(client, row):
        ProlificBonus.objects.filter(pk=row.pk, paid_at=None).update(paid_at=clock.now())
        return True
    return None


def _is_listed(client: ProlificClient, row: ProlificBonus) -> bool:
    """Whether the submission shows one payment more of this amount than we know of."""
    shown = client.get_submission(row.session_id).get("bonus_payments") or []
    known = ProlificBonus.objects.filter(
        session_id=row.session_id, cents=row.cents, paid_at__isnull=False
    )
    return shown.count(row.cents) > known.count()
