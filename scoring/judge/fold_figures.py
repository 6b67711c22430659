"""Held-out figures within folds, and their mean over folds, as Zhang & Bansal (2021) print theirs.

Correlations within a fold are of its documents and systems alone, so they are not those of all
summaries at once: five systems vary less than twenty-five. Without folds, everything is one.

Intervals of 95 % are over documents. An accuracy's are percentiles of resamples: a document is
drawn among those that are in the same folds as it is; where the folds part the systems, all folds
have the same draw. Percentiles of a correlation can all lie below it, since a resample of 20
documents has about 13 different ones and noisier means. Its interval is by the jackknife, which
leaves out each document once, on Fisher's scale; that variance errs on the wide side (Efron & Stein
1981).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.judge.held_out import HeldOutRecord, evaluate_held_out
from scoring.metaeval.correlation import pearson
from scoring.metaeval.draws import RESAMPLES
from scoring.metaeval.intervals import percentile_interval
from scoring.metaeval.rows import correlate_rows

QUANTILE = 1.959964  # of the normal distribution, for 95 %
LARGEST = 1 - 1e-9  # Fisher's scale ends at 1

Floats = NDArray[np.float64]
Counts = Mapping[str, Floats]  # by document, how often it is in each resample


@dataclass(frozen=True, slots=True)
class Figure:
    """nan where it is undefined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class FoldFigures:
    """Means over `folds`; `documents` and `systems` are those of the largest fold.

    Correlations are Pearson's. `ece` is over all units at once, and has no interval.
    """

    folds: int
    documents: int
    systems: int
    units: int
    accuracy: Figure
    ece: float
    summary_level: Figure
    system_level: Figure


@dataclass(frozen=True, slots=True)
class _Fold:
    """Documents × systems: scores of people and of the judge, nan where there is none."""

    documents: tuple[str, ...]
    right: Floats  # units, by document
    units: Floats
    human: Floats
    judge: Floats
    correlations: Floats  # across systems, by document


def measure_folds(
    records: Iterable[HeldOutRecord], *, resamples: int = RESAMPLES, seed: int = 0
) -> FoldFigures:
    """Figures of held-out records, by the folds that they name."""
    known = [record for record in records if any(label is not None for label in record.labels)]
    whole = evaluate_held_out(known)
    by_fold: dict[str, list[HeldOutRecord]] = defaultdict(list)
    for record in known:
        by_fold[record.fold].append(record)
    folds = [_tabulate(rows) for rows in by_fold.values()]
    once = {name: np.ones(1) for fold in folds for name in fold.documents}
    names = [fold.documents for fold in folds]
    groups = group_documents(names)
    drawn = draw_documents(names, resamples, seed)
    values, resampled = _means(folds, once), _means(folds, drawn)
    left = [_means(folds, leave_out(once, group)) for group in groups]
    accuracy, *levels = (float(value[0]) for value in values)
    summary, system = (
        Figure(value, *jackknife_bounds(value, [part[place] for part in left]))
        for place, value in enumerate(levels, 1)
    )
    return FoldFigures(
        folds=len(folds),
        documents=max(len(fold.documents) for fold in folds),
        systems=max(fold.human.shape[1] for fold in folds),
        units=whole.units,
        accuracy=Figure(accuracy, *percentile_interval(resampled[0])),
        ece=whole.ece,
        summary_level=summary,
        system_level=system,
    )


def jackknife_bounds(value: float, left: Sequence[Floats]) -> tuple[float, float]:
    """On Fisher's scale, from the values without each document of each group; nan if undefined.

    Documents of different groups are independent, so that their variances add up.
    """
    parts = [part[~np.isnan(part)] for part in left]
    if np.isnan(value) or not all(len(part) for part in parts):
        return np.nan, np.nan
    variance = sum((len(part) - 1) * part.var() for part in parts)
    middle = np.arctanh(np.clip(value, -LARGEST, LARGEST))
    reach = QUANTILE * np.sqrt(variance) / (1 - np.tanh(middle) ** 2)
    low, high = np.tanh([middle - reach, middle + reach])
    return float(low), float(high)


