"""Means of people's scores, from few of theirs and an automatic score of every document.

Prediction-powered inference: the automatic mean over all documents, times λ, and what people say
beyond λ times the automatic score on the documents that they judged (Angelopoulos, Duchi & Zrnic
2023, "PPI++", §2 and §6). λ = 0 is people alone, λ = 1 takes the automatic score at its word; the
tuned λ makes the estimate least variable, so that a bad judge costs little.

A λ that is tuned on the documents that it then corrects makes the estimate biased. So λ is
cross-fitted: each judged document is corrected by a λ that was tuned without it. With documents
drawn at random, or an audit slice, and equal weights, the estimate is then exactly unbiased,
however wrong the judge is; with unequal weights or probabilities it is a ratio, and its bias
vanishes as 1 / n. A λ that is given, not tuned, is unbiased in the same cases.

A document is the unit that is drawn: all that was said of its summaries and their content units
counts as one observation, with a weight where documents count by their size. Unequal chances of
being judged are mended by weights 1 / chance (Horvitz & Thompson 1952, in Hájek's ratio form).

The target is one of

- `documents`: the mean over these very documents, had people judged all of them. What was judged
  is known, so that variance is only of the rest (finite population correction);
- `population`: the mean over all documents of the kind that these were drawn from.

With few documents, the variance is the jackknife's (that of HC3): each document's residual is what
the others predict of it. t stands for the normal quantile. Where rows are systems judged on the
same documents, `is_moderated` draws each one's variance towards their mean, as a moderated t does
(Smyth 2004): a few skewed scores that happen to be alike no longer make an interval narrow. It
counts as up to 4 further documents for the variance, and as half of them for t. `is_asymptotic`
gives the formulas of the paper to the letter, whose λ is not cross-fitted.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.estimation.sampling import Sampling
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

DOCUMENTS, POPULATION = "documents", "population"
TARGETS = (DOCUMENTS, POPULATION)
LEVEL = 0.95
FEWEST = 3  # drawn documents, below which a tuned λ leaves no degree of freedom
PRIOR = 4  # documents that the mean variance of other rows counts as
FEW = 20  # below so many, intervals rest on the shape of the scores' distribution
# Variances below this are of scores that are all the same.
ROUNDING = 1e-24


@dataclass(frozen=True, eq=False)
class Means:
    """By row: the mean, its error and interval, the mean λ, and how many documents stand behind.

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
    is_moderated: bool = False,
    is_asymptotic: bool = False,
) -> Means:
    """Each row's mean: rows × documents, where nan is a score that is not there.

    Without a *lam* it is tuned. What people judged needs an automatic score too.
    """
    check_scores(human, automatic, target, level)
    cells = _Cells(human, automatic, sampling or Sampling(), weights)
    spare = 2 if lam is None else 1
    cells.check(spare + 1)
    lams = np.full(human.shape, lam or 0.0) if lam is not None else cells.tune(not is_asymptotic)
    value = cells.estimate(lams)
    variance = cells.variance(lams, target, is_asymptotic)
    freedom = np.full(len(human), np.inf) if is_asymptotic else cells.freedom(spare)
    if is_moderated:
        is_open = (variance > 0) | (cells.known & ~cells.judged).any(axis=1)
        variance, freedom = moderate(variance, cells.size, freedom, is_open)
    error = np.sqrt(variance)
    reach = quantile(level, freedom) * error
    return Means(
        value,
        error,
        value - reach,
        value + reach,
        p_values(value, error, freedom),
        cells.mean_of(lams),
        freedom,
        cells.judged.sum(axis=1),
        cells.known.sum(axis=1),
    )


def count_prior(rows: int) -> int:
    return max(min(PRIOR, rows - 1), 0)


def moderate(
    variance: Floats, size: Floats, freedom: Floats, is_open: Mask
) -> tuple[Floats, Floats]:
    """Variances of means of *size* documents drawn towards the rows' typical one, and t's freedom.

    Rows that are not open are known exactly, and stay.
    """
    prior = count_prior(int(is_open.sum()))
    if not prior:
        return variance, freedom
    each = variance * size
    drawn = (freedom * each + prior * each[is_open].mean()) / (freedom + prior)
    return np.where(is_open, drawn / size, variance), freedom + prior / 2


