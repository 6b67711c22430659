"""The built-in marketplace, called in this process.

A call over HTTP would need a free thread of this very server: a few pages that publish at once
would take all of them and wait for one another.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import Sum

from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.in_process import call_in_process
from annotation.crowd.market.money import deposit, fee_of
from annotation.crowd.models import Assignment, MarketEntry, Requester
from annotation.crowd.providers.mturk_wire import name_refusal
from annotation.crowd.providers.requester_api import RequesterApi
from annotation.origins import read_origin


class Marketplace(RequesterApi):
    """The project is the requester; a campaign's budget is what it has prepaid."""

    name: ClassVar[str] = "marketplace"

    def call(self, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        """As the project's requester: whoever may spend for the campaign was asked before."""
        try:
            return call_in_process(self._requester(), operation, params)
        except TurkError as error:
            raise name_refusal(error.turk_code, error.message, error.status) from error

    def submit_origins(self) -> list[str]:
        return [str(read_origin(settings.PUBLIC_URL))]

    def check(self) -> list[str]:
        """Always there: it is this server."""
        return []

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
