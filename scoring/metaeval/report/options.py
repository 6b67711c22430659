"""What a report is asked: how often to resample, from which seed, and how few systems will do."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from scoring.errors import InputError
from scoring.metaeval.draws import BY_BOTH, Resampling
from scoring.metaeval.intervals import COVERAGE
from scoring.metaeval.study import EVERY, check_inputs

RESAMPLES = 1000
MOST_RESAMPLES = 10_000
MOST_SEED = 2**32 - 1
# Fewer systems of a kind have no figure of their own.
LEAST_SYSTEMS = 5
# Holm's correction multiplies the smallest p value by the number of tests: as many permutations for
# each test let it fall below .05.
PERMUTATIONS_PER_TEST = 25


@dataclass(frozen=True, slots=True)
class ReportOptions:
    resamples: int = RESAMPLES
    seed: int = 0
    coverage: float = COVERAGE
    inputs: str = EVERY
    least_systems: int = LEAST_SYSTEMS
    # Metrics in which less is better: their scores count negated.
    lower: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_inputs(self.inputs)
        for name, value, least, most in (
            ("resamples", self.resamples, 1, MOST_RESAMPLES),
            ("seed", self.seed, 0, MOST_SEED),
            ("least_systems", self.least_systems, 3, 1000),
        ):
            if not least <= value <= most:
                raise InputError(f"{name}: expected {least} to {most:,}, not {value}.")

    @property
    def resampling(self) -> Resampling:
        return Resampling(BY_BOTH, self.resamples, self.seed, self.coverage)

    def count_permutations(self, metrics: int) -> int:
        tests = metrics * (metrics - 1) // 2
        return max(self.resamples, tests * PERMUTATIONS_PER_TEST)

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"lower": list(self.lower)}
