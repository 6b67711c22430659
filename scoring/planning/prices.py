"""What people's work costs: HITs with their fees in money, and the writing of SCUs in hours."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from scoring.errors import InputError
from scoring.translation import gettext as _

# No publication says how long writing takes. Until a study has timed its own writers, half a minute
# an SCU is assumed, and an SCU for every 4.5 words of a reference (REALSumm 4.7, PyrXSum 4.3).
MINUTES_PER_SCU = 0.5
WORDS_PER_SCU = 4.5
MINUTES_PER_WORD = MINUTES_PER_SCU / WORDS_PER_SCU
CENT = Decimal("0.01")
REWARD, FEE_RATE, FEE_RATE_OF_MANY = Decimal("0.15"), Decimal("0.20"), Decimal("0.40")
UNITS_PER_HIT = 16


@dataclass(frozen=True, slots=True)
class Prices:
    """Reward of an assignment, and what the market takes on top of each.

    As Mechanical Turk does unless told otherwise: a fifth, two fifths where a HIT has ten
    assignments or more, and at least a cent.
    """

    reward: Decimal = REWARD
    fee_rate: Decimal = FEE_RATE
    fee_rate_of_many: Decimal = FEE_RATE_OF_MANY
    many: int = 10
    least_fee: Decimal = CENT
    units_per_hit: int = UNITS_PER_HIT

    def __post_init__(self) -> None:
        rates = (self.reward, self.fee_rate, self.fee_rate_of_many, self.least_fee)
        if any(not isinstance(rate, Decimal) or not rate >= 0 for rate in rates):
            raise InputError(_("Rewards and fees must be decimal numbers of 0 or more."))
        if self.units_per_hit < 1 or self.many < 1:
            raise InputError(_("A HIT needs at least 1 unit."))

    def fee(self, judges: int) -> Decimal:
        """On top of one assignment of a HIT that has so many."""
        rate = self.fee_rate_of_many if judges >= self.many else self.fee_rate
        return max(self.reward * rate, self.least_fee) if self.reward else Decimal(0)

    def hits(self, units: int) -> int:
        """HITs that a summary takes, if so many units are looked for in it."""
        return -(-units // self.units_per_hit)


@dataclass(frozen=True, slots=True)
class Quote:
    """What a collection costs, to the cent; `hours` are writers'."""

    summaries: int
    hits: int
    assignments: int
    rewards: Decimal
    fees: Decimal
    hours: float = 0.0

    @property
    def total(self) -> Decimal:
        return self.rewards + self.fees

    def to_json(self) -> dict[str, Any]:
        """Money as text, so that no digit is lost."""
        found = asdict(self) | {"total": self.total}
        return {
            name: str(value) if isinstance(value, Decimal) else value
            for name, value in found.items()
        }


def price_hits(prices: Prices, summaries: int, hits: int, judges: int) -> Quote:
    """So many HITs, each for so many judges."""
    if min(summaries, hits) < 0 or judges < 1:
        raise InputError(
            _("A HIT needs at least 1 judge, and the number of HITs must be 0 or more.")
        )
    assignments = hits * judges
    return Quote(
        summaries, hits, assignments, prices.reward * assignments, prices.fee(judges) * assignments
    )
