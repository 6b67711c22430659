"""Scores corrected for a judge's errors: sensitivity and specificity from a labelled slice.

A judge that finds a share se of the units that are present, and rightly passes over a share sp of
those that are absent, says "present" of p = se·θ + (1 − sp)·(1 − θ). Solved for the score,
θ = (p + sp − 1) / (se + sp − 1) (Rogan & Gladen 1978). p is known of every document, se and sp of
the documents that people labelled, over all systems together: the correction holds if the judge
errs alike on all systems. A prediction-powered estimate needs no such assumption.

Errors are linearised by document, since units of one document are judged together; se, sp and p
share the slice's documents, and their covariance is in the error. How large a slice is best depends
on what it costs: for n of N documents at c times the price of judging one, the error of a given
budget is least at n / N = √(v / (c·w)), where v is the slice's variance per document and w that of
the others (Tenenbein 1970).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.estimation.means import DOCUMENTS, FEWEST, LEVEL, quantile
from scoring.estimation.sampling import Sampling
from scoring.translation import gettext as _

Floats = NDArray[np.float64]

PRICE = 20.0
LEAST_SLICE = 10  # below this t grows faster than prices save
SIZES = (5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, eq=False)
class JudgedShares:
    """Systems × documents: shares of a summary's units, by weight; nan where nobody labelled.

    `judge` is what the judge calls present, of every summary. Of labelled ones, `present` is what
    people do, `hits` what both do, `alarms` what the judge alone does.
    """

    systems: Sequence[str]
    documents: Sequence[str]
    judge: Floats
    present: Floats
    hits: Floats
    alarms: Floats
    weights: Floats | None = None


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """`judge` is the share that the judge calls present, before the correction."""

    system: str
    judge: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Corrected:
    """`is_told`: whether the judge is shown to be better than chance; else no score is corrected.

    `widths` are pairs of a slice's size and the mean width of intervals that it would give.
    """

    is_told: bool
    sensitivity: tuple[float, float, float]
    specificity: tuple[float, float, float]
    systems: tuple[CorrectedScore, ...]
    labelled: int
    documents: int
    best_slice: int
    price: float
    widths: tuple[tuple[int, float], ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def correct_scores(
    shares: JudgedShares,
    sampling: Sampling | None = None,
    *,
    target: str = DOCUMENTS,
    level: float = LEVEL,
    price: float = PRICE,
) -> Corrected:
    """*price* is what labelling a document costs, in units of what judging one costs."""
    if price <= 0:
        raise InputError(
            _("The cost ratio is {price:g}. Expected a number above 0.").format(price=price)
        )
    cells = _Slice(shares, sampling or Sampling())
    reach = float(quantile(level, np.array([max(cells.labelled - 2.0, 1.0)]))[0])
    apart = cells.sensitivity + cells.specificity - 1
    error = math.sqrt(float(((cells.on_present + cells.on_absent) ** 2).sum()))
    is_told = apart > 0 and apart - reach * error > 0
    rows: list[CorrectedScore] = []
    parts = np.full((2, len(shares.systems)), math.nan)
    if is_told:
        value, parts = cells.correct(target)
        widths = reach * np.sqrt(parts.sum(axis=0))
        columns = (cells.judge, value, np.maximum(value - widths, 0), value + widths)
        bounds = zip(*(np.minimum(column, 1).tolist() for column in columns), strict=True)
        rows = [
            CorrectedScore(name, *each) for name, each in zip(shares.systems, bounds, strict=True)
        ]
    best, table = _sizes(cells, parts, level, price)
    return Corrected(
        is_told,
        _bounds(cells.sensitivity, cells.on_present, reach),
        _bounds(cells.specificity, cells.on_absent, reach),
        tuple(rows),
        cells.labelled,
        len(shares.documents),
        best,
        price,
        table,
    )


class _Slice:
    """The labelled documents, each with its weight, and what each adds to the judge's rates."""

    def __init__(self, shares: JudgedShares, sampling: Sampling) -> None:
        known, labelled = ~np.isnan(shares.judge), ~np.isnan(shares.present)
        sizes = np.ones(len(shares.documents)) if shares.weights is None else shares.weights
        self.is_labelled = labelled.any(axis=0)
        self.labelled = int(self.is_labelled.sum())
        if self.labelled < FEWEST:
            raise InputError(
                _("People labelled {labelled} documents. At least {fewest} are needed.").format(
                    labelled=self.labelled, fewest=FEWEST
                )
            )
        self.all = known * sizes / (known * sizes).sum(axis=1, keepdims=True)
        self.said = np.nan_to_num(shares.judge)
        self.judge = np.asarray((self.all * self.said).sum(axis=1))
        self.known, self.cells = known, labelled
        self.present = np.nan_to_num(shares.present)
        self.found = np.nan_to_num(shares.hits + shares.alarms)
        weights = labelled * sizes / sampling.inclusion(labelled, known)
        absent = np.where(labelled, 1 - self.present, 0.0)
        hits, alarms = np.nan_to_num(shares.hits), np.nan_to_num(shares.alarms)
        self.sensitivity, self.on_present = _rate(weights, hits, self.present)
        self.specificity, self.on_absent = _rate(weights, absent - alarms, absent)

    def correct(self, target: str) -> tuple[Floats, Floats]:
        """Scores, and the parts of their variance: of the slice, and of all documents."""
        apart = self.sensitivity + self.specificity - 1
        value = (self.judge + self.specificity - 1) / apart
        moved = (1 - value[:, None]) * self.on_absent - value[:, None] * self.on_present
        own = np.where(
            self.cells,
            self.found
            - self.sensitivity * self.present
            - (1 - self.specificity) * (1 - self.present),
            0.0,
        )
        if target == DOCUMENTS:
            # Only how the judge errs is left to chance; unlabelled summaries err as labelled ones.
            squares = (own**2).sum(axis=1) / np.maximum(self.cells.sum(axis=1), 1)
            rest = np.where(self.cells, own**2, squares[:, None]) * self.known
            spread = (self.all**2 * rest).sum(axis=1)
            shared = self.all * own
        else:
            centred = np.where(self.known, self.said - self.judge[:, None], 0.0)
            spread = ((self.all * centred) ** 2).sum(axis=1)
            shared = self.all * centred
        both = 2 * (shared * moved).sum(axis=1)
        parts = np.array([(moved**2).sum(axis=1) + both, spread]) / apart**2
        return value, np.maximum(parts, 0.0)


