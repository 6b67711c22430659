"""How extractive a summary is (Grusky, Naaman and Artzi 2018, section 3): pieces of its source.

Going through the summary, the longest run of words that the source has too is taken each time.
With f the lengths of these fragments and n the summary's words, coverage is Σ f / n, density
Σ f² / n, and copied is the share of words in fragments of at least three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

from scoring.metrics.catalogue import Option
from scoring.metrics.pairs import compare_all
from scoring.metrics.protocol import (
    DOCUMENTS,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.rouge import rouge_words

LONG = 3  # words from which on a common run is hardly chance
OPTIONS: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Indexed:
    """A text's words, and where each stands."""

    words: list[str]
    places: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Extractive:
    name: str = "extractive"
    columns: tuple[str, ...] = ("coverage", "density", "copied")
    needs: frozenset[str] = frozenset({DOCUMENTS})
    lower: frozenset[str] = frozenset()

    @property
    def signature(self) -> str:
        return sign_metric(self.name, {})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        found = compare_all(summaries, documents, _index, _row, len(self.columns))
        return MetricTable(self.columns, found)


def _index(text: str) -> Indexed:
    words = rouge_words(text, is_stemmed=False)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return Indexed(words, places)


def _row(summary: Indexed, sources: list[Indexed]) -> tuple[float, float, float]:
    size = len(summary.words)
    if not size:
        return nan, nan, nan
    found = find_fragments(summary.words, sources)
    return (
        sum(found) / size,
        sum(length * length for length in found) / size,
        sum(length for length in found if length >= LONG) / size,
    )


def find_fragments(words: Sequence[str], sources: Sequence[Indexed]) -> list[int]:
    """Lengths of the fragments, in order; none runs from one source into another."""
    found, start = [], 0
    while start < len(words):
        length = max(_longest(words, start, source) for source in sources)
        if length:
            found.append(length)
        start += max(length, 1)
    return found


def _longest(words: Sequence[str], start: int, source: Indexed) -> int:
    return max(
        (
            _common(words, start, source.words, place)
            for place in source.places.get(words[start], ())
        ),
        default=0,
    )


def _common(first: Sequence[str], start: int, second: Sequence[str], place: int) -> int:
    length = 0
    most = min(len(first) - start, len(second) - place)
    while length < most and first[start + length] == second[place + length]:
        length += 1
    return length


def load(options: Mapping[str, Value]) -> Extractive:
    return Extractive()
