"""Whether two metrics differ in their correlation with people: their scores swapped at random.

PERM-INPUTS swaps the two metrics on whole inputs, PERM-SYSTEMS on whole systems, PERM-BOTH on
single summaries (Deutsch, Dror & Roth 2021). Both metrics are standardised first, for scores on
different scales can't change places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.bootstrap import check_resampled
from scoring.metaeval.correlation import ROUNDING
from scoring.metaeval.draws import BY_BOTH, BY_INPUTS, BY_SYSTEMS, RESAMPLES, check_method
from scoring.metaeval.levels import SYSTEM
from scoring.metaeval.rows import check_measures, correlate_rows, steps
from scoring.metaeval.study import EVERY, JUDGED, Study, check_inputs, mean_scores
from scoring.multiplicity import adjust_known, benjamini_hochberg, holm

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Difference:
    """`difference` is the first metric's correlation less the second's.

    `p_one_sided` is for "the first correlates higher". `_holm` and `_bh` are two-sided p values
    that hold for all pairs of metrics together.
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
    """Two metrics on the cells that both scored; the swap at hand counts as one of them."""
    check_method(method)
    check_resampled(level)
    check_measures([measure])
    one, two, people = _three(study, first, second, inputs)
    seen = _difference(one, two, people, level, measure)
    rng = np.random.default_rng(seed)
    parts = _swapped(one, two, people, method, level, measure, resamples, rng)
    drawn = np.concatenate(list(parts))
    if np.isnan(seen):
        return Difference(first, second, level, measure, method, *[float("nan")] * 3)
    higher = int((drawn >= seen - ROUNDING).sum())
    as_far = int((np.abs(drawn) >= abs(seen) - ROUNDING).sum())
    p_values = [(1 + count) / (1 + resamples) for count in (higher, as_far)]
    return Difference(first, second, level, measure, method, float(seen), *p_values)


def enough_swaps(pairs: int) -> int:
    """So many that the smallest p value, 1 / (swaps + 1), is below 0.025 after Holm."""
    return max(RESAMPLES, 40 * pairs)


def compare_metrics(
    study: Study,
    *,
    method: str,
    level: str = SYSTEM,
    measure: str = "kendall",
    inputs: str = JUDGED,
    resamples: int | None = None,
    seed: int = 0,
) -> list[Difference]:
    """Every pair of metrics, with Holm's and Benjamini–Hochberg's p values for all together.

    Unless told, as many swaps are made as `enough_swaps` says.
    """
    pairs = list(combinations(study.metrics, 2))
    resamples = resamples or enough_swaps(len(pairs))
    found = [
        permutation_test(
            study,
            *pair,
            method=method,
            level=level,
            measure=measure,
            inputs=inputs,
            resamples=resamples,
            seed=seed,
        )
        for pair in pairs
    ]
    p_values = [row.p_two_sided for row in found]
    adjusted = zip(
        found, adjust_known(p_values, holm), adjust_known(p_values, benjamini_hochberg), strict=True
    )
    return [
        replace(row, p_two_sided_holm=float(one), p_two_sided_bh=float(two))
        for row, one, two in adjusted
    ]


def _three(study: Study, first: str, second: str, inputs: str) -> tuple[Floats, Floats, Floats]:
    """Both metrics standardised on the cells that count, and people's scores."""
    check_inputs(inputs)
    for name in (first, second):
        if name not in study.metrics:
            raise InputError(f"No metric is called '{name}'. Known: {', '.join(study.metrics)}.")
    one, two, people = study.scores[first], study.scores[second], study.people
    missing = np.isnan(one) | np.isnan(two)
    if inputs != EVERY:
        missing |= np.isnan(people)
        people = np.where(missing, np.nan, people)
    return _standardised(one, missing), _standardised(two, missing), people


def _standardised(scores: Floats, missing: Flags) -> Floats:
    known = scores[~missing]
    spread = float(known.std()) if len(known) else 0.0
    centre = float(known.mean()) if len(known) else 0.0
    return np.where(missing, np.nan, (scores - centre) / (spread or 1.0))


def _difference(one: Floats, two: Floats, people: Floats, level: str, measure: str) -> float:
    found = _correlations(np.stack([one, two]), people, level, measure)
    return float(found[0] - found[1])


def _correlations(tables: Floats, people: Floats, level: str, measure: str) -> Floats:
    """Of tables with any number of axes before systems × inputs."""
    if level == SYSTEM:
        means = mean_scores(tables)
        return correlate_rows(means, mean_scores(people), [measure])[measure]
    rows = np.moveaxis(tables, -1, -2)
    return mean_scores(correlate_rows(rows, people.T, [measure], slack=0.0)[measure])


def _swapped(
    one: Floats,
    two: Floats,
    people: Floats,
    method: str,
    level: str,
    measure: str,
    resamples: int,
    rng: np.random.Generator,
) -> Iterator[Floats]:
    """The difference under each random swap."""
    systems, width = one.shape
    if level == SYSTEM:
        cells = systems * (width if method == BY_BOTH else systems) + width
        for part in steps(resamples, cells):
            bits = _bits(part, method, one.shape, rng)
            yield _of_means(one, two, people, bits, method, measure)
        return
    for part in steps(resamples, systems * systems * width):
        bits = _bits(part, method, one.shape, rng)
        swap = np.broadcast_to(_over_cells(bits, method), (len(bits), systems, width))
        found = [
            _correlations(np.where(swap, *pair), people, level, measure)
            for pair in ((two, one), (one, two))
        ]
        yield found[0] - found[1]


def _of_means(
    one: Floats, two: Floats, people: Floats, bits: Flags, method: str, measure: str
) -> Floats:
    """At the system level a swap moves sums: what goes to one metric comes from the other."""
    means = [mean_scores(table) for table in (one, two)]
    gaps = np.nan_to_num(two - one)
    counts = np.maximum((~np.isnan(one)).sum(axis=1), 1)
    if method == BY_INPUTS:
        moved = bits.astype(np.float64) @ gaps.T / counts
    elif method == BY_SYSTEMS:
        moved = bits * (gaps.sum(axis=1) / counts)
    else:
        moved = np.einsum("rsi,si->rs", bits.astype(np.float64), gaps) / counts
    judged = mean_scores(people)
    found = [
        correlate_rows(mean + shift, judged, [measure])[measure]
        for mean, shift in zip(means, (moved, -moved), strict=True)
    ]
    return found[0] - found[1]


def _bits(part: slice, method: str, shape: tuple[int, int], rng: np.random.Generator) -> Flags:
    systems, width = shape
    each = {BY_INPUTS: (width,), BY_SYSTEMS: (systems,), BY_BOTH: shape}[method]
    return rng.integers(2, size=(part.stop - part.start, *each), dtype=np.int8) == 1


def _over_cells(bits: Flags, method: str) -> Flags:
    if method == BY_INPUTS:
        return bits[:, None, :]
    return bits[:, :, None] if method == BY_SYSTEMS else bits
