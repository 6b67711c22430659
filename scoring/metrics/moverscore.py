"""MoverScore (Zhao et al. 2019): one less what it costs to move a summary's words to a reference's.

Words stand for themselves by their first piece; punctuation and the marks at the ends are left
out. Of several references the best counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.metrics.bertscore import AT_ONCE, IDF, hash_file, read_texts
from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import (
    ENCODER,
    LAYER,
    Encoded,
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
from scoring.metrics.rarity import Rarity
from scoring.metrics.transport import move, share_evenly
from scoring.translation import gettext_lazy

OPTIONS: tuple[Option, ...] = (
    ENCODER,
    LAYER,
    Option("depth", 1, gettext_lazy("number of layers to combine, by mean, maximum and minimum")),
    IDF,
)


@dataclass(frozen=True, slots=True, eq=False)
class Heap:
    """A text's words as rows of length 1, and their weights, which sum to 1."""

    rows: Vectors
    weights: Floats


@dataclass(frozen=True)
class MoverScore:
    """1 − the earth mover's distance; 0 for an empty text."""

    options: Mapping[str, Value]
    name: str = "moverscore"
    columns: tuple[str, ...] = ("moverscore",)
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = field(default_factory=frozenset)

    @property
    def _named(self) -> tuple[str, int, int]:
        options = self.options
        return str(options["encoder"]), int(options["layer"]), int(options["depth"])

    @cached_property
    def signature(self) -> str:
        files = {"idf": hash_file(str(self.options["idf"]))}
        return sign_metric(self.name, {"encoder": sign_encoder(*self._named), **files})

    @cached_property
    def encoder(self) -> Encoder:
        return load_encoder(*self._named)

    @cached_property
    def rarity(self) -> Rarity | None:
        path = str(self.options["idf"])
        return Rarity.of_pieces(self.encoder.read(read_texts(path))) if path else None

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        values = np.zeros((len(summaries), 1))
        order = sorted(range(len(summaries)), key=lambda place: tuple(references[place]))
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            texts = [text for one in places for text in (summaries[one], *references[one])]
            heaps = self._read(dict.fromkeys(texts))
            for place in places:
                found = (heaps[text] for text in references[place])
                values[place] = max(compare(heaps[summaries[place]], heap) for heap in found)
        return MetricTable(self.columns, values)

    def _read(self, texts: Mapping[str, None]) -> dict[str, Heap]:
        encoded = self.encoder.encode(list(texts))
        return {one.text: build_heap(one, self.rarity) for one in encoded}


def build_heap(encoded: Encoded, rarity: Rarity | None) -> Heap:
    letters = np.array([encoded.text[start : start + 1].isalnum() for start, _ in encoded.spans])
    kept = encoded.begins & letters
    count = int(kept.sum())
    weights = rarity.weigh(encoded.ids[kept]) if rarity else np.ones(count)
    total = weights.sum()
    even = share_evenly(count) if count else np.zeros(0)
    return Heap(unit_rows(encoded.vectors[kept]), weights / total if total > 0 else even)


def compare(summary: Heap, reference: Heap) -> float:
    if not len(summary.rows) or not len(reference.rows):
        return 0.0
    return 1 - move(summary.rows, reference.rows, summary.weights, reference.weights)


def load(options: Mapping[str, Value]) -> MoverScore:
    return MoverScore(dict(options))
