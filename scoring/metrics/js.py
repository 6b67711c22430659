"""Jensen–Shannon divergence between the n-grams of a summary and of its references.

Lin, Cao, Gao and Nie (2006) proposed it for summaries. With p and q the shares of each n-gram and
m their mean, JS = ½ Σ p log₂(p/m) + ½ Σ q log₂(q/m): 0 for equal shares, 1 where none is common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import fsum, log2, nan
from operator import add

from scoring.metrics.catalogue import Option
from scoring.metrics.pairs import BEST, MEAN, compare_all
from scoring.metrics.protocol import (
    REFERENCES,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.metrics.rouge import Gram, count_ngrams
from scoring.rouge import rouge_words
from scoring.translation import gettext_lazy

POOL = "pool"
OPTIONS: tuple[Option, ...] = (
    Option("stem", True, gettext_lazy("use Porter stems")),
    Option(
        "several",
        POOL,
        gettext_lazy(
            "with several references: pool their n-grams, or take the nearest or the mean"
        ),
        (POOL, BEST, MEAN),
    ),
)
NGRAMS = (1, 2)
Counts = tuple[Counter[Gram], ...]


@dataclass(frozen=True, slots=True)
class JensenShannon:
    """Divergence of unigrams and of bigrams; less is better."""

    stem: bool
    several: str
    name: str = "js"
    columns: tuple[str, ...] = ("js1", "js2")
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = frozenset({"js1", "js2"})

    @property
    def signature(self) -> str:
        return sign_metric(self.name, {"stem": self.stem, "several": self.several})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        found = compare_all(summaries, references, self._prepare, self._row, len(self.columns))
        return MetricTable(self.columns, found)

    def _prepare(self, text: str) -> Counts:
        words = rouge_words(text, is_stemmed=self.stem)
        return tuple(count_ngrams(words, length) for length in NGRAMS)

    def _row(self, summary: Counts, references: list[Counts]) -> list[float]:
        by_length = zip(*references, strict=True)
        return [self._fold(mine, theirs) for mine, theirs in zip(summary, by_length, strict=True)]

    def _fold(self, mine: Counter[Gram], theirs: Sequence[Counter[Gram]]) -> float:
        if self.several == POOL:
            return divergence(mine, reduce(add, theirs))
        found = [divergence(mine, other) for other in theirs if other]
        if not found:
            return nan
        return min(found) if self.several == BEST else sum(found) / len(found)


def divergence(mine: Mapping[Gram, int], theirs: Mapping[Gram, int]) -> float:
    """In bits. A summary without n-grams shares nothing; without theirs there is no answer.

    An n-gram that only one side has adds half its share, so that only common ones need logarithms.
    """
    if not theirs:
        return nan
    if not mine:
        return 1.0
    ours, others = sum(mine.values()), sum(theirs.values())
    common = (
        (count / ours, theirs[gram] / others) for gram, count in mine.items() if gram in theirs
    )
    parts = (p * log2(p / (p + q)) + q * log2(q / (p + q)) for p, q in common)
    # An exact sum: texts of the same counts tie, in whatever order their words stand.
    return max(1.0 + fsum(parts) / 2, 0.0)


def load(options: Mapping[str, Value]) -> JensenShannon:
    return JensenShannon(stem=bool(options["stem"]), several=str(options["several"]))