def can_be_estimated(human: Floats, automatic: Floats, sampling: Sampling) -> Mask:
    """Rows that are judged in enough documents for an estimate with a tuned λ."""
    enough = (~np.isnan(human)).sum(axis=1) >= FEWEST
    return np.asarray(enough & _Cells(human, automatic, sampling, None).are_enough(FEWEST))


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
        raise InputError(
            _("There is no target '{target}'. Known: {targets}.").format(
                target=target, targets=", ".join(TARGETS)
            )
        )
    if not 0 < level < 1:
        raise InputError(
            _("The level is {level}. Expected a share between 0 and 1, such as 0.95.").format(
                level=level
            )
        )
    if human.shape != automatic.shape or human.ndim != 2:
        raise InputError(
            _(
                "Human scores have the shape {shape}, automatic scores {shape_2}. "
                "Expected rows × documents of the same shape."
            ).format(shape=human.shape, shape_2=automatic.shape)
        )
    if (~np.isnan(human) & np.isnan(automatic)).any():
        raise InputError(
            _("A document with a human score has no automatic score. Score it as well.")
        )


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

    def are_enough(self, fewest: int) -> Mask:
        """Rows of which enough was drawn to tell of what was not."""
        is_whole = ~(self.known & ~self.judged).any(axis=1)
        return np.asarray((self.drawn.sum(axis=1) >= fewest) | is_whole)

    def check(self, fewest: int) -> None:
        if not self.are_enough(fewest).all():
            slice_ = (
                _("the audit slice")
                if self.sampling.audit is not None
                else _("the drawn documents")
            )
            raise InputError(
                _(
                    "People judged {min} documents in {slice}. An estimate "
                    "for the others needs at least {fewest}."
                ).format(min=self.drawn.sum(axis=1).min(), slice=slice_, fewest=fewest)
            )

    def tune(self, is_cross_fitted: bool) -> Floats:
        """By judged document, the λ that makes the estimate least variable, between none and all.

        Cross-fitted, each document's is tuned on the others. Of a random sample it is that of
        PPI++ (§6.1), which is of the documents without people; ours, of all, is larger. Otherwise
        it is of least squares, by what each document adds to the variance.
        """
        is_plain = self.sampling.is_simple and self.is_even
        added = self.weights if is_plain else (1 - self.chances) * self.weights**2
        parts = _shares(np.where(self.drawn, added, 0.0))
        people, judge = (_centred(values, parts) for values in (self.human, self.automatic))
        taken = parts if is_cross_fitted else np.zeros(parts.shape)
        covariance = _without_each(parts, taken, people * judge)
        if is_plain:
            size = self.known.sum(axis=1, keepdims=True)
            rest = _ratio(size - self.judged.sum(axis=1, keepdims=True) + is_cross_fitted, size)
            wide = _centred(self.automatic, self.all_weights)
            variance = _ratio((self.known * wide**2).sum(axis=1, keepdims=True), size - 1)
            found = _ratio(np.clip(_ratio(covariance * rest, variance), 0.0, 1.0), rest)
        else:
            variance = _without_each(parts, taken, judge**2)
            found = np.clip(_ratio(covariance, variance), 0.0, 1.0)
        # What a ranker chose is not drawn; where documents vary, it shares the others' mean λ.
        return np.where(self.drawn, found, self.mean_of(self.drawn * found)[:, None])

    def mean_of(self, lams: Floats) -> Floats:
        """Of drawn documents, as they weigh; of all that were judged, where none was drawn."""
        parts = _shares(np.where(self._counted(), self.weights, 0.0))
        return np.asarray((parts * lams).sum(axis=1))

    def estimate(self, lams: Floats) -> Floats:
        """People's mean, moved by what each document's λ makes of how it differs from the others.

        What a drawn document is compared with are all documents but the other drawn ones, of which
        it is a random one: so the comparison is 0 on average, whatever λ the others gave.
        """
        weights = np.where(self.drawn, self.weights, 0.0)
        parts = _shares(weights)
        gap = ((self.all_weights - self.weights) * self.automatic).sum(axis=1, keepdims=True)
        apart = -(1 - self.chances) * _centred(self.automatic, parts)
        moved = _ratio(gap, weights.sum(axis=1, keepdims=True)) + _centred(apart, parts)
        return np.asarray((self.weights * self.human + weights * lams * moved).sum(axis=1))

    def variance(self, lams: Floats, target: str, is_asymptotic: bool) -> Floats:
        """The jackknife's, of documents; as in the paper, without its small-sample factors."""
        # A slice has a size of its own, so that it varies around its own mean alone.
        is_slice = self.sampling.audit is not None and target == DOCUMENTS
        parts = _shares(np.where(self.drawn if is_slice else self.judged, self.weights, 0.0))
        rests = _centred(self.human, parts) - lams * _centred(self.automatic, parts)
        size = self.size
        factor = np.ones(len(size))
        if not is_asymptotic:
            rests, factor = _ratio(rests, 1 - parts), _ratio(size - 1, size)
        rests = np.where(parts > 0, self.weights * rests, 0.0)
        if target == DOCUMENTS:
            return np.asarray(((1 - self.chances) * rests**2).sum(axis=1) * factor)
        # Documents vary too: those with people's score and those without are two samples.
        unjudged = self.known & ~self.judged
        judge, other = (
            self.mean_of(lams)[:, None] * self.all_weights * (self.automatic - self._centre(mask))
            for mask in (self.judged, unjudged)
        )
        number = unjudged.sum(axis=1)
        wide = 1.0 if is_asymptotic else _ratio(number, number - 1)
        found = factor * (self.judged * (judge + rests) ** 2).sum(axis=1)
        return np.asarray(found + wide * (unjudged * other**2).sum(axis=1))

    def _centre(self, mask: Mask) -> Floats:
        """The automatic mean that a sample varies around: of its own, if it is a random one."""
        weights = self.all_weights
        if self.sampling.is_simple:
            weights = _shares(self.weights if mask is self.judged else np.where(mask, weights, 0.0))
        return np.asarray((weights * self.automatic).sum(axis=1, keepdims=True))

    def freedom(self, spare: int) -> Floats:
        """Degrees of freedom: of what was drawn, or of all where everything was judged."""
        return np.maximum(self.size - spare, 1.0)

    @property
    def size(self) -> Floats:
        """As many documents of equal weight as those drawn are worth (Kish 1965, §8.2)."""
        weights = self._counted() * self.weights
        return _ratio(weights.sum(axis=1) ** 2, (weights**2).sum(axis=1))

    def _counted(self) -> Mask:
        return np.where(self.drawn.any(axis=1, keepdims=True), self.drawn, self.judged)


def _shares(values: Floats) -> Floats:
    """Rows divided by their sums; a row of zeros stays one."""
    return _ratio(values, values.sum(axis=1, keepdims=True))


def _centred(values: Floats, parts: Floats) -> Floats:
    return values - (parts * values).sum(axis=1, keepdims=True)


def _without_each(parts: Floats, taken: Floats, products: Floats) -> Floats:
    """Weighted means of products of centred values, without what is taken of each document.

    The others' centre moves when one is left out; that is the second division.
    """
    left = 1 - taken
    whole = (parts * products).sum(axis=1, keepdims=True)
    return _ratio(whole - _ratio(taken * products, left), left)


def _ratio(one: NDArray[np.generic], two: NDArray[np.generic]) -> Floats:
    """Divided; 0 where there is nothing, or nearly nothing, to divide by."""
    top, bottom = np.broadcast_arrays(
        np.asarray(one, dtype=np.float64), np.asarray(two, dtype=np.float64)
    )
    return np.divide(top, bottom, out=np.zeros(top.shape), where=bottom > ROUNDING)
