"""Williams' test: whether one metric's Pearson r with people is higher than another's.

Two metrics on the same systems are not independent, and the test takes their own correlation into
account (Williams 1959; Graham & Baldwin 2014; Bhandari et al. 2020, §4.1, figure 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from scoring.metaeval.correlation import pearson
from scoring.metaeval.levels import SYSTEM
from scoring.metaeval.study import JUDGED, Study, mean_scores, pair_scores
from scoring.multiplicity import adjust_known, benjamini_hochberg, holm

PEARSON = "pearson"


@dataclass(frozen=True, slots=True)
class Williams:
    """`first` is the metric of the two that correlates higher with people.

    `p_one_sided` is for "the first correlates higher", the authors' question; `p_two_sided` for
    "they differ". `_holm` and `_bh` hold for all pairs of metrics together. `q` is the size of the
    effect, Cohen's q (1988): the difference of the two r after Fisher's transformation.
    """

    first: str
    second: str
    r_first: float
    r_second: float
    r_between: float
    systems: int
    t: float
    p_one_sided: float
    p_two_sided: float
    level: str = SYSTEM
    measure: str = PEARSON
    p_one_sided_holm: float = math.nan
    p_one_sided_bh: float = math.nan
    p_two_sided_holm: float = math.nan
    p_two_sided_bh: float = math.nan
    q: float = math.nan


def williams_t(first: float, second: float, between: float, count: int) -> float:
    """t with count − 3 degrees of freedom; nan where there are too few or nothing is left over.

    `first` and `second` are two metrics' correlations with people, `between` their own.
    """
    if count <= 3:
        return math.nan
    rest = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    middle = ((first + second) / 2) ** 2 * (1 - between) ** 3
    below = 2 * rest * (count - 1) / (count - 3) + middle
    if not below > 0:
        return math.nan
    return (first - second) * math.sqrt((count - 1) * (1 + between) / below)


def williams_test(study: Study, first: str, second: str, *, inputs: str = JUDGED) -> Williams:
    """Two metrics on the system level; the higher of them is put first."""
    from scipy import special  # takes a while, and a server seldom needs it

    means, people = [], []
    for metric in (first, second):
        one, two = (mean_scores(table) for table in pair_scores(study, metric, inputs=inputs))
        means.append(one)
        people.append(two)
    known = ~np.isnan(np.stack([*means, *people])).any(axis=0)
    count = int(known.sum())
    pairs = zip(means, people, strict=True)
    high, low = (pearson(one[known], two[known]) for one, two in pairs)
    between = pearson(means[0][known], means[1][known])
    if low > high:
        first, second, high, low = second, first, low, high
    t = williams_t(high, low, between, count)
    one_sided = float(special.stdtr(count - 3, -t)) if count > 3 else math.nan
    two_sided = min(1.0, 2 * one_sided) if not math.isnan(one_sided) else math.nan
    q = math.atanh(high) - math.atanh(low) if max(abs(high), abs(low)) < 1 else math.nan
    return Williams(first, second, high, low, between, count, t, one_sided, two_sided, q=q)


def compare_by_williams(study: Study, *, inputs: str = JUDGED) -> list[Williams]:
    """Every pair of metrics, with p values that hold for all of them together."""
    found = [williams_test(study, *pair, inputs=inputs) for pair in combinations(study.metrics, 2)]
    one_sided, two_sided = (
        [getattr(row, name) for row in found] for name in ("p_one_sided", "p_two_sided")
    )
    adjusted = {
        "p_one_sided_holm": adjust_known(one_sided, holm),
        "p_one_sided_bh": adjust_known(one_sided, benjamini_hochberg),
        "p_two_sided_holm": adjust_known(two_sided, holm),
        "p_two_sided_bh": adjust_known(two_sided, benjamini_hochberg),
    }
    changes: list[dict[str, Any]] = [
        {name: float(values[place]) for name, values in adjusted.items()}
        for place in range(len(found))
    ]
    return [replace(row, **change) for row, change in zip(found, changes, strict=True)]
