"""The meta-metrics of WMT: how well a metric compares two systems, ties included.

acc_eq is pairwise accuracy within inputs with tie calibration (Deutsch, Foster & Freitag 2023,
"Ties Matter"); SPA is Soft Pairwise Accuracy of systems (Thompson, Mathur, Deutsch & Khayrallah
2024); PDP is Pairwise Difference Pearson (DiIanni & Deutsch 2025). Conventions are those of
Google's mt-metrics-eval, so the same tables and seed give its figures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.clusters import PERMUTATIONS, cluster_rows, pairwise_p_values
from scoring.metaeval.correlation import ROUNDING
from scoring.metaeval.draws import BY_INPUTS, PLAIN, Resampling, draw_as
from scoring.metaeval.intervals import UNKNOWN, Bounds, percentile_interval
from scoring.metaeval.rows import signs_of, steps
from scoring.metaeval.study import Study, pair_scores
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
# Shuffles of people's scores that the chance level of acc_eq is the mean of.
SHUFFLES = 100
PDP_CHANCE = 0.0


@dataclass(frozen=True, slots=True)
class TieCalibration:
    """acc_eq at the best threshold: two scores that differ by at most `epsilon` are tied.

    `by_input` is the accuracy of each input at that threshold, nan where it has no pair.
    `uncalibrated` is acc_eq at threshold 0.
    """

    accuracy: float
    epsilon: float
    uncalibrated: float
    chance: float
    human_ties: float
    pairs: int
    by_input: Floats


@dataclass(frozen=True, slots=True)
class MetaScores:
    """All meta-metrics of a metric, each with what a metric without information would get.

    Intervals resample inputs; that of acc_eq keeps the threshold. `cluster` is the rank by acc_eq
    from uncorrected one-sided tests at 5 %, as at WMT; `cluster_holm` from Holm's p values.
    """

    metric: str
    acc_eq: float
    acc_eq_low: float
    acc_eq_high: float
    acc_eq_chance: float
    epsilon: float
    acc_eq_uncalibrated: float
    human_ties: float
    spa: float
    spa_chance: float
    pdp: float
    pdp_low: float
    pdp_high: float
    pdp_chance: float
    pairs: int
    inputs: int
    permutations: int
    cluster: int = 0
    cluster_holm: int = 0


def score_meta_metrics(
    study: Study, *, permutations: int = PERMUTATIONS, resampling: Resampling = PLAIN
) -> list[MetaScores]:
    """Every metric, in the order of the study."""
    if not study.metrics:
        raise InputError(_("The study has no metric to compare with human scores."))
    if permutations < 1:
        raise InputError(_("SPA needs at least 1 permutation."))
    rows, accuracies = [], []
    for metric in study.metrics:
        first, second = pair_scores(study, metric)
        ties = calibrate_ties(first, second, seed=resampling.seed)
        rows.append(_describe(metric, first, second, ties, permutations, resampling))
        accuracies.append(ties.by_input)
    clusters = cluster_rows(np.stack(accuracies), seed=resampling.seed)
    return [
        replace(row, cluster=one.cluster, cluster_holm=one.cluster_holm)
        for row, one in zip(rows, clusters, strict=True)
    ]


def calibrate_ties(
    metric: Floats, people: Floats, *, shuffles: int = SHUFFLES, seed: int = 0
) -> TieCalibration:
    """acc_eq of systems × inputs, averaged over inputs (Deutsch et al. 2023, §5 and algorithm 1).

    A pair is right if both sides order it alike or both tie it. Thresholds are 0 and every
    difference of the metric; the smallest of the best is taken. The chance level is the mean over
    shuffles of people's scores within each input, calibrated again each time.
    """
    missing = np.isnan(metric) | np.isnan(people)
    one, two = (np.where(missing, np.nan, table).T for table in (metric, people))
    above, below = np.triu_indices(one.shape[1], k=1)
    gaps = np.abs(one[:, above] - one[:, below])
    is_pair = ~np.isnan(gaps)
    counts = is_pair.sum(axis=1)
    if not counts.any():
        unknown = float("nan")
        nothing = np.full(len(one), np.nan)
        return TieCalibration(unknown, unknown, unknown, unknown, unknown, 0, nothing)
    sweep = _Sweep(one, gaps, counts)
    human = np.where(is_pair, signs_of(two, 0.0), np.nan)
    accuracies = sweep.accuracies(human[None])[0]
    best = _first_best(accuracies)
    epsilon = float(sweep.thresholds[best])
    is_right = np.where(gaps <= epsilon, human == 0, human == sweep.signs) & is_pair
    by_input = np.divide(
        is_right.sum(axis=1), counts, out=np.full(len(counts), np.nan), where=counts > 0
    )
    return TieCalibration(
        accuracy=float(np.nanmean(by_input)),
        epsilon=epsilon,
        uncalibrated=float(accuracies[0]),
        chance=_tie_chance(sweep, two, is_pair, shuffles, seed),
        human_ties=float((human == 0).sum() / counts.sum()),
        pairs=int(counts.sum()),
        by_input=by_input,
    )


class _Sweep:
    """Pairs of a metric sorted by how far its scores lie apart, ready for any human scores."""

    def __init__(self, rows: Floats, gaps: Floats, counts: NDArray[np.int64]) -> None:
        self.signs = signs_of(rows, 0.0).astype(np.float64)
        self.is_pair = ~np.isnan(gaps)
        known = gaps[self.is_pair]
        self.order = np.argsort(known, kind="stable")
        ordered = known[self.order]
        self.last = np.flatnonzero(np.append(np.diff(ordered) > 0, True))
        self.thresholds = ordered[self.last]
        weights = 1.0 / (np.maximum(counts, 1) * np.count_nonzero(counts))
        self.weights = np.broadcast_to(weights[:, None], gaps.shape)[self.is_pair]
        if self.thresholds[0] > 0:
            self.thresholds = np.insert(self.thresholds, 0, 0.0)
            self.last = np.insert(self.last, 0, -1)

    def accuracies(self, human: Floats) -> Floats:
        """Signs of human differences (tables × inputs × pairs) to tables × thresholds."""
        known = human[:, self.is_pair]
        was_right = known == self.signs[self.is_pair]
        gains = ((known == 0).astype(np.float64) - was_right) * self.weights
        summed = np.cumsum(gains[:, self.order], axis=1)
        summed = np.concatenate([summed, np.zeros((len(human), 1))], axis=1)
        return np.asarray((was_right @ self.weights)[:, None] + summed[:, self.last])


def _first_best(accuracies: Floats) -> int:
    """The smallest threshold; accuracies that differ by rounding are equal."""
    return int(np.argmax(accuracies >= np.max(accuracies) - ROUNDING))


def _tie_chance(
    sweep: _Sweep, people: Floats, is_pair: NDArray[np.bool_], shuffles: int, seed: int
) -> float:
    rng = np.random.default_rng([seed, shuffles])
    is_known = ~np.isnan(people)
    best = []
    for part in steps(shuffles, 4 * is_pair.size):
        keys = rng.random((part.stop - part.start, *people.shape))
        drawn = _shuffle_known(people, is_known, keys)
        best.append(sweep.accuracies(signs_of(drawn, 0.0).astype(np.float64)).max(axis=1))
    return float(np.concatenate(best).mean())


def _shuffle_known(rows: Floats, is_known: NDArray[np.bool_], keys: Floats) -> Floats:
    """Each row's known values in the order of the keys; gaps stay where they are."""
    order = np.argsort(np.where(is_known, keys, np.inf), axis=-1)
    sorted_known = np.take_along_axis(np.broadcast_to(rows, keys.shape), order, axis=-1)
    places = np.cumsum(is_known, axis=-1) - 1
    places = np.broadcast_to(np.maximum(places, 0), keys.shape)
    return np.where(is_known, np.take_along_axis(sorted_known, places, axis=-1), np.nan)


