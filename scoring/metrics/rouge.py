"""ROUGE-1, -2, -3 and -L (Lin 2004): n-grams and the longest common subsequence with references.

The numbers are those of the package rouge-score 0.1.2: same words, same stems, and of several
references the one with the best F, for each kind of ROUGE by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from scoring.metrics.catalogue import Option
from scoring.metrics.pairs import BEST, MEAN, compare_all, fold_references
from scoring.metrics.protocol import (
    REFERENCES,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.rouge import rouge_words
from scoring.translation import gettext_lazy

OPTIONS: tuple[Option, ...] = (
    Option("stem", True, gettext_lazy("use Porter stems")),
    Option(
        "several",
        BEST,
        gettext_lazy("with several references: the best F1 or the mean"),
        (BEST, MEAN),
    ),
)
NGRAMS = (1, 2, 3)
KINDS = (*(f"rouge{length}" for length in NGRAMS), "rougeL")
PARTS = ("recall", "precision", "f1")
Gram = tuple[str, ...]
Parts = tuple[float, float, float]


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
        summaries, references, documents = check_texts(self, summaries, references, documents)
        found = compare_all(summaries, references, self._prepare, self._row, len(self.columns))
        return MetricTable(self.columns, found)

    def _prepare(self, text: str) -> Prepared:
        words = rouge_words(text, is_stemmed=self.stem)
        ngrams = tuple(count_ngrams(words, length) for length in NGRAMS)
        return Prepared(words, ngrams, find_places(words))

    def _row(self, summary: Prepared, references: list[Prepared]) -> list[float]:
        """All kinds in a row; each is taken over the references by itself."""
        kinds = zip(*(_compare(summary, reference) for reference in references), strict=True)
        best = (fold_references(found, self.several, PARTS.index("f1")) for found in kinds)
        return list(chain.from_iterable(best))


def count_ngrams(words: Sequence[str], length: int) -> Counter[Gram]:
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))


def find_places(words: Sequence[str]) -> dict[str, int]:
    """For each word a number whose bits are the places where it stands."""
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << place
    return places


def _compare(summary: Prepared, reference: Prepared) -> list[Parts]:
    found = [
        _parts(count_common(mine, theirs), mine.total(), theirs.total())
        for mine, theirs in zip(summary.ngrams, reference.ngrams, strict=True)
    ]
    common = count_subsequence(summary.words, reference.places, len(reference.words))
    return [*found, _parts(common, len(summary.words), len(reference.words))]


def _parts(common: int, mine: int, theirs: int) -> Parts:
    if not common:
        return 0.0, 0.0, 0.0
    recall, precision = common / theirs, common / mine
    return recall, precision, 2 * precision * recall / (precision + recall)


def count_common(first: Mapping[Gram, int], second: Mapping[Gram, int]) -> int:
    """How many n-grams two texts share, each as often as both have it."""
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
