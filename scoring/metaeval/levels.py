"""Correlation of a metric with people at a level that is always named.

`system`: of system means (Bhandari et al. 2020, equation 2; Deutsch et al. 2022, §2).
`summary`: across systems within each input, then the mean (Bhandari et al. 2020, equation 1).
`global`: over all cells at once.

An input on which either side is the same for all systems has no correlation. `skip` leaves it out
of the mean, `zero` counts it as 0, `nudge` does what the authors of Lite³Pyramid did: the first
system's value is raised by 1e-10. Correlation does not depend on how far, so that the raised
value is set apart exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.correlation import pearson
from scoring.metaeval.rows import MEASURES, check_measures, correlate_rows, is_constant
from scoring.metaeval.study import JUDGED, Study, mean_scores, pair_scores
from scoring.multiplicity import benjamini_hochberg, holm
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
SYSTEM, SUMMARY, GLOBAL = "system", "summary", "global"
LEVELS = (SYSTEM, SUMMARY, GLOBAL)
SKIP, ZERO, NUDGE = "skip", "zero", "nudge"
UNDEFINED = (SKIP, ZERO, NUDGE)
LEVEL_OF_TESTS = 0.05


@dataclass(frozen=True, slots=True)
class Correlation:
    """One metric's correlation with people; `undefined` inputs were treated as `policy` says.

    `count` is of what the figure is made: systems, inputs or cells, as the level says.
    """

    metric: str
    level: str
    measure: str
    value: float
    count: int
    undefined: int = 0
    policy: str = SKIP


@dataclass(frozen=True, slots=True)
class SignificantOnly:
    """The mean over inputs whose own correlation has p ≤ .05: biased, and the authors' figure.

    `holm` and `benjamini_hochberg` count the inputs that stay so when all of them are reckoned.
    """

    metric: str
    measure: str
    value: float
    inputs: int
    of: int
    holm: int
    benjamini_hochberg: int


def correlate(
    study: Study,
    metric: str,
    *,
    level: str,
    measure: str,
    policy: str = SKIP,
    inputs: str = JUDGED,
) -> Correlation:
    """One metric with people, at one level, by one measure."""
    found = correlate_all(study, metric, level=level, policy=policy, inputs=inputs)
    check_measures([measure])
    return found[measure]


def correlate_all(
    study: Study, metric: str, *, level: str, policy: str = SKIP, inputs: str = JUDGED
) -> dict[str, Correlation]:
    """By each of the three measures."""
    check_level(level)
    check_policy(policy)
    first, second = pair_scores(study, metric, inputs=inputs if level == SYSTEM else JUDGED)
    if level == SYSTEM:
        values = correlate_rows(mean_scores(first), mean_scores(second))
        known = ~(np.isnan(first).all(axis=1) | np.isnan(second).all(axis=1))
        return _told(metric, level, values, int(known.sum()))
    if level == GLOBAL:
        known = ~np.isnan(first)
        return _told(metric, level, _over_cells(first[known], second[known]), int(known.sum()))
    rows = correlate_inputs(first, second, policy=policy)
    return {
        measure: Correlation(metric, level, measure, mean, count, undefined, policy)
        for measure, (mean, count, undefined) in _means(rows, first, second).items()
    }


def correlate_inputs(
    first: Floats, second: Floats, *, policy: str = SKIP, measures: Sequence[str] = MEASURES
) -> dict[str, Floats]:
    """By measure, the correlation across systems within each input; nan where undefined.

    Under `zero` and `nudge` an input with two systems or more is never undefined.
    """
    one, two = first.T, second.T
    if policy == NUDGE:
        missing = np.isnan(one) | np.isnan(two)
        one, two = (_nudged(np.where(missing, np.nan, values)) for values in (one, two))
    found = correlate_rows(one, two, measures, slack=0.0)
    if policy == ZERO:
        has_two = _sizes(first, second) > 1
        return {
            name: np.where(np.isnan(values) & has_two, 0.0, values)
            for name, values in found.items()
        }
    return found


def count_undefined(first: Floats, second: Floats) -> int:
    """Inputs with two systems or more on which either side is constant."""
    values = correlate_rows(first.T, second.T, ["pearson"])["pearson"]
    return int((np.isnan(values) & (_sizes(first, second) > 1)).sum())


def correlate_significant(
    study: Study, metric: str, *, measure: str, level: float = LEVEL_OF_TESTS
) -> SignificantOnly:
    """The mean over only those inputs whose correlation across systems has p ≤ .05, two-sided.

    This is what REALSumm's own analysis averages (Bhandari et al. 2020, §4.4). Chance alone puts
    some inputs there, and puts there only the high and the low.
    """
    first, second = pair_scores(study, metric)
    values = correlate_inputs(first, second, measures=[measure])[measure]
    p_values = p_of_inputs(first, second, values, measure)
    known = ~np.isnan(p_values)
    chosen = values[known][p_values[known] <= level]
    return SignificantOnly(
        metric,
        measure,
        float(chosen.mean()) if len(chosen) else float("nan"),
        len(chosen),
        int(known.sum()),
        int((holm(p_values[known]) <= level).sum()),
        int((benjamini_hochberg(p_values[known]) <= level).sum()),
    )


def p_of_inputs(first: Floats, second: Floats, values: Floats, measure: str) -> Floats:
    """Two-sided p value of each input's correlation; nan where that is undefined.

    Student's t for Pearson and Spearman; for Kendall exact where nothing is tied.
    """
    from scipy import special  # takes a while, and a server seldom needs it

    if measure == "kendall":
        return np.array([_kendall_p(*pair) for pair in zip(first.T, second.T, strict=True)])
    freedom = _sizes(first, second) - 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = values * np.sqrt(freedom / (1 - values**2))
        found = 2 * special.stdtr(freedom, -np.abs(t))
    return np.where(freedom > 0, found, np.nan)


def correlate_folds(
    folds: Sequence[Study], metric: str, *, level: str, policy: str = SKIP
) -> dict[str, Correlation]:
    """The plain mean over folds of the correlation within each (Zhang & Bansal 2021, §4)."""
    if not folds:
        raise InputError(_("There are no folds to average over."))
    found = [correlate_all(fold, metric, level=level, policy=policy) for fold in folds]
    return {measure: _fold_mean([row[measure] for row in found]) for measure in MEASURES}


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise InputError(
            _("There is no level '{level}'. Known: {levels}.").format(
                level=level, levels=", ".join(LEVELS)
            )
        )


def check_policy(policy: str) -> None:
    if policy not in UNDEFINED:
        raise InputError(
            _("There is no policy '{policy}' for undefined inputs. Known: {undefined}.").format(
                policy=policy, undefined=", ".join(UNDEFINED)
            )
        )


def _told(
    metric: str, level: str, values: Mapping[str, Floats | float], count: int
) -> dict[str, Correlation]:
    return {
        measure: Correlation(metric, level, measure, float(value), count)
        for measure, value in values.items()
    }


def _means(
    rows: Mapping[str, Floats], first: Floats, second: Floats
) -> dict[str, tuple[float, int, int]]:
    """By measure: the mean over inputs that have a value, how many they are, how many had none."""
    undefined = count_undefined(first, second)
    found = {}
    for measure, values in rows.items():
        known = values[~np.isnan(values)]
        mean = float(known.mean()) if len(known) else float("nan")
        found[measure] = (mean, len(known), undefined)
    return found


def _over_cells(first: Floats, second: Floats) -> dict[str, float]:
    """Of two long vectors: pairs of cells are too many to write out, so they are sorted."""
    from scipy import stats  # takes over a second, and is seldom needed

    if is_constant(first) or is_constant(second):
        return dict.fromkeys(MEASURES, float("nan"))
    ranks = [np.asarray(stats.rankdata(part), dtype=np.float64) for part in (first, second)]
    return {
        "pearson": pearson(first, second),
        "spearman": pearson(*ranks),
        "kendall": float(stats.kendalltau(first, second, method="asymptotic").statistic),
    }


def _nudged(rows: Floats) -> Floats:
    """Rows in which a constant one is 0 but for its first known place, which is 1."""
    known = ~np.isnan(rows)
    first = np.zeros(rows.shape)
    first[np.arange(len(rows)), known.argmax(axis=-1)] = 1.0
    return np.where(is_constant(rows)[:, None] & known, first, rows)


def _sizes(first: Floats, second: Floats) -> NDArray[np.int64]:
    """Of each input, how many systems have both scores."""
    return np.asarray((~(np.isnan(first) | np.isnan(second))).sum(axis=0))


def _kendall_p(first: Floats, second: Floats) -> float:
    from scipy import stats

    known = ~(np.isnan(first) | np.isnan(second))
    one, two = first[known], second[known]
    if is_constant(one) or is_constant(two):
        return float("nan")
    return float(stats.kendalltau(one, two).pvalue)


def _fold_mean(found: Sequence[Correlation]) -> Correlation:
    values = np.array([row.value for row in found])
    known = values[~np.isnan(values)]
    one = found[0]
    return Correlation(
        one.metric,
        _("{level}, mean over {found} folds").format(level=one.level, found=len(found)),
        one.measure,
        float(known.mean()) if len(known) else float("nan"),
        sum(row.count for row in found),
        sum(row.undefined for row in found),
        one.policy,
    )
