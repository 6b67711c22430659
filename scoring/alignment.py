"""Find what a unit stands on: the sentences of the references it was written from, and their words.

Words are compared by stem. The sentence with the most of the unit's content words is taken; a
further one only for content words that are still missing. Rare words weigh more than those that
every sentence has, so the name of a story's hero does not decide alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.overlap import Token, tokenize
from scoring.stemming import is_content, stem, stems
from scoring.types import Span

_LONGEST_BRIDGE = 3  # function words that may stand between two matched words of one run


@dataclass(frozen=True, slots=True)
class SentenceText:
    """A sentence of a reference: which reference, which sentence of it, and its text."""

    reference: int
    sentence: int
    text: str


@dataclass(frozen=True, slots=True)
class AlignedSpan:
    """A range of characters of one sentence, counted from the sentence's start."""

    reference: int
    sentence: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a sentence, their stems, and which of them are content."""

    source: SentenceText
    tokens: list[Token]
    stems: list[str]
    content: list[bool]

    @classmethod
    def of(cls, source: SentenceText) -> _Words:
        tokens = tokenize(source.text)
        keys = [stem(token.text) for token in tokens]
        return cls(source, tokens, keys, [is_content(token.text) for token in tokens])

    def content_stems(self) -> set[str]:
        """Of `newly-promoted` and `40ft` the parts as well, so that `newly` and `40` find them."""
        pairs = zip(self.tokens, self.content, strict=True)
        return {key for token, is_content in pairs if is_content for key in stems(token.text)}


def align_unit(unit: str, sentences: Sequence[SentenceText]) -> list[AlignedSpan]:
    """The ranges of *sentences* that carry *unit*, best sentence first, in order within each.

    A unit that shares no content word with any sentence is laid on the whole of the one whose
    spelling is nearest. The answer is empty only if the unit or all sentences are blank.
    """
    filled = [sentence for sentence in sentences if sentence.text.strip()]
    if not filled or not unit.strip():
        return []
    words = [_Words.of(sentence) for sentence in filled]
    own = _Words.of(SentenceText(-1, -1, unit))
    spans: list[AlignedSpan] = []
    missing = own.content_stems()
    weights = _weights(missing, words)
    while found := _best(missing, own, words, weights):
        spans += _spans(found, missing, set(own.stems))
        missing -= found.content_stems()
    return spans or [_nearest(unit, filled)]


def is_whole(sentence: str, start: int, end: int) -> bool:
    """Whether the range covers all words of the sentence, and does not leave it."""
    tokens = tokenize(sentence)
    if not tokens:
        return False
    return 0 <= start <= tokens[0].start and tokens[-1].end <= end <= len(sentence)


def uncovered_spans(sentence: str, spans: Sequence[Span]) -> list[Span]:
    """Longest runs of words that no span touches and that hold at least one content word."""
    runs: list[list[Token]] = [[]]
    for token in tokenize(sentence):
        if _is_covered(token, spans):
            runs.append([])
        else:
            runs[-1].append(token)
    return [
        (run[0].start, run[-1].end) for run in runs if any(is_content(word.text) for word in run)
    ]


def coverage_share(sentence: str, spans: Sequence[Span]) -> float:
    """Share of the sentence's content words that some span touches; 1.0 if it has none."""
    content = [token for token in tokenize(sentence) if is_content(token.text)]
    if not content:
        return 1.0
    return sum(_is_covered(token, spans) for token in content) / len(content)


def _is_covered(token: Token, spans: Sequence[Span]) -> bool:
    return any(start < token.end and token.start < end for start, end in spans)


def _weights(wanted: Collection[str], words: Sequence[_Words]) -> dict[str, float]:
    """The fewer sentences have a word, the more it tells which one is meant."""
    frequency = Counter(key for sentence in words for key in sentence.content_stems())
    return {key: math.log(1 + len(words) / max(frequency[key], 1)) for key in wanted}


def _best(
    missing: set[str], own: _Words, words: Sequence[_Words], weights: dict[str, float]
) -> _Words | None:
    """The sentence that has most of what is missing; None if none has any of it.

    Between equals the one wins that has more of the unit's other words in its own order, then
    the shorter one, then the first.
    """
    scored = [
        (sum(weights[key] for key in missing & sentence.content_stems()), sentence)
        for sentence in words
    ]
    top = max(score for score, _ in scored)
    if top <= 0:
        return None
    equals = [sentence for score, sentence in scored if math.isclose(score, top)]
    pairs = _pairs(own.stems)
    return max(equals, key=lambda it: (len(pairs & _pairs(it.stems)), -len(it.tokens)))


def _pairs(keys: Sequence[str]) -> set[tuple[str, str]]:
    return set(pairwise(keys))


def _spans(words: _Words, wanted: set[str], known: set[str]) -> list[AlignedSpan]:
    source = words.source
    return [
        AlignedSpan(
            source.reference, source.sentence, words.tokens[first].start, words.tokens[last].end
        )
        for first, last in _runs(words, wanted, known)
    ]


def _runs(words: _Words, wanted: set[str], known: set[str]) -> list[tuple[int, int]]:
    """First and last word of every run of matched words.

    Function words belong to a run when they stand between two of its words, or at its edge and
    in the unit as well.
    """
    runs: list[tuple[int, int]] = []
    for i, token in enumerate(words.tokens):
        if not words.content[i] or wanted.isdisjoint(stems(token.text)):
            continue
        if runs and _is_bridge(words, runs[-1][1] + 1, i):
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    widened = [_widen(words, first, last, known) for first, last in runs]
    return _joined(widened)


def _is_bridge(words: _Words, start: int, stop: int) -> bool:
    return stop - start <= _LONGEST_BRIDGE and not any(words.content[start:stop])


def _widen(words: _Words, first: int, last: int, known: set[str]) -> tuple[int, int]:
    while first > 0 and not words.content[first - 1] and words.stems[first - 1] in known:
        first -= 1
    end = len(words.tokens) - 1
    while last < end and not words.content[last + 1] and words.stems[last + 1] in known:
        last += 1
    return first, last


def _joined(runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs that came to touch each other by widening, as one."""
    joined: list[tuple[int, int]] = []
    for first, last in runs:
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def _nearest(unit: str, sentences: Sequence[SentenceText]) -> AlignedSpan:
    wanted = _trigrams(unit)
    best = max(sentences, key=lambda sentence: _dice(wanted, _trigrams(sentence.text)))
    start = len(best.text) - len(best.text.lstrip())
    return AlignedSpan(best.reference, best.sentence, start, len(best.text.rstrip()))


def _trigrams(text: str) -> set[str]:
    padded = f"  {' '.join(text.casefold().split())} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}


def _dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
