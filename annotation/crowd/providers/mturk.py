"""An endpoint elsewhere that speaks the MTurk Requester API, by boto3."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.crowd.providers.base import ProviderError, Unsure
from annotation.crowd.providers.mturk_wire import make_client, run_operation, wait_out
from annotation.crowd.providers.requester_api import MANY, RequesterApi

# MTurk takes a fifth, and another fifth from ten assignments on.
FEE = Decimal("0.20")
FEE_OF_MANY = Decimal("0.40")
LEAST_FEE = Decimal("0.01")


class MTurk(RequesterApi):
    """One campaign at one endpoint."""

    name: ClassVar[str] = "mturk"

    @property
    def client(self) -> Any:
        """With the keys that boto3 finds in the environment."""
        return make_client(str(settings.MTURK_ENDPOINT_URL))

    def call(self, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        client = self.client
        return wait_out(lambda: run_operation(client, operation, params))

    def submit_origins(self) -> list[str]:
        return list(settings.MTURK_SUBMIT_ORIGINS)

    def check(self) -> list[str]:
        if not settings.MTURK_ENDPOINT_URL:
            return [_("No endpoint is set. Set MTURK_ENDPOINT_URL or choose the marketplace.")]
        try:
            self.balance()
        except (ProviderError, Unsure) as error:
            return [
                _("{mturk_endpoint_url} doesn't respond as expected: {error}").format(
                    mturk_endpoint_url=settings.MTURK_ENDPOINT_URL, error=error.message
                )
            ]
        return []

    def fee(self, reward: Decimal, assignments: int) -> Decimal:
        share = FEE_OF_MANY if assignments >= MANY else FEE
        return max(reward * share, LEAST_FEE)

    def bonus_fee(self, amount: Decimal) -> Decimal:
        return max(amount * FEE, LEAST_FEE)
