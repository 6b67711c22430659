"""ROUGE-WE (Ng and Abrecht 2015): ROUGE-N in which like words count as far as they are alike.

The same n-grams are matched first, as ROUGE does. What is left is matched one to one, for the
highest sum of cosines; pairs below a bound do not count. An n-gram's vector is the product of its
words' vectors, place by place. Where nothing is alike enough this is ROUGE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment

from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import (
    ENCODER,
    Encoder,
    Vectors,
    load_encoder,
    sign_encoder,
    unit_rows,
)
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
from scoring.translation import gettext_lazy

OPTIONS: tuple[Option, ...] = (
    ENCODER,
    Option(
        "least",
        0.5,
        gettext_lazy("minimum cosine for two n-grams to match; above 1: exact matches only"),
    ),
)
NGRAMS = (1, 2, 3)
PARTS = ("recall", "precision", "f1")
F1 = PARTS.index("f1")
Gram = tuple[str, ...]


@dataclass(frozen=True)
class RougeWe:
    """Recall, precision and F1 for n-grams of 1, 2 and 3 words; the reference with the best F."""

    options: Mapping[str, Value]
    name: str = "rouge_we"
    columns: tuple[str, ...] = tuple(f"rouge_we{n}_{part}" for n in NGRAMS for part in PARTS)
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def signature(self) -> str:
        signed = sign_encoder(str(self.options["encoder"]))
        return sign_metric(self.name, {**self.options, "encoder": signed})

    @cached_property
    def encoder(self) -> Encoder:
        return load_encoder(str(self.options["encoder"]))

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        words = {
            text: rouge_words(text, is_stemmed=False)
            for text in {*summaries, *(text for texts in references for text in texts)}
        }
        vocabulary = sorted({word for listed in words.values() for word in listed})
        table = dict(zip(vocabulary, unit_rows(self.encoder.embed_words(vocabulary)), strict=True))
        rows = [
            self._row(words[summary], [words[text] for text in texts], table)
            for summary, texts in zip(summaries, references, strict=True)
        ]
        return MetricTable(self.columns, np.array(rows).reshape(-1, len(self.columns)))

    def _row(
        self,
        summary: Sequence[str],
        references: Sequence[Sequence[str]],
        table: Mapping[str, Vectors],
    ) -> Floats:
        least = float(self.options["least"])
        found = np.array(
            [
                [
                    compare(count_grams(summary, n), count_grams(one, n), table, least)
                    for n in NGRAMS
                ]
                for one in references
            ]
        )
        best = found[:, :, F1].argmax(axis=0)
        return np.asarray(found[best, np.arange(len(NGRAMS))]).reshape(-1)


def count_grams(words: Sequence[str], length: int) -> Counter[Gram]:
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))


def compare(
    summary: Counter[Gram], reference: Counter[Gram], table: Mapping[str, Vectors], least: float
) -> tuple[float, float, float]:
    """Recall, precision and F1; zeros where nothing is common."""
    same = summary & reference
    likeness = match_rest(
        list((summary - same).elements()), list((reference - same).elements()), table, least
    )
    common = same.total() + likeness
    if not common:
        return 0.0, 0.0, 0.0
    recall, precision = common / reference.total(), common / summary.total()
    return recall, precision, 2 * precision * recall / (precision + recall)


def match_rest(
    first: Sequence[Gram], second: Sequence[Gram], table: Mapping[str, Vectors], least: float
) -> float:
    """The highest sum of cosines of a one-to-one matching."""
    if not first or not second or least > 1:
        return 0.0
    cosines = _multiply(first, table) @ _multiply(second, table).T
    counted = np.where(cosines >= least, cosines, 0.0)
    rows, columns = linear_sum_assignment(counted, maximize=True)
    return float(counted[rows, columns].sum())


def _multiply(grams: Sequence[Gram], table: Mapping[str, Vectors]) -> Vectors:
    """The product of the words' vectors, brought to length 1."""
    stacked = np.array([[table[word] for word in gram] for gram in grams])
    return unit_rows(stacked.prod(axis=1))


def load(options: Mapping[str, Value]) -> RougeWe:
    return RougeWe(dict(options))