def leave_out(once: Counts, group: Sequence[str]) -> Counts:
    """As many columns as the group has documents; each leaves one of them out."""
    columns = {name: np.ones(len(group)) for name in once}
    for place, name in enumerate(group):
        columns[name][place] = 0
    return columns


def draw_documents(folds: Sequence[Sequence[str]], resamples: int, seed: int) -> Counts:
    """Each document drawn among those that are in the same folds."""
    rng = np.random.default_rng(seed)
    return {
        document: row
        for names in group_documents(folds)
        for document, row in zip(names, _draw(rng, len(names), resamples), strict=True)
    }


def group_documents(folds: Sequence[Sequence[str]]) -> list[list[str]]:
    """Documents that are in the same folds."""
    groups: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for document in dict.fromkeys(name for fold in folds for name in fold):
        groups[tuple(n for n, fold in enumerate(folds) if document in fold)].append(document)
    return list(groups.values())


def _draw(rng: np.random.Generator, size: int, resamples: int) -> Floats:
    drawn = rng.multinomial(size, np.full(size, 1 / size), size=resamples)
    return np.asarray(drawn.T, dtype=np.float64)


def _tabulate(records: Sequence[HeldOutRecord]) -> _Fold:
    documents = tuple(dict.fromkeys(record.document for record in records))
    systems = tuple(dict.fromkeys(record.system for record in records))
    right, units = np.zeros((2, len(documents)))
    human, judge = np.full((2, len(documents), len(systems)), np.nan)
    for record in records:
        row, column = documents.index(record.document), systems.index(record.system)
        places = [place for place, label in enumerate(record.labels) if label is not None]
        labels = np.array([record.labels[place] for place in places], dtype=np.float64)
        presence = np.array([record.presence[place] for place in places])
        weights = [record.weights[place] if record.weights else 1 for place in places]
        right[row] += ((presence > 0.5) == (labels == 1)).sum()
        units[row] += len(places)
        human[row, column] = np.average(labels, weights=weights)
        judge[row, column] = np.average(presence, weights=weights)
    return _Fold(documents, right, units, human, judge, _across_systems(human, judge))


def _across_systems(human: Floats, judge: Floats) -> Floats:
    known = ~np.isnan(human)
    pairs = zip(human, judge, known, strict=True)
    # Scores that differ by rounding alone are tied.
    return np.array([pearson(one[at].round(12), two[at].round(12)) for one, two, at in pairs])


def _means(folds: Sequence[_Fold], counts: Counts) -> list[Floats]:
    """Accuracy, summary level and system level of each resample: means over folds.

    Folds in which a figure is undefined are left out of its mean.
    """
    parts = [_resample(fold, np.stack([counts[name] for name in fold.documents])) for fold in folds]
    tables = np.array(parts)  # folds × figures × resamples
    is_known = ~np.isnan(tables)
    sums = np.where(is_known, tables, 0).sum(axis=0)
    return list(_divide(sums, is_known.sum(axis=0)))


def _resample(fold: _Fold, counts: Floats) -> list[Floats]:
    accuracy = _divide(fold.right @ counts, fold.units @ counts)
    is_known = ~np.isnan(fold.correlations)
    summary = _divide(np.where(is_known, fold.correlations, 0) @ counts, is_known @ counts)
    there = ~np.isnan(fold.human)
    human, judge = (
        _divide(np.where(there, scores, 0).T @ counts, there.T @ counts).T
        for scores in (fold.human, fold.judge)
    )
    return [accuracy, summary, correlate_rows(human, judge, ["pearson"])["pearson"]]


def _divide(sums: Floats, counts: Floats) -> Floats:
    """nan where there is nothing to take the mean of."""
    return np.divide(sums, counts, out=np.full(np.shape(sums), np.nan), where=counts > 0)
