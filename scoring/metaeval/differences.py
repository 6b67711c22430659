"""How much higher one metric's correlation with people is than another's, with its interval.

Both metrics are resampled together, so that what moves both alike cancels out. They are compared on
the cells that both scored, as permutation tests compare them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scoring.metaeval.bootstrap import Interval, Paired, Resampled, resample_all, stack_scores
from scoring.metaeval.draws import PLAIN, Resampling
from scoring.metaeval.levels import SKIP
from scoring.metaeval.study import JUDGED, Study
from scoring.metaeval.swaps import share_cells

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """`interval` is of the first metric's correlation less the second's."""

    first: str
    second: str
    interval: Interval


def bootstrap_differences(
    study: Study,
    *,
    level: str,
    measure: str = "kendall",
    policy: str = SKIP,
    inputs: str = JUDGED,
    resampling: Resampling = PLAIN,
) -> list[MetricDifference]:
    """Every pair of metrics; an interval without 0 holds for this pair alone."""

    def resample(paired: Paired) -> Resampled:
        return resample_all(paired, resampling, level=level, measures=(measure,), policy=policy)

    names = study.metrics
    tables = [study.scores[name] for name in names]
    # One resampling serves all pairs where all metrics score the same cells.
    is_alike = all(np.array_equal(np.isnan(tables[0]), np.isnan(table)) for table in tables[1:])
    shared = resample(stack_scores(study, inputs=inputs)) if is_alike and len(names) > 1 else None
    found = []
    for one, two in combinations(range(len(names)), 2):
        pair = names[one], names[two]
        own = shared or resample(_pair_up(study, *pair, inputs))
        columns = (one, two) if shared else (0, 1)
        said = f"{pair[0]} − {pair[1]}"
        found.append(MetricDifference(*pair, own.interval(said, measure, _less(*columns))))
    return found


def _pair_up(study: Study, first: str, second: str, inputs: str) -> Paired:
    one, two, people = share_cells(study, first, second, inputs)
    return Paired((first, second), np.stack([one, two]), people[None], study.judged)


def _less(one: int, two: int) -> Callable[[Floats], Floats]:
    return lambda table: table[:, one] - table[:, two]