def _rate(weights: Floats, above: Floats, below: Floats) -> tuple[float, Floats]:
    """A ratio over all labelled summaries, and by document what it adds to the ratio's error."""
    whole = float((weights * below).sum())
    if whole <= 0:
        raise InputError(_("All labelled units have the same label. Label more documents."))
    rate = float((weights * above).sum()) / whole
    adds = (weights * (above - rate * below)).sum(axis=0) / whole
    number = int((weights.sum(axis=0) > 0).sum())
    return rate, adds * math.sqrt(number / (number - 1))


def _bounds(rate: float, adds: Floats, reach: float) -> tuple[float, float, float]:
    """On the scale of log odds, so that no bound leaves 0 to 1."""
    spread = rate * (1 - rate)
    if spread <= 0:
        return rate, rate, rate
    moved = reach * math.sqrt(float((adds**2).sum())) / spread
    odds = math.log(rate / (1 - rate))
    low, high = (1 / (1 + math.exp(-(odds + way * moved))) for way in (-1, 1))
    return rate, low, high


def _sizes(
    cells: _Slice, parts: Floats, level: float, price: float
) -> tuple[int, tuple[tuple[int, float], ...]]:
    """The best slice, and widths by size; 0 and none where no score was corrected."""
    if np.isnan(parts).any():
        return 0, ()
    documents = cells.known.shape[1]
    slices, others = parts[0].mean() * cells.labelled, parts[1].mean() * documents
    share = math.sqrt(slices / (price * others)) if others > 0 else 1.0
    best = min(max(math.ceil(documents * share), LEAST_SLICE), documents)
    sizes = sorted({*(size for size in SIZES if size < documents), best})
    reach = quantile(level, np.maximum(np.array(sizes) - 2.0, 1.0))
    widths = [
        2 * float(times) * math.sqrt(slices / size + others / documents)
        for size, times in zip(sizes, reach, strict=True)
    ]
    return best, tuple(zip(sizes, widths, strict=True))
