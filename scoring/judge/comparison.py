"""A judge beside people: correlations by level, calibration, accuracy, bias (Zhang & Bansal, §4).

System level: the correlation of systems' mean scores. Summary level: the correlation over systems
within each document, averaged over documents; a document on which one side does not vary has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST = 3  # points; two always lie on a line
THRESHOLD = 0.5
BINS = 10


@dataclass(frozen=True, slots=True)
class Correlation:
    """`number` is of systems, or of documents averaged over; None where nothing can be told."""

    pearson: float | None
    spearman: float | None
    kendall: float | None
    number: int


def correlate_systems(judge: Floats, human: Floats) -> Correlation:
    """Of two tables, systems × documents, on the cells that both have."""
    known = ~(np.isnan(judge) | np.isnan(human))
    has_any = known.any(axis=1)
    pairs = (np.where(known, table, np.nan)[has_any] for table in (judge, human))
    first, second = (np.nanmean(table, axis=1) for table in pairs)
    pearson, spearman, kendall = (_correlate(each, first, second) for each in _measures())
    return Correlation(pearson, spearman, kendall, int(has_any.sum()))


def correlate_summaries(judge: Floats, human: Floats) -> Correlation:
    """Within each document, over the systems that both have a score of; then the mean."""
    known = ~(np.isnan(judge) | np.isnan(human))
    columns = [
        (judge[rows, place], human[rows, place])
        for place, rows in enumerate(known.T)
        if rows.sum() >= LEAST
    ]
    varied = [pair for pair in columns if all(np.ptp(side) > 0 for side in pair)]
    found = [
        [value for pair in varied if (value := _correlate(measure, *pair)) is not None]
        for measure in _measures()
    ]
    pearson, spearman, kendall = (float(np.mean(row)) if row else None for row in found)
    return Correlation(pearson, spearman, kendall, len(varied))


def _measures() -> tuple[Callable[..., object], ...]:
    from scipy import stats

    return (stats.pearsonr, stats.spearmanr, stats.kendalltau)


def _correlate(measure: Callable[..., object], one: Floats, other: Floats) -> float | None:
    if len(one) < LEAST or not np.ptp(one) or not np.ptp(other):
        return None
    return float(measure(one, other).statistic)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs whose presence value lies from `low` up to `high`."""

    low: float
    high: float
    number: int
    value: float
    share: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often people say present where the judge says so much; `error` is the mean gap (ECE)."""

    bins: list[Bin]
    error: float | None
    brier: float | None


def calibrate(values: Floats, labels: NDArray[np.int64], bins: int = BINS) -> Calibration:
    """Bins of equal width; those without a pair are left out."""
    places = np.minimum((values * bins).astype(np.int64), bins - 1)
    found = []
    for place in np.unique(places):
        inside = places == place
        mean, share = float(values[inside].mean()), float(labels[inside].mean())
        found.append(Bin(place / bins, (place + 1) / bins, int(inside.sum()), mean, share))
    if not len(values):
        return Calibration([], None, None)
    error = sum(row.number * abs(row.value - row.share) for row in found) / len(values)
    return Calibration(found, error, float(np.mean((values - labels) ** 2)))


@dataclass(frozen=True, slots=True)
class Confusion:
    """Pairs by what the judge says and what people say."""

    both: int
    judge_alone: int
    people_alone: int
    neither: int

    @property
    def total(self) -> int:
        return self.both + self.judge_alone + self.people_alone + self.neither

    @property
    def accuracy(self) -> float | None:
        return _share(self.both + self.neither, self.total)

    @property
    def precision(self) -> float | None:
        """How often a unit that the judge finds is there."""
        return _share(self.both, self.both + self.judge_alone)

    @property
    def recall(self) -> float | None:
        """How many of the units that are there the judge finds."""
        return _share(self.both, self.both + self.people_alone)


def confuse(values: Floats, labels: NDArray[np.int64]) -> Confusion:
    """A unit counts as present above one half."""
    found, there = values > THRESHOLD, labels == 1
    return Confusion(
        int((found & there).sum()),
        int((found & ~there).sum()),
        int((~found & there).sum()),
        int((~found & ~there).sum()),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
