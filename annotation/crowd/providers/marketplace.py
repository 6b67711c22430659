"""The built-in marketplace: the MTurk client pointed at our own endpoint."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.db.models import Sum

from annotation.crowd.market.money import deposit, fee_of
from annotation.crowd.models import Assignment, MarketEntry, Requester, RequesterKey
from annotation.crowd.providers.mturk import MTurk
from annotation.origins import read_origin


class Marketplace(MTurk):
    """The project is the requester; a campaign's budget is what it has prepaid."""

    name: ClassVar[str] = "marketplace"

    def endpoint(self) -> str:
        return str(settings.MARKET_URL)

    def credentials(self) -> tuple[str | None, str | None]:
        key = self._requester().keys.first()
        if key is None:
            key = RequesterKey.objects.create(requester=self._requester())
        return key.access_key, key.secret

    def submit_origins(self) -> list[str]:
        addresses = (settings.PUBLIC_URL, settings.MARKET_URL)
        return list(dict.fromkeys(str(read_origin(url)) for url in addresses))

    def fee(self, reward: Decimal, assignments: int) -> Decimal:
        return fee_of(reward)

    def bonus_fee(self, amount: Decimal) -> Decimal:
        return fee_of(amount)

    def prepare(self) -> None:
        self.fund()
        super().prepare()

    def send_bonus(self, assignment: Assignment, amount: Decimal, reason: str, token: str) -> None:
        """The budget may have been raised since the HITs went out."""
        self.fund()
        super().send_bonus(assignment, amount, reason, token)

    def approve(self, assignment: Assignment, feedback: str, *, override: bool = False) -> None:
        if override:
            self.fund()
        super().approve(assignment, feedback, override=override)

    def fund(self) -> None:
        """Prepay up to the campaign's budget: each raise of it is one deposit."""
        prefix = f"campaign:{self.campaign.token}:"
        paid_in = MarketEntry.objects.filter(key__startswith=prefix)
        missing = self.campaign.budget - (paid_in.aggregate(sum=Sum("amount"))["sum"] or 0)
        if missing > 0:
            deposit(
                requester=self._requester(),
                amount=missing,
                key=f"{prefix}{self.campaign.budget}",
                note=f"Budget of {self.campaign.name}"[:200],
            )

    def _requester(self) -> Requester:
        project = self.campaign.project
        requester, _ = Requester.objects.get_or_create(
            project=project, defaults={"name": project.name}
        )
        return requester
