"""Baselines of length: a metric that a plain count of words equals has measured nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.metrics.catalogue import Option
from scoring.metrics.protocol import (
    DOCUMENTS,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.rouge import rouge_words

OPTIONS: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Length:
    """Words of the summary, and the share of the source's words that they are."""

    name: str = "length"
    columns: tuple[str, ...] = ("words", "compression")
    needs: frozenset[str] = frozenset({DOCUMENTS})
    lower: frozenset[str] = frozenset()

    @property
    def signature(self) -> str:
        return sign_metric(self.name, {})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        words = np.array([_count([text]) for text in summaries], dtype=np.float64)
        source = np.array([_count(texts) for texts in documents], dtype=np.float64)
        shares = np.divide(words, source, out=np.full_like(words, np.nan), where=source > 0)
        return MetricTable(self.columns, np.column_stack([words, shares]))


def _count(texts: Sequence[str]) -> int:
    return sum(len(rouge_words(text, is_stemmed=False)) for text in texts)


def load(options: Mapping[str, Value]) -> Length:
    return Length()
