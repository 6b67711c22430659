"""ROUGE-1, -2, -3 and -L (Lin 2004): n-grams and the longest common subsequence with references.

The numbers are those of the package rouge-score 0.1.2: same words, same stems, and of several
references the one with the best F, for each kind of ROUGE by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from scoring.metrics.catalogue import Option
from scoring.metrics.protocol import (
    REFERENCES,
    Floats,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.rouge import rouge_words

BEST, MEAN = "best", "mean"
OPTIONS: tuple[Option, ...] = (
    Option("stem", True, "compare words by their Porter stems"),
    Option(
        "several", BEST, "of several references: the one with the best F, or the mean", (BEST, MEAN)
    ),
)
NGRAMS = (1, 2, 3)
KINDS = (*(f"rouge{length}" for length in NGRAMS), "rougeL")
PARTS = ("recall", "precision", "f1")
F1 = PARTS.index("f1")
Gram = tuple[str, ...]
KEPT = 1024  # texts whose n-grams are kept; a reference's summaries are scored one after another


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text's words, its counted n-grams by length, and where each word stands, as bits."""

    words: list[str]
    ngrams: tuple[Counter[Gram], ...]
    places: dict[str, int]


@dataclass(frozen=True, slots=True)
class Rouge:
    """Recall, precision and F1 of each kind of ROUGE."""

    stem: bool
    several: str
    name: str = "rouge"
    columns: tuple[str, ...] = tuple(f"{kind}_{part}" for kind in KINDS for part in PARTS)
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = frozenset()

    @property
    def signature(self) -> str:
        return sign_metric(self.name, {"stem": self.stem, "several": self.several})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        check_texts(self, summaries, references, documents)
        prepare = lru_cache(KEPT)(lambda text: _prepare(text, is_stemmed=self.stem))
        values = np.empty((len(summaries), len(KINDS), len(PARTS)))
        for place in _by_reference(references):
            summary = prepare(summaries[place])
            values[place] = self._row(summary, references[place], prepare)
        return MetricTable(self.columns, values.reshape(len(summaries), -1))

    def _row(
        self, summary: Prepared, references: Sequence[str], prepare: Callable[[str], Prepared]
    ) -> Floats:
        """Kinds × parts, over one reference or several."""
        found = np.array([_compare(summary, prepare(text)) for text in references])
        if self.several == MEAN:
            return np.asarray(found.mean(axis=0))
        best = found[:, :, F1].argmax(axis=0)
        return np.asarray(found[best, np.arange(len(KINDS))])


def _by_reference(references: Texts) -> list[int]:
    """Places in an order that has all summaries of one reference together."""
    return sorted(range(len(references)), key=lambda place: tuple(references[place]))


def _prepare(text: str, *, is_stemmed: bool) -> Prepared:
    words = rouge_words(text, is_stemmed=is_stemmed)
    ngrams = tuple(
        Counter(zip(*(words[start:] for start in range(length)), strict=False)) for length in NGRAMS
    )
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << place
    return Prepared(words, ngrams, places)


def _compare(summary: Prepared, reference: Prepared) -> list[tuple[float, float, float]]:
    found = [
        _parts(count_common(mine, theirs), mine.total(), theirs.total())
        for mine, theirs in zip(summary.ngrams, reference.ngrams, strict=True)
    ]
    common = count_subsequence(summary.words, reference.places, len(reference.words))
    return [*found, _parts(common, len(summary.words), len(reference.words))]


def _parts(common: int, mine: int, theirs: int) -> tuple[float, float, float]:
    if not common:
        return 0.0, 0.0, 0.0
    recall, precision = common / theirs, common / mine
    return recall, precision, 2 * precision * recall / (precision + recall)


def count_common(first: Mapping[Gram, int], second: Mapping[Gram, int]) -> int:
    """How many of the first's n-grams the second has, each as often as both have it."""
    if len(first) > len(second):
        first, second = second, first
    return sum(min(count, second[gram]) for gram, count in first.items() if gram in second)


def count_subsequence(words: Sequence[str], places: Mapping[str, int], length: int) -> int:
    """Words of the longest common subsequence with a text of *length* words.

    A row of the usual table is one number whose zero bits are where the row steps up, so that a
    word costs two additions (Hyyrö 2004). *places* has a bit for each place of a word.
    """
    full = (1 << length) - 1
    row = full
    for word in words:
        if word in places:
            met = row & places[word]
            row = ((row + met) | (row - met)) & full
    return length - row.bit_count()


def load(options: Mapping[str, Value]) -> Rouge:
    return Rouge(stem=bool(options["stem"]), several=str(options["several"]))
