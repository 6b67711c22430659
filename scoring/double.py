"""How far two people agree who wrote the units of the same references independently.

Units are matched one to one, so that the sum of their ROUGE-1 F1 is largest; a pair that shares too
few words, names other numbers, or of which one denies what the other says, is no match. F1 of the
matching is 2·matched / (units of both). Coverage asks of each content word of the references if
some unit stands on it; agreement on that is Krippendorff's alpha for two coders and nominal data
without missing values (Krippendorff 2011). Intervals are percentiles over resampled examples, since
words and units of one example go together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scoring.errors import InputError
from scoring.facts import is_negated, number_set
from scoring.metaeval.rows import steps
from scoring.percentiles import middle
from scoring.rouge import f1_of_counts, rouge_words
from scoring.stemming import content_tokens
from scoring.translation import gettext as _
from scoring.types import Span

LEAST_LIKENESS = 0.5
SAMPLES = 1000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class UnitMatch:
    """Places of two units in their lists, and how alike they are, from 0 to 1."""

    first: int
    second: int
    likeness: float


@dataclass(frozen=True, slots=True)
class Writing:
    """The units of one author for one example: their texts, and for each reference its spans."""

    texts: Sequence[str]
    spans: Sequence[Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Tally:
    """One example: units of each author, matched ones, and content words by who covers them."""

    first: int
    second: int
    matched: int
    both: int
    one: int
    neither: int

    @property
    def f1(self) -> float | None:
        return _value(_f1s(_rows([self])))

    @property
    def alpha(self) -> float | None:
        return _value(_alphas(_rows([self])))


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure with its 95 % interval; None where it can't be computed."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class DoubleAgreement:
    """Over all examples: totals, F1 of matched units, alpha on coverage, share of equal words."""

    examples: int
    total: Tally
    f1: Measure
    alpha: Measure
    percent: float | None


def match_units(
    first: Sequence[str], second: Sequence[str], *, least: float = LEAST_LIKENESS
) -> list[UnitMatch]:
    """The best one-to-one matching, in the order of *first*."""
    if not first or not second:
        return []
    likeness = np.array([[_likeness(one, other) for other in second] for one in first])
    likeness[likeness < least] = 0.0
    rows, columns = linear_sum_assignment(likeness, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [UnitMatch(a, b, float(likeness[a, b])) for a, b in pairs if likeness[a, b] > 0]


def _likeness(one: str, other: str) -> float:
    if number_set([one]) != number_set([other]) or is_negated(one) != is_negated(other):
        return 0.0
    return f1_of_counts(Counter(rouge_words(one)), Counter(rouge_words(other)))


def tally_example(references: Sequence[str], first: Writing, second: Writing) -> Tally:
    """Count what two authors made of the same references."""
    for writing in (first, second):
        if len(writing.spans) != len(references):
            raise InputError(
                _("Spans for {spans} references, expected {references}.").format(
                    spans=len(writing.spans), references=len(references)
                )
            )
    both = one = neither = 0
    for text, own, others in zip(references, first.spans, second.spans, strict=True):
        for token in content_tokens(text):
            covered = sum(_covers(spans, token.start, token.end) for spans in (own, others))
            both, one, neither = (
                both + (covered == 2),
                one + (covered == 1),
                neither + (not covered),
            )
    matched = len(match_units(first.texts, second.texts))
    return Tally(len(first.texts), len(second.texts), matched, both, one, neither)


def _covers(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(span[0] < end and span[1] > start for span in spans)


def measure_double(
    tallies: Iterable[Tally], *, samples: int = SAMPLES, seed: int = 0
) -> DoubleAgreement:
    """Agreement over all examples that either author has written."""
    rows = _rows([one for one in tallies if one.first or one.second])
    total = Tally(*(int(value) for value in rows.sum(axis=0)))
    words = total.both + total.one + total.neither
    drawn = _resampled(rows, samples, seed)
    sums = rows.sum(axis=0, keepdims=True)
    return DoubleAgreement(
        examples=len(rows),
        total=total,
        f1=_measure(_f1s(sums), _f1s(drawn), len(rows)),
        alpha=_measure(_alphas(sums), _alphas(drawn), len(rows)),
        percent=(total.both + total.neither) / words if words else None,
    )


def _rows(tallies: Sequence[Tally]) -> Floats:
    values = [[t.first, t.second, t.matched, t.both, t.one, t.neither] for t in tallies]
    return np.array(values, dtype=float).reshape(-1, 6)


def _resampled(rows: Floats, samples: int, seed: int) -> Floats:
    """Sums of examples drawn with replacement, one row a round."""
    if not len(rows):
        return np.zeros((0, 6))
    rng = np.random.default_rng(seed)
    drawn = np.empty((samples, 6))
    for part in steps(samples, len(rows)):
        size = len(drawn[part])
        drawn[part] = rng.multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size) @ rows
    return drawn


def _f1s(sums: Floats) -> Floats:
    units = sums[:, 0] + sums[:, 1]
    return np.divide(2 * sums[:, 2], units, out=np.full(len(sums), np.nan), where=units > 0)


def _alphas(sums: Floats) -> Floats:
    """1 − observed / expected disagreement; nan where every word has the same answer."""
    present = 2 * sums[:, 3] + sums[:, 4]
    absent = 2 * sums[:, 5] + sums[:, 4]
    expected = present * absent
    observed = sums[:, 4] * (present + absent - 1)
    return 1 - np.divide(observed, expected, out=np.full(len(sums), np.nan), where=expected > 0)


def _measure(value: Floats, drawn: Floats, examples: int) -> Measure:
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return Measure(_value(value), None, None)
    low, high = middle(known, examples)
    return Measure(_value(value), float(low), float(high))


def _value(values: Floats) -> float | None:
    [value] = values
    return None if np.isnan(value) else float(value)
