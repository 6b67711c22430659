"""Word, sentence, and sentence-and-word mover's similarity (Clark, Çelikyilmaz and Smith 2019).

A text is a heap of words, of sentences that weigh as many words as they have, or of both. The
similarity is e to the minus of the earth mover's distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp

import numpy as np

from scoring.metrics.bertscore import AT_ONCE
from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import (
    ENCODER,
    LAYER,
    Encoded,
    Encoder,
    Vectors,
    load_encoder,
    pool_words,
    sign_encoder,
    unit_rows,
)
from scoring.metrics.hybrid import cut_sentences
from scoring.metrics.protocol import (
    REFERENCES,
    Floats,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.metrics.transport import find_distances

OPTIONS: tuple[Option, ...] = (ENCODER, LAYER)
COLUMNS = ("word", "sentence", "both")


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Words, then sentences; how many words there are; and each row's weight in words."""

    rows: Vectors
    words: int
    weights: Floats

    def heaps(self) -> tuple[slice, slice, slice]:
        """Which rows are words, sentences, both."""
        return slice(self.words), slice(self.words, None), slice(None)


@dataclass(frozen=True)
class Movers:
    """The three similarities, of several references the best of each; 0 for an empty text."""

    options: Mapping[str, Value]
    name: str = "movers"
    columns: tuple[str, ...] = COLUMNS
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def signature(self) -> str:
        signed = sign_encoder(str(self.options["encoder"]), int(self.options["layer"]))
        return sign_metric(self.name, {"encoder": signed})

    @cached_property
    def encoder(self) -> Encoder:
        return load_encoder(str(self.options["encoder"]), int(self.options["layer"]))

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        values = np.zeros((len(summaries), len(self.columns)))
        order = sorted(range(len(summaries)), key=lambda place: tuple(references[place]))
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            texts = [text for one in places for text in (summaries[one], *references[one])]
            layers = self._read(dict.fromkeys(texts))
            for place in places:
                told = layers[summaries[place]]
                found = [list(compare(told, layers[text])) for text in references[place]]
                values[place] = np.max(found, axis=0)
        return MetricTable(self.columns, values)

    def _read(self, texts: Mapping[str, None]) -> dict[str, Layers]:
        sentences = {text: cut_sentences(text) for text in texts}
        flat = [sentence for listed in sentences.values() for sentence in listed]
        encoded = iter(self.encoder.encode(flat))
        return {
            text: build_layers([next(encoded) for _ in listed])
            for text, listed in sentences.items()
        }


def build_layers(sentences: Sequence[Encoded]) -> Layers:
    """A sentence is the mean of its words; one without words is left out."""
    words = [unit_rows(rows) for one in sentences if len(rows := pool_words(one))]
    if not words:
        return Layers(np.zeros((0, 1), dtype=np.float32), 0, np.zeros(0))
    means = unit_rows(np.stack([rows.mean(axis=0) for rows in words]))
    sizes = [len(rows) for rows in words]
    return Layers(
        np.concatenate([*words, means]), sum(sizes), np.array([*[1.0] * sum(sizes), *sizes])
    )


def compare(summary: Layers, reference: Layers) -> Iterator[float]:
    """The three similarities, all from one table of distances."""
    from scoring.backends.transport import move_earth

    if not summary.words or not reference.words:
        yield from [0.0] * len(COLUMNS)
        return
    distances = find_distances(summary.rows, reference.rows)
    for mine, theirs in zip(summary.heaps(), reference.heaps(), strict=True):
        cost = move_earth(summary.weights[mine], reference.weights[theirs], distances[mine, theirs])
        yield exp(-cost)


def load(options: Mapping[str, Value]) -> Movers:
    return Movers(dict(options))
