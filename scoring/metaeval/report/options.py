"""What a report is asked: how often to resample, from which seed, and how few systems will do."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from scoring.errors import InputError
from scoring.metaeval.draws import BY_BOTH, Resampling
from scoring.metaeval.intervals import COVERAGE
from scoring.metaeval.study import EVERY, check_inputs
from scoring.montecarlo import limit_swaps
from scoring.translation import gettext as _

RESAMPLES = 1000
MOST_RESAMPLES = 10_000
MOST_SEED = 2**32 - 1
# Fewer systems of a kind have no figure of their own.
LEAST_SYSTEMS = 5
# A correlation of two systems is 1 or −1 whatever they are.
LEAST_RANKED = 3


@dataclass(frozen=True, slots=True)
class ReportOptions:
    resamples: int = RESAMPLES
    seed: int = 0
    coverage: float = COVERAGE
    inputs: str = EVERY
    least_systems: int = LEAST_SYSTEMS
    # Metrics in which less is better: their scores count negated.
    lower: tuple[str, ...] = ()
    # Permutation tests stop when their verdicts are settled, or after so many swaps.
    swaps: int | None = None

    def __post_init__(self) -> None:
        check_inputs(self.inputs)
        for name, value, least, most in (
            ("resamples", self.resamples, 1, MOST_RESAMPLES),
            ("seed", self.seed, 0, MOST_SEED),
            ("least_systems", self.least_systems, 3, 1000),
        ):
            if not least <= value <= most:
                raise InputError(
                    _("{name}: expected {least} to {most:,}, not {value}.").format(
                        name=name, least=least, most=most, value=value
                    )
                )

    @property
    def resampling(self) -> Resampling:
        return Resampling(BY_BOTH, self.resamples, self.seed, self.coverage)

    def limit_swaps(self, metrics: int) -> int:
        return self.swaps or limit_swaps(metrics * (metrics - 1) // 2)

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"lower": list(self.lower)}
