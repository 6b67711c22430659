"""Correlations of many resamples at once: how far a metric's correlation with people is known.

The methods are those of Deutsch, Dror & Roth (2021), used in Deutsch et al. (2022), §3.2 and
appendix A. System means of all resamples are one product of counts and scores; correlations within
inputs are made once and averaged by the same counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.draws import (
    BY_INPUTS,
    PLAIN,
    Draws,
    Indices,
    Resampling,
    draw_as,
    leave_each_out,
)
from scoring.metaeval.intervals import bca_interval, percentile_interval
from scoring.metaeval.levels import (
    SKIP,
    SUMMARY,
    SYSTEM,
    check_policy,
    correlate_inputs,
)
from scoring.metaeval.rows import MEASURES, check_measures, correlate_rows, steps
from scoring.metaeval.study import JUDGED, Study, mean_scores, pair_scores
from scoring.metaeval.weighted import DrawnSystems
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
RESAMPLED_LEVELS = (SYSTEM, SUMMARY)


@dataclass(frozen=True, slots=True)
class Paired:
    """Scores of metrics and of people on the same systems and inputs: metrics × systems × inputs.

    People's have one table for all metrics where no metric lacks a cell, else one for each.
    """

    metrics: tuple[str, ...]
    first: Floats
    second: Floats
    judged: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a correlation lies: `low` and `high` by percentiles, `bca_…` corrected for bias.

    With a `bca_note`, the correction could not be computed: the percentiles stand, and it says why.
    """

    metric: str
    level: str
    measure: str
    method: str
    value: float
    low: float
    high: float
    bca_low: float
    bca_high: float
    bca_note: str
    resamples: int
    undefined: int


def stack_scores(study: Study, *, inputs: str = JUDGED) -> Paired:
    """The study's tables end to end, paired as `pair_scores` pairs them."""
    if not study.metrics:
        raise InputError(_("The study has no metrics in addition to human scores."))
    pairs = [pair_scores(study, metric, inputs=inputs) for metric in study.metrics]
    first = np.stack([one for one, __ in pairs])
    people = [two for __, two in pairs]
    is_shared = all(np.array_equal(two, people[0], equal_nan=True) for two in people[1:])
    second = np.stack(people[:1] if is_shared else people)
    return Paired(study.metrics, first, second, study.judged)


def resample_means(scores: Floats, draws: Draws, part: slice) -> Floats:
    """System means in each resample of a part: resamples × tables × systems.

    A mean is nan in a resample that has none of the system's scores.
    """
    tables, systems, width = scores.shape
    flat = scores.reshape(tables * systems, width)
    means = weigh_rows(flat, draws.input_counts(part)).reshape(-1, tables, systems)
    if draws.systems is None:
        return means
    chosen = draws.systems[part]
    if len(means) == 1:
        return np.moveaxis(means[0][:, chosen], 0, 1)
    return np.take_along_axis(means, chosen[:, None, :], axis=-1)


def resample_correlations(
    paired: Paired,
    draws: Draws,
    *,
    level: str,
    measures: Sequence[str] = MEASURES,
    policy: str = SKIP,
) -> dict[str, Floats]:
    """By measure, the correlation of each metric in each resample: resamples × metrics."""
    check_resampled(level)
    check_measures(measures)
    check_policy(policy)
    found = _by_systems if level == SYSTEM else _by_summaries
    parts = list(found(paired, draws, measures, policy))
    return {name: np.concatenate([part[name] for part in parts]) for name in measures}


def bootstrap(
    study: Study,
    *,
    level: str = SYSTEM,
    measures: Sequence[str] = MEASURES,
    policy: str = SKIP,
    inputs: str = JUDGED,
    resampling: Resampling = PLAIN,
) -> list[Interval]:
    """An interval for every metric and measure, by one method."""
    paired = stack_scores(study, inputs=inputs)
    found = resample_all(paired, resampling, level=level, measures=measures, policy=policy)
    return [
        found.interval(metric, measure, _column(place))
        for place, metric in enumerate(paired.metrics)
        for measure in measures
    ]


@dataclass(frozen=True, slots=True)
class Resampled:
    """By measure, correlations of all metrics: of all that there is, of resamples, without each."""

    level: str
    resampling: Resampling
    whole: dict[str, Floats]
    drawn: dict[str, Floats]
    left: list[dict[str, Floats]]

    def interval(self, name: str, measure: str, choose: Callable[[Floats], Floats]) -> Interval:
        """Of a figure that is chosen from, or made of, the columns of the metrics."""
        return _interval(
            (name, self.level, measure, self.resampling.method),
            float(choose(self.whole[measure])[0]),
            choose(self.drawn[measure]),
            [choose(part[measure]) for part in self.left],
            self.resampling.coverage,
        )


