"""The built-in marketplace, called in this process.

A call over HTTP would need a free thread of this very server: a few pages that publish at once
would take all of them and wait for one another.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.in_process import call_in_process
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.money import fee_of
from annotation.crowd.market.requesters import get_project_requester
from annotation.crowd.providers.mturk_wire import name_refusal
from annotation.crowd.providers.requester_api import RequesterApi
from annotation.crowd.requesters.queries import find_payer
from annotation.origins import read_origin


class Marketplace(RequesterApi):
    """The project is the requester. Staff prepay for it; a campaign only spends what is there."""

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

    def find_shortage(self, cost: Decimal) -> str:
        """What the prepaid budget lacks for this, in words; only staff can add to it."""
        requester = find_payer(self.campaign)  # asking what it costs creates nobody
        payer = requester or self.campaign.project
        available = requester.available if requester else Decimal(0)
        missing = cost - available
        if missing <= 0:
            return ""
        return _(
            "This costs up to ${cost:,.2f}, but the prepaid budget of {payer} has only "
            "${available:,.2f} available. Ask staff to add ${missing:,.2f}."
        ).format(cost=cost, payer=payer, available=available, missing=missing)

    def _requester(self) -> Requester:
        return get_project_requester(project=self.campaign.project)
