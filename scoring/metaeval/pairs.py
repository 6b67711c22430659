"""Realistic pairs (Deutsch et al. 2022, §4): τ on systems that a metric scores nearly alike.

r_sysΔ(ℓ, u) is Kendall's τ-b counted over those pairs of systems whose metric means differ by ℓ to
u, both included:

    τ = (P − Q) / √((P + Q + T)·(P + Q + U))

with P and Q pairs that metric and people rank alike and otherwise, T and U those tied in one only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.bootstrap import Paired, resample_means, stack_scores
from scoring.metaeval.draws import PLAIN, Draws, Resampling, draw_as
from scoring.metaeval.intervals import percentile_interval
from scoring.metaeval.rows import signs_of, steps, tie_width
from scoring.metaeval.study import JUDGED, Study, choose_metrics, mean_scores, pair_scores
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
SHARES = tuple(range(10, 101, 10))


@dataclass(frozen=True, slots=True)
class PairTau:
    """r_sysΔ(low, high) of a metric, its pairs, and the middle 95 % of its resamples.

    `from_share` and `to_share` are the percentages of closest pairs that gave the bounds, where
    they came so. Resamples in which no such pair has an order are `undefined`.
    """

    metric: str
    low: float
    high: float
    from_share: int | None
    to_share: int | None
    pairs: int
    tau: float
    ci_low: float
    ci_high: float
    method: str
    undefined: int


@dataclass(frozen=True, slots=True)
class Margin:
    """Bounds of a difference between two systems' metric means."""

    low: float
    high: float
    from_share: int | None = None
    to_share: int | None = None


def gap_tau(first: Floats, second: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """τ-b and the number of pairs, along the last axis of system means of metric and people."""
    parts = _Ordered(first, second)
    return parts.tau(Margin(low, high))


def gap_of_share(means: Floats, share: int) -> float:
    """The difference of the k-th closest pair, k = that percentage of all pairs, rounded."""
    if not 0 <= share <= 100:
        raise InputError(
            _("The share is {share} %. Expected a percentage from 0 to 100.").format(share=share)
        )
    gaps = np.sort(_gaps(means[~np.isnan(means)]))
    place = round(len(gaps) * share / 100)
    return float(gaps[place - 1]) if place else 0.0


def close_pairs(
    study: Study,
    metric: str,
    *,
    shares: Sequence[int] = SHARES,
    gaps: Sequence[float] = (),
    inputs: str = JUDGED,
    resampling: Resampling = PLAIN,
) -> list[PairTau]:
    """r_sysΔ(0, u), u by shares of the closest pairs and by given gaps (figure 6)."""
    means = mean_scores(pair_scores(study, metric, inputs=inputs)[0])
    margins = [Margin(0.0, gap_of_share(means, share), 0, share) for share in shares]
    margins += [Margin(0.0, gap) for gap in gaps]
    return tau_of_margins(study, metric, margins, inputs=inputs, resampling=resampling)


def heat_map(
    study: Study,
    metric: str,
    *,
    shares: Sequence[int] = SHARES,
    inputs: str = JUDGED,
    resampling: Resampling = PLAIN,
) -> list[PairTau]:
    """r_sysΔ(ℓ, u) for every two shares of closest pairs (appendix B, figure 9)."""
    means = mean_scores(pair_scores(study, metric, inputs=inputs)[0])
    edges = [(share, gap_of_share(means, share)) for share in (0, *shares)]
    margins = [
        Margin(low, high, start, end)
        for place, (start, low) in enumerate(edges)
        for end, high in edges[place + 1 :]
    ]
    return tau_of_margins(study, metric, margins, inputs=inputs, resampling=resampling)


def tau_of_margins(
    study: Study,
    metric: str,
    margins: Sequence[Margin],
    *,
    inputs: str = JUDGED,
    resampling: Resampling = PLAIN,
) -> list[PairTau]:
    """One metric under several margins. A resample's pairs are those within the margin in it."""
    paired = stack_scores(choose_metrics(study, [metric]), inputs=inputs)
    draws = draw_as(resampling, systems=len(study.systems), judged=paired.judged)
    whole = _Ordered(mean_scores(paired.first[0]), mean_scores(paired.second[0]))
    drawn = _resampled(paired, draws, margins)
    found = []
    for margin, values in zip(margins, drawn, strict=True):
        tau, pairs = whole.tau(margin)
        known = values[~np.isnan(values)]
        low, high = percentile_interval(known, resampling.coverage)
        found.append(
            PairTau(
                metric,
                margin.low,
                margin.high,
                margin.from_share,
                margin.to_share,
                int(pairs),
                float(tau),
                low,
                high,
                resampling.method,
                len(values) - len(known),
            )
        )
    return found


class _Ordered:
    """Orders of all pairs of systems, and how far apart the metric puts them."""

    def __init__(self, first: Floats, second: Floats) -> None:
        missing = np.isnan(first) | np.isnan(second)
        first, second = (np.where(missing, np.nan, part) for part in (first, second))
        self.gaps = _gaps(first)
        self.width = tie_width(first)
        self.one, self.two = signs_of(first), signs_of(second)

    def tau(self, margin: Margin) -> tuple[Floats, Floats]:
        inside = (self.gaps >= margin.low - self.width) & (self.gaps <= margin.high + self.width)
        one, two = self.one * inside, self.two * inside
        product = np.einsum("...p,...p->...", one, two).astype(np.float64)
        untied = [np.einsum("...p,...p->...", part, part).astype(np.float64) for part in (one, two)]
        scale = np.sqrt(untied[0] * untied[1])
        found = np.full(product.shape, np.nan)
        return np.divide(product, scale, out=found, where=scale > 0), inside.sum(axis=-1)


def _gaps(means: Floats) -> Floats:
    above, below = np.triu_indices(means.shape[-1], k=1)
    return np.asarray(np.abs(means[..., above] - means[..., below]))


def _resampled(paired: Paired, draws: Draws, margins: Sequence[Margin]) -> list[Floats]:
    """τ under each margin in each resample."""
    systems = paired.first.shape[1]
    found: list[list[Floats]] = [[] for __ in margins]
    for part in steps(len(draws), max(systems * systems, paired.first.shape[2])):
        first, second = (
            resample_means(table, draws, part)[:, 0] for table in (paired.first, paired.second)
        )
        ordered = _Ordered(first, second)
        for place, margin in enumerate(margins):
            found[place].append(ordered.tau(margin)[0])
    return [np.concatenate(parts) for parts in found]