def resample_all(
    paired: Paired, resampling: Resampling, *, level: str, measures: Sequence[str], policy: str
) -> Resampled:
    __, systems, width = paired.first.shape
    draws = draw_as(resampling, systems=systems, judged=paired.judged)
    options: dict[str, Any] = {"level": level, "measures": measures, "policy": policy}
    everything = Draws(BY_INPUTS, np.arange(width)[None], None, width)
    return Resampled(
        level,
        resampling,
        resample_correlations(paired, everything, **options),
        resample_correlations(paired, draws, **options),
        [
            resample_correlations(paired, without, **options)
            for without in leave_each_out(resampling.method, systems=systems, inputs=width)
        ],
    )


def check_resampled(level: str) -> None:
    if level not in RESAMPLED_LEVELS:
        raise InputError(
            _("Level '{level}' can't be resampled. Known: {resampled_levels}.").format(
                level=level, resampled_levels=", ".join(RESAMPLED_LEVELS)
            )
        )


def _by_systems(
    paired: Paired, draws: Draws, measures: Sequence[str], policy: str
) -> Iterator[dict[str, Floats]]:
    del policy  # Undefined inputs are a matter of the summary level.
    tables, systems, width = paired.first.shape
    for part in steps(len(draws), max(tables * systems * (systems - 1) // 2, width)):
        first = resample_means(paired.first, draws, part)
        yield correlate_rows(first, resample_means(paired.second, draws, part), measures)


def _by_summaries(
    paired: Paired, draws: Draws, measures: Sequence[str], policy: str
) -> Iterator[dict[str, Floats]]:
    if draws.systems is None:
        rows = _input_rows(paired, measures, policy)
        for part in steps(len(draws), paired.first.shape[-1]):
            counts = draws.input_counts(part)
            yield {name: weigh_rows(values, counts) for name, values in rows.items()}
        return
    people = np.broadcast_to(paired.second, paired.first.shape)
    found = [
        _with_drawn_systems(one, two, draws, draws.systems, measures, policy)
        for one, two in zip(paired.first, people, strict=True)
    ]
    yield {name: np.stack([row[name] for row in found], axis=1) for name in measures}


def _with_drawn_systems(
    first: Floats,
    second: Floats,
    draws: Draws,
    systems: Indices,
    measures: Sequence[str],
    policy: str,
) -> dict[str, Floats]:
    """One metric's mean over inputs in each resample; inputs without two systems have no part."""
    has_two = (~(np.isnan(first) | np.isnan(second))).sum(axis=0) > 1
    ready = DrawnSystems(first[:, has_two], second[:, has_two])
    found: dict[str, list[Floats]] = {name: [] for name in measures}
    for part in steps(len(draws), max(int(has_two.sum()) * len(first), first.shape[1])):
        counts = draws.input_counts(part)
        own = None if counts is None else counts[:, has_two]
        for name, values in ready.correlate(systems[part], measures, policy).items():
            found[name].append(_own_means(values, own))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _input_rows(paired: Paired, measures: Sequence[str], policy: str) -> dict[str, Floats]:
    """By measure, correlations within inputs: metrics × inputs."""
    people = np.broadcast_to(paired.second, paired.first.shape)
    found = [
        correlate_inputs(one, two, policy=policy, measures=measures)
        for one, two in zip(paired.first, people, strict=True)
    ]
    return {name: np.stack([row[name] for row in found]) for name in measures}


def weigh_rows(rows: Floats, counts: Floats | None) -> Floats:
    """Means of each row over known cells, by counts of each resample: resamples × rows.

    Without counts every cell counts once, as in one resample.
    """
    if counts is None:
        return mean_scores(rows)[None]
    known = ~np.isnan(rows)
    if known.all():
        return np.asarray(counts @ rows.T / counts.sum(axis=1, keepdims=True))
    totals = counts @ known.T.astype(np.float64)
    sums = counts @ np.where(known, rows, 0.0).T
    return np.divide(sums, totals, out=np.full(sums.shape, np.nan), where=totals > 0)


def _own_means(values: Floats, counts: Floats | None) -> Floats:
    """Means over inputs of resamples × inputs, by each resample's own counts."""
    if counts is None:
        return mean_scores(values)
    known = ~np.isnan(values)
    totals = (known * counts).sum(axis=1)
    sums = (np.where(known, values, 0.0) * counts).sum(axis=1)
    return np.divide(sums, totals, out=np.full(sums.shape, np.nan), where=totals > 0)


def _column(place: int) -> Callable[[Floats], Floats]:
    return lambda table: table[:, place]


def _interval(
    named: tuple[str, str, str, str],
    value: float,
    drawn: Floats,
    left: Sequence[Floats],
    coverage: float,
) -> Interval:
    metric, level, measure, method = named
    known = drawn[~np.isnan(drawn)]
    # A mean over few inputs, of few systems, varies more than its resamples do. At the system level
    # resampled ties widen the interval already.
    count = min(len(part) for part in left) if level == SUMMARY else None
    low, high = percentile_interval(known, coverage, count)
    corrected = bca_interval(known, float(value), left, coverage, count)
    undefined = len(drawn) - len(known)
    return Interval(
        metric,
        level,
        measure,
        method,
        float(value),
        low,
        high,
        *corrected,
        len(drawn),
        undefined,
    )
