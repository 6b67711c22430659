"""Which sentence of the source each sentence of an extractive summary is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.metrics.ncg import UNMATCHED
from scoring.rouge import f1_of_counts, rouge_words


@dataclass(frozen=True, slots=True)
class Source:
    """A source's sentences by their words."""

    exact: dict[tuple[str, ...], int]
    counted: tuple[Counter[str], ...]

    @classmethod
    def of_sentences(cls, sentences: Sequence[str]) -> Source:
        words = [tuple(rouge_words(sentence, is_stemmed=False)) for sentence in sentences]
        exact: dict[tuple[str, ...], int] = {}
        for place, listed in enumerate(words):
            exact.setdefault(listed, place)
        return cls(exact, tuple(Counter(listed) for listed in words))


def match_sentences(summary: Sequence[str], source: Source, least: float) -> list[int]:
    """For each sentence of the summary its place in the source, or UNMATCHED.

    First by the same words in the same order; then by the best F1 of shared words, if that is at
    least so much. Case and punctuation do not count.
    """
    return [_match(sentence, source, least) for sentence in summary]


def _match(sentence: str, source: Source, least: float) -> int:
    words = rouge_words(sentence, is_stemmed=False)
    found = source.exact.get(tuple(words))
    if found is not None:
        return found
    counted = Counter(words)
    shared = [f1_of_counts(counted, other) for other in source.counted]
    best = max(range(len(shared)), key=shared.__getitem__, default=UNMATCHED)
    return best if shared and shared[best] >= least else UNMATCHED


def list_unmatched(summary: Sequence[str], source: Source, least: float) -> list[str]:
    """The sentences of a summary that the source does not have."""
    places = match_sentences(summary, source, least)
    return [sentence for sentence, place in zip(summary, places, strict=True) if place == UNMATCHED]
