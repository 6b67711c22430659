"""Means of people's scores, from few of theirs and an automatic score of every document.

Prediction-powered inference: the automatic mean over all documents, times λ, and what people say
beyond λ times the automatic score on the documents that they judged (Angelopoulos, Duchi & Zrnic
2023, "PPI++", §2 and §6). λ = 0 is people alone, λ = 1 takes the automatic score at its word; the
tuned λ makes the estimate least variable, so that a bad judge costs nothing but one degree of
freedom. The estimate is unbiased however wrong the judge is.

A document is the unit that is drawn: all that was said of its summaries and their content units
counts as one observation, with a weight where documents count by their size. Unequal chances of
being judged are mended by weights 1 / chance (Horvitz & Thompson 1952, in Hájek's ratio form).

The target is one of

- `documents`: the mean over these very documents, had people judged all of them. What was judged
  is known, so that variance is only of the rest (finite population correction);
- `population`: the mean over all documents of the kind that these were drawn from.

With few documents, variances are divided by degrees of freedom and t stands for the normal
quantile; `is_asymptotic` gives the formulas of the paper to the letter.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.estimation.sampling import Sampling

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

DOCUMENTS, POPULATION = "documents", "population"
TARGETS = (DOCUMENTS, POPULATION)
LEVEL = 0.95
FEWEST = 3  # drawn documents, below which a tuned λ leaves no degree of freedom
# Variances below this are of scores that are all the same.
ROUNDING = 1e-24


@dataclass(frozen=True, eq=False)
class Means:
    """By row: the mean, its error and interval, the λ used, and how many documents stand behind.

    `p` is two-sided, of the hypothesis that the mean is 0.
    """

    value: Floats
    error: Floats
    low: Floats
    high: Floats
    p: Floats
    lam: Floats
    freedom: Floats
    judged: NDArray[np.int64]
    documents: NDArray[np.int64]

    @property
    def width(self) -> Floats:
        return self.high - self.low

    def row(self, place: int) -> dict[str, float | int]:
        return {field.name: getattr(self, field.name)[place].item() for field in fields(self)}


def estimate_means(
    human: Floats,
    automatic: Floats,
    sampling: Sampling | None = None,
    *,
    target: str = DOCUMENTS,
    weights: Floats | None = None,
    lam: float | None = None,
    level: float = LEVEL,
    is_asymptotic: bool = False,
) -> Means:
    """Each row's mean: rows × documents, where nan is a score that is not there.

    Without a *lam* it is tuned. What people judged needs an automatic score too.
    """
    check_scores(human, automatic, target, level)
    cells = _Cells(human, automatic, sampling or Sampling(), weights)
    spare = 2 if lam is None else 1
    cells.check(spare + 1)
    lams = cells.tune() if lam is None else np.full(len(human), float(lam))
    value, rests = cells.estimate(lams)
    variance = cells.variance(lams, rests, target, 0 if is_asymptotic else spare)
    error = np.sqrt(variance)
    freedom = np.full(len(human), np.inf) if is_asymptotic else cells.freedom(spare)
    reach = quantile(level, freedom) * error
    return Means(
        value,
        error,
        value - reach,
        value + reach,
        p_values(value, error, freedom),
        lams,
        freedom,
        cells.judged.sum(axis=1),
        cells.known.sum(axis=1),
    )


def can_be_told(human: Floats, automatic: Floats, sampling: Sampling) -> Mask:
    """Rows that are judged in enough documents for an estimate with a tuned λ."""
    enough = (~np.isnan(human)).sum(axis=1) >= FEWEST
    return np.asarray(enough & _Cells(human, automatic, sampling, None).are_told(FEWEST))


def quantile(level: float, freedom: Floats) -> Floats:
    """The two-sided quantile of t; normal where degrees of freedom are infinite."""
    from scipy import special  # takes a while, and a server seldom needs it

    finite = np.where(np.isinf(freedom), 1.0, freedom)
    told = special.stdtrit(finite, (1 + level) / 2)
    return np.where(np.isinf(freedom), special.ndtri((1 + level) / 2), told)


def p_values(value: Floats, error: Floats, freedom: Floats) -> Floats:
    """Two-sided, of a mean of 0; without any variance it is 1 at 0, and 0 elsewhere."""
    from scipy import special  # takes a while, and a server seldom needs it

    ratio = np.divide(
        np.abs(value), error, out=np.where(np.abs(value) > 1e-12, np.inf, 0.0), where=error > 0
    )
    finite = np.where(np.isinf(freedom), 1.0, freedom)
    told = np.where(np.isinf(freedom), special.ndtr(-ratio), special.stdtr(finite, -ratio))
    return np.asarray(2 * told)


def check_scores(human: Floats, automatic: Floats, target: str, level: float) -> None:
    if target not in TARGETS:
        raise InputError(f"There is no target '{target}'. Known: {', '.join(TARGETS)}.")
    if not 0 < level < 1:
        raise InputError(f"The level is {level}. Give a share between 0 and 1, such as 0.95.")
    if human.shape != automatic.shape or human.ndim != 2:
        raise InputError(
            f"People's scores are {human.shape} and automatic ones {automatic.shape}. Give both as "
            "rows × documents of the same shape."
        )
    if (~np.isnan(human) & np.isnan(automatic)).any():
        raise InputError("A document that people judged has no automatic score. Score it too.")


class _Cells:
    """What the formulas share: masks, chances, and weights that sum to 1 in each row."""

    def __init__(
        self, human: Floats, automatic: Floats, sampling: Sampling, weights: Floats | None
    ) -> None:
        self.judged, self.known = ~np.isnan(human), ~np.isnan(automatic)
        self.human, self.automatic = np.nan_to_num(human), np.nan_to_num(automatic)
        self.sampling = sampling
        self.chances = sampling.inclusion(self.judged, self.known)
        sizes = np.ones(human.shape[1]) if weights is None else weights
        self.is_even = bool(np.ptp(sizes) == 0) if len(sizes) else True
        self.all_weights = _shares(self.known * sizes)
        self.weights = _shares(self.judged * _ratio(sizes[None], self.chances))
        self.drawn = self.judged & (self.chances < 1)

    def are_told(self, fewest: int) -> Mask:
        """Rows of which enough was drawn to tell of what was not."""
        is_whole = ~(self.known & ~self.judged).any(axis=1)
        return np.asarray((self.drawn.sum(axis=1) >= fewest) | is_whole)

    def check(self, fewest: int) -> None:
        if not self.are_told(fewest).all():
            slice_ = "the audit slice" if self.sampling.audit is not None else "what was drawn"
            raise InputError(
                f"People judged {self.drawn.sum(axis=1).min()} documents of {slice_}. An estimate "
                f"for the others takes at least {fewest}."
            )

    def tune(self) -> Floats:
        """The λ that makes the estimate least variable, between none and all of the judge."""
        if self.sampling.is_simple and self.is_even:
            return self._tune_plainly()
        # Least squares by what each document adds to the variance.
        parts = _shares(np.where(self.drawn, (1 - self.chances) * self.weights**2, 0.0))
        one, two = (
            values - (parts * values).sum(axis=1, keepdims=True)
            for values in (self.human, self.automatic)
        )
        covariance = (parts * one * two).sum(axis=1)
        variance = (parts * two**2).sum(axis=1)
        return np.clip(_ratio(covariance, variance), 0.0, 1.0)

    def _tune_plainly(self) -> Floats:
        """PPI++ (§6.1): its λ is of the documents without people; ours, of all, is larger."""
        size, judged = self.known.sum(axis=1), self.judged.sum(axis=1)
        means = [
            _ratio((mask * self.automatic).sum(axis=1), mask.sum(axis=1))
            for mask in (self.judged, self.known)
        ]
        near, wide = (self.automatic - mean[:, None] for mean in means)
        people = self.human - (self.weights * self.human).sum(axis=1, keepdims=True)
        covariance = _ratio((self.judged * people * near).sum(axis=1), judged)
        variance = _ratio((self.known * wide**2).sum(axis=1), size - 1)
        rest = _ratio(size - judged, size)
        lam = np.clip(_ratio(covariance * rest, variance), 0.0, 1.0)
        return _ratio(lam, rest)

    def estimate(self, lam: Floats) -> tuple[Floats, Floats]:
        """The mean, and what each judged document departs from it by, as it weighs."""
        beyond = self.human - lam[:, None] * self.automatic
        mended = (self.weights * beyond).sum(axis=1)
        value = lam * (self.all_weights * self.automatic).sum(axis=1) + mended
        return value, self.weights * (beyond - mended[:, None])

    def variance(self, lam: Floats, rests: Floats, target: str, spare: int) -> Floats:
        if target == POPULATION:
            return self._of_population(lam, rests, spare)
        drawn = self.drawn.sum(axis=1)
        if self.sampling.audit is not None:
            # The slice has a size of its own, so that it varies around its own mean alone.
            own = _ratio((self.drawn * rests).sum(axis=1), drawn)
            rests = np.where(self.drawn, rests - own[:, None], 0.0)
        squares = ((1 - self.chances) * rests**2).sum(axis=1)
        size = self._size()
        return squares * _ratio(size, np.maximum(size - spare, 1.0))

    def _of_population(self, lam: Floats, rests: Floats, spare: int) -> Floats:
        """Documents vary too: those with people's score and those without are two samples."""
        unjudged = self.known & ~self.judged
        found = np.zeros(len(lam))
        for mask, given in ((self.judged, spare), (unjudged, min(spare, 1))):
            part = self.all_weights * (self.automatic - self._centre(mask)[:, None])
            squares = (mask * (lam[:, None] * part + rests) ** 2).sum(axis=1)
            number = mask.sum(axis=1)
            found += squares * _ratio(number, number - given)
        return found

    def _centre(self, mask: Mask) -> Floats:
        """The automatic mean that a sample varies around: of its own, if it is a random one."""
        weights = self.all_weights
        if self.sampling.is_simple:
            weights = _shares(self.weights if mask is self.judged else np.where(mask, weights, 0.0))
        return np.asarray((weights * self.automatic).sum(axis=1))

    def freedom(self, spare: int) -> Floats:
        """Degrees of freedom: of what was drawn, or of all where everything was judged."""
        return np.maximum(self._size() - spare, 1.0)

    def _size(self) -> Floats:
        """As many documents of equal weight as those drawn are worth (Kish 1965, §8.2)."""
        counted = np.where(self.drawn.any(axis=1, keepdims=True), self.drawn, self.judged)
        weights = counted * self.weights
        return _ratio(weights.sum(axis=1) ** 2, (weights**2).sum(axis=1))


def _shares(values: Floats) -> Floats:
    """Rows divided by their sums; a row of zeros stays one."""
    return _ratio(values, values.sum(axis=1, keepdims=True))


def _ratio(one: NDArray[np.generic], two: NDArray[np.generic]) -> Floats:
    """Divided; 0 where there is nothing, or nearly nothing, to divide by."""
    top, bottom = np.broadcast_arrays(
        np.asarray(one, dtype=np.float64), np.asarray(two, dtype=np.float64)
    )
    return np.divide(top, bottom, out=np.zeros(top.shape), where=bottom > ROUNDING)
