"""What the words of a summary say about a unit, as numbers.

One row for each pair of summary and unit; `NAMES` says what stands where. Everything is read off
one table: which word of the unit has the stem of which word of the summary.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.judge.readings import Flags, Floats, Reading

NAMES = (
    "words",
    "content words",
    "coverage",
    "unmatched",
    "weighted coverage",
    "weight unmatched",
    "heaviest unmatched",
    "coverage of all words",
    "last word matched",
    "first word matched",
    "last two matched",
    "second half matched",
    "sentence: weighted coverage",
    "sentence: coverage",
    "sentence: unmatched",
    "sentence: last word matched",
    "sentence: first word matched",
    "sentence: coverage of all words",
    "second sentence: weighted coverage",
    "two sentences: weighted coverage",
    "wide window: weighted coverage",
    "window: weighted coverage",
    "numbers",
    "numbers unmatched",
    "numbers unmatched in sentence",
    "names",
    "names unmatched",
    "names unmatched in sentence",
    "unit negated",
    "sentence negated",
    "negation differs",
    "pairs of words",
    "sentence: pairs of content words",
    "sentence: words in order",
    "sentence: content words in order",
    "words of summary",
    "sentences of summary",
    "words of sentence",
    "place of sentence",
    "spelling",
    "worst spelling",
    "weighted spelling",
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A summary and a unit, and all that several features ask for."""

    summary: Reading
    unit: Reading
    same: Flags  # unit's words × summary's words
    content: NDArray[np.int64]  # places of the unit's content words
    weights: Floats  # of those, adding up to 1
    in_sentence: Flags  # unit's words × sentences
    by_sentence: Floats  # weighted coverage

    @property
    def best(self) -> int:
        return int(self.by_sentence.argmax())


def lexical_features(summary: Reading, unit: Reading) -> list[float]:
    """The row of one pair, in the order of `NAMES`."""
    pair = _look(summary, unit)
    return [
        *_coverage(pair),
        *_sentence(pair),
        *_windows(pair),
        *_kinds(pair),
        *_order(pair),
        *_sizes(pair),
        *_spelling(pair),
    ]


def convincing_sentence(summary: Reading, unit: Reading) -> int:
    """The place of the sentence that has most of the unit's words, by weight."""
    return summary.sentences[_look(summary, unit).best]


def _look(summary: Reading, unit: Reading) -> _Pair:
    same = np.equal.outer(unit.stems, summary.stems)
    content = np.flatnonzero(unit.is_content)
    weights = unit.weights[content] / unit.weights[content].sum()
    in_sentence = np.logical_or.reduceat(same, summary.starts, axis=1)
    return _Pair(summary, unit, same, content, weights, in_sentence, weights @ in_sentence[content])


def _coverage(pair: _Pair) -> list[float]:
    matched: Flags = np.logical_or.reduce(pair.same, axis=1)
    found = matched[pair.content]
    rare = pair.unit.weights[pair.content] * ~found
    return [
        len(pair.unit),
        len(found),
        found.mean(),
        (~found).sum(),
        pair.weights @ found,
        rare.sum(),
        rare.max(),
        matched.mean(),
        found[-1],
        found[0],
        found[-2:].mean(),
        found[len(found) // 2 :].mean(),
    ]


def _sentence(pair: _Pair) -> list[float]:
    matched = pair.in_sentence[:, pair.best]
    found = matched[pair.content]
    ordered = np.sort(pair.by_sentence)
    two = pair.in_sentence[:, :-1] | pair.in_sentence[:, 1:]
    wide = (pair.weights @ two[pair.content]).max() if two.shape[1] else ordered[-1]
    return [
        ordered[-1],
        found.mean(),
        (~found).sum(),
        found[-1],
        found[0],
        matched.mean(),
        ordered[-2] if len(ordered) > 1 else 0.0,
        wide,
    ]


def _windows(pair: _Pair) -> list[float]:
    """The best weighted coverage in any stretch of the summary, of two lengths."""
    counts = np.cumsum(pair.same[pair.content], axis=1)
    counts = np.concatenate([np.zeros((len(counts), 1), counts.dtype), counts], axis=1)
    size = len(pair.summary)
    found = []
    for length in (max(2 * len(pair.unit), 8), len(pair.unit) + 2):
        length = min(length, size)
        has = counts[:, length:] > counts[:, : size + 1 - length]
        found.append((pair.weights @ has).max())
    return found


def _kinds(pair: _Pair) -> list[float]:
    """Numbers, names and negation."""
    matched, near = pair.same.any(axis=1), pair.in_sentence[:, pair.best]
    row: list[float] = []
    for flags in (pair.unit.is_number, pair.unit.is_name):
        row += [flags.sum(), (flags & ~matched).sum(), (flags & ~near).sum()]
    start, end = _bounds(pair)
    asked = bool(pair.unit.is_negation.any())
    told = bool(pair.summary.is_negation[start:end].any())
    return [*row, asked, told, asked != told]


def _order(pair: _Pair) -> list[float]:
    """Pairs of neighbours that the summary has too, and words that stand in the same order."""
    start, end = _bounds(pair)
    near = pair.same[:, start:end]
    told = near[np.ix_(pair.content, np.flatnonzero(pair.summary.is_content[start:end]))]
    neighbours = _neighbours(pair.same)
    return [
        neighbours.mean() if len(neighbours) else 0.0,
        _neighbours(told).mean() if len(told) > 1 else float(told.any()),
        _longest_common(near) / len(near),
        _longest_common(told) / len(told),
    ]


def _sizes(pair: _Pair) -> list[float]:
    start, end = _bounds(pair)
    return [len(pair.summary), len(pair.summary.starts), end - start, pair.best]


def _spelling(pair: _Pair) -> list[float]:
    """How near the spelling of each content word comes to some word of the summary."""
    matched: Flags = np.logical_or.reduce(pair.same, axis=1)
    near = np.array([1.0 if matched[i] else _nearest(pair, int(i)) for i in pair.content])
    return [near.mean(), near.min(), pair.weights @ near]


def _nearest(pair: _Pair, place: int) -> float:
    """Dice's coefficient of the trigrams of letters, the highest of any word."""
    own = pair.unit.trigrams[place]
    shares = (
        2 * len(own & other) / (len(own) + len(other) or 1) for other in pair.summary.trigrams
    )
    return max(shares)


def _bounds(pair: _Pair) -> tuple[int, int]:
    """The words of the best sentence."""
    ends = [*pair.summary.starts[1:], len(pair.summary)]
    return int(pair.summary.starts[pair.best]), int(ends[pair.best])


def _neighbours(same: Flags) -> Flags:
    """For each pair of neighbours among the rows, whether some neighbours match both."""
    return np.asarray((same[:-1, :-1] & same[1:, 1:]).any(axis=1))


def _longest_common(same: Flags) -> int:
    """The length of the longest common subsequence, from who matches whom."""
    best = np.zeros(same.shape[1] + 1, dtype=np.int64)
    for row in np.asarray(same):
        best[1:] = np.maximum(best[1:], best[:-1] + row)
        np.maximum.accumulate(best, out=best)
    return int(best[-1])
