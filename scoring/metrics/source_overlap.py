"""Words of the summary against those of its source, without references or encoders.

TF-IDF: the cosine of weighted word counts, a word's weight from how few sentences of the source
have it. JS: the Jensen–Shannon divergence of the two distributions of words (Louis and Nenkova
2013). Stop words are left out and words compared by their stems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np

from scoring.metrics.catalogue import Option
from scoring.metrics.hybrid import cut_sentences
from scoring.metrics.protocol import (
    DOCUMENTS,
    Floats,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.stemming import content_stems

OPTIONS: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceWords:
    """Counted words of a source, all its documents together, and the sentences that have each."""

    counts: Counter[str]
    sentences: int
    having: Counter[str]

    @classmethod
    def of_documents(cls, documents: Sequence[str]) -> SourceWords:
        listed = [content_stems(one) for text in documents for one in cut_sentences(text)]
        counts = Counter(word for words in listed for word in words)
        return cls(counts, len(listed), Counter(word for words in listed for word in set(words)))

    def weigh(self, word: str) -> float:
        """log((N + 1) / (n + 1)) + 1: also a word of every sentence weighs something."""
        return log((self.sentences + 1) / (self.having[word] + 1)) + 1


@dataclass(frozen=True, slots=True)
class SourceOverlap:
    """The cosine and the divergence."""

    name: str = "source_overlap"
    columns: tuple[str, ...] = ("tfidf", "js")
    needs: frozenset[str] = frozenset({DOCUMENTS})
    lower: frozenset[str] = field(default_factory=lambda: frozenset({"js"}))

    @property
    def signature(self) -> str:
        return sign_metric(self.name, {})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        sources = {key: SourceWords.of_documents(key) for key in set(map(tuple, documents))}
        rows = [
            _score(Counter(content_stems(summary)), sources[tuple(texts)])
            for summary, texts in zip(summaries, documents, strict=True)
        ]
        return MetricTable(self.columns, np.array(rows).reshape(-1, len(self.columns)))


def _score(summary: Counter[str], source: SourceWords) -> tuple[float, float]:
    words = sorted({*summary, *source.counts})
    told = np.array([summary[word] for word in words], dtype=np.float64)
    asked = np.array([source.counts[word] for word in words], dtype=np.float64)
    weights = np.array([source.weigh(word) for word in words])
    return find_cosine(told * weights, asked * weights), find_divergence(told, asked)


def find_cosine(first: Floats, second: Floats) -> float:
    lengths = np.linalg.norm(first) * np.linalg.norm(second)
    return float(first @ second / lengths) if lengths else 0.0


def find_divergence(first: Floats, second: Floats) -> float:
    """Jensen–Shannon, in bits: 0 for the same shares, 1 where no word is common."""
    if not first.sum() or not second.sum():
        return 1.0
    shares = np.stack([first / first.sum(), second / second.sum()])
    middle = shares.mean(axis=0)
    logs = np.log2(np.divide(shares, middle, out=np.ones_like(shares), where=shares > 0))
    return float((shares * logs).sum() / 2)


def load(options: Mapping[str, Value]) -> SourceOverlap:
    return SourceOverlap()