def soft_pairwise_accuracy(
    metric: Floats, people: Floats, *, permutations: int = PERMUTATIONS, seed: int = 0
) -> tuple[float, float]:
    """SPA of systems × inputs, and its chance level: 1 − the mean of |p by people − p by metric|.

    The chance level is exact: the mean over every way to give the metric's scores to other systems.
    """
    missing = np.isnan(metric) | np.isnan(people)
    one, two = (
        pairwise_p_values(np.where(missing, np.nan, table), permutations=permutations, seed=seed)
        for table in (metric, people)
    )
    distances = np.abs(two[0] - one[0])
    known = ~np.isnan(distances)
    if not known.any():
        return float("nan"), float("nan")
    others = np.concatenate([side[known] for side in one])
    by_chance = np.abs(two[0][known][:, None] - others[None, :]).mean()
    return float(1 - distances[known].mean()), float(1 - by_chance)


def pairwise_difference_pearson(metric: Floats, people: Floats) -> float:
    """Pearson's r of differences between two systems on an input, over all inputs together.

    Each pair counts in both orders, so the mean difference is 0 and no order of systems matters.
    """
    return float(_difference_pearson(_difference_sums(metric, people).sum(axis=1)))


def _difference_sums(metric: Floats, people: Floats) -> Floats:
    """Of each input, sums over pairs of products and squares of differences: 3 × inputs.

    A sum over pairs is the number of systems times the sum around the mean.
    """
    missing = np.isnan(metric) | np.isnan(people)
    sizes = (~missing).sum(axis=0)
    tables = [np.where(missing, 0.0, table) for table in (metric, people)]
    means = [table.sum(axis=0) / np.maximum(sizes, 1) for table in tables]
    one, two = (
        np.where(missing, 0.0, table - mean) for table, mean in zip(tables, means, strict=True)
    )
    products = ((one * two), (one * one), (two * two))
    return np.stack([sizes * product.sum(axis=0) for product in products])


