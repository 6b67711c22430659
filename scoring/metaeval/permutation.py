"""Whether two metrics differ in their correlation with people: their scores swapped at random.

PERM-INPUTS swaps the two metrics on whole inputs, PERM-SYSTEMS on whole systems, PERM-BOTH on
single summaries (Deutsch, Dror & Roth 2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scoring.metaeval.bootstrap import check_resampled
from scoring.metaeval.draws import RESAMPLES, check_method
from scoring.metaeval.levels import SYSTEM
from scoring.metaeval.rows import check_measures
from scoring.metaeval.study import JUDGED, Study
from scoring.metaeval.swaps import Swaps, make_swaps
from scoring.montecarlo import settle_tests
from scoring.multiplicity import benjamini_hochberg, holm


@dataclass(frozen=True, slots=True)
class Difference:
    """`difference` is the first metric's correlation less the second's.

    `p_one_sided` is for "the first correlates higher". `_holm` and `_bh` are two-sided p values
    that hold for all pairs of metrics together. `p_low` and `p_high` bound the two-sided p value
    that all possible swaps would give. `unsettled` names the corrections (`p` is none) under which
    more than the `swaps` that were made might change the verdict at .05.
    """

    first: str
    second: str
    level: str
    measure: str
    method: str
    difference: float
    p_one_sided: float
    p_two_sided: float
    p_two_sided_holm: float = float("nan")
    p_two_sided_bh: float = float("nan")
    p_low: float = float("nan")
    p_high: float = float("nan")
    swaps: int = 0
    unsettled: tuple[str, ...] = ()


def permutation_test(
    study: Study,
    first: str,
    second: str,
    *,
    method: str,
    level: str = SYSTEM,
    measure: str = "kendall",
    inputs: str = JUDGED,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Difference:
    """Two metrics by so many swaps; the data at hand count as one of them."""
    swaps = _make(study, [(first, second)], method, level, measure, inputs)
    [seen] = swaps.differences
    if np.isnan(seen):
        return Difference(first, second, level, measure, method, seen, seen, seen)
    counts = swaps.count(np.array([0]), resamples, np.random.default_rng(seed))
    two_sided, one_sided = ((1 + int(count[0])) / (1 + resamples) for count in counts)
    return Difference(
        first, second, level, measure, method, float(seen), one_sided, two_sided, swaps=resamples
    )


def compare_metrics(
    study: Study,
    *,
    method: str,
    level: str = SYSTEM,
    measure: str = "kendall",
    inputs: str = JUDGED,
    most: int | None = None,
    seed: int = 0,
) -> list[Difference]:
    """Every pair of metrics, with Holm's and Benjamini–Hochberg's p values for all together.

    Pairs are swapped until their verdicts are settled; *most* is the limit, by default as many as
    `limit_swaps` says.
    """
    names = list(combinations(study.metrics, 2))
    if not names:
        return []
    swaps = _make(study, names, method, level, measure, inputs)
    known = np.flatnonzero(~np.isnan(swaps.differences))
    rng = np.random.default_rng(seed)
    higher = np.zeros(len(known), dtype=np.int64)

    def count(active: NDArray[np.intp], number: int) -> NDArray[np.int64]:
        as_far, as_high = swaps.count(known[active], number, rng)
        higher[active] += as_high
        return as_far

    found = settle_tests(count, len(known), most=most)
    figures = zip(
        ((1 + higher) / (1 + found.swaps)).tolist(),
        found.p.tolist(),
        holm(found.p).tolist(),
        benjamini_hochberg(found.p).tolist(),
        found.low.tolist(),
        found.high.tolist(),
        found.swaps.tolist(),
        map(found.list_unsettled, range(len(known))),
        strict=True,
    )
    tested = dict(zip(known.tolist(), figures, strict=True))
    rows = []
    for place, pair in enumerate(names):
        nothing = (float("nan"), float("nan"))
        seen = float(swaps.differences[place])
        rows.append(Difference(*pair, level, measure, method, seen, *tested.get(place, nothing)))
    return rows


def _make(
    study: Study,
    names: list[tuple[str, str]],
    method: str,
    level: str,
    measure: str,
    inputs: str,
) -> Swaps:
    check_method(method)
    check_resampled(level)
    check_measures([measure])
    return make_swaps(study, names, method=method, level=level, measure=measure, inputs=inputs)