def _difference_pearson(sums: Floats) -> Floats:
    """Of products and squares along the first axis."""
    scale = np.sqrt(sums[1] * sums[2])
    is_known = scale > ROUNDING**2
    out = np.full(scale.shape, np.nan)
    return np.clip(np.divide(sums[0], scale, out=out, where=is_known), -1.0, 1.0)


def _describe(
    metric: str,
    first: Floats,
    second: Floats,
    ties: TieCalibration,
    permutations: int,
    resampling: Resampling,
) -> MetaScores:
    spa, spa_chance = soft_pairwise_accuracy(
        first, second, permutations=permutations, seed=resampling.seed
    )
    sums = _difference_sums(first, second)
    (low, high), (pdp_low, pdp_high) = _intervals(ties.by_input, sums, resampling)
    return MetaScores(
        metric=metric,
        acc_eq=ties.accuracy,
        acc_eq_low=low,
        acc_eq_high=high,
        acc_eq_chance=ties.chance,
        epsilon=ties.epsilon,
        acc_eq_uncalibrated=ties.uncalibrated,
        human_ties=ties.human_ties,
        spa=spa,
        spa_chance=spa_chance,
        pdp=float(_difference_pearson(sums.sum(axis=1))),
        pdp_low=pdp_low,
        pdp_high=pdp_high,
        pdp_chance=PDP_CHANCE,
        pairs=ties.pairs,
        inputs=int((~np.isnan(ties.by_input)).sum()),
        permutations=permutations,
    )


def _intervals(accuracies: Floats, sums: Floats, resampling: Resampling) -> tuple[Bounds, Bounds]:
    """Of acc_eq and PDP, by resampling the inputs that have a pair."""
    has_pair = ~np.isnan(accuracies)
    if not has_pair.any():
        return UNKNOWN, UNKNOWN
    chosen = np.ones(int(has_pair.sum()), dtype=bool)
    drawn = draw_as(replace(resampling, method=BY_INPUTS), systems=0, judged=chosen)
    counts = drawn.input_counts(slice(None))
    assert counts is not None
    accuracy = counts @ accuracies[has_pair] / len(chosen)
    differences = _difference_pearson((counts @ sums[:, has_pair].T).T)
    known = differences[~np.isnan(differences)]
    return (
        percentile_interval(accuracy, resampling.coverage, len(chosen)),
        percentile_interval(known, resampling.coverage, len(chosen)),
    )
