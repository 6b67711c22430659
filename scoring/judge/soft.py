"""What contextual vectors say about a unit: how near each of its words comes to some word.

Vectors have length 1, one for each word and layer of the encoder. `NAMES` says what stands where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.judge.readings import Floats, Reading

LAYERS = (3, 6)
_EACH = (
    "mean",
    "lowest",
    "second lowest",
    "weighted mean",
    "last word",
    "first word",
    "mean of all words",
    "sentence: weighted mean",
    "sentence: mean",
    "sentence: lowest",
    "sentence: last word",
)
NAMES = (
    *(f"layer {layer}: {name}" for layer in LAYERS for name in _EACH),
    "cosine of the texts",
    "highest cosine of a sentence",
)

Vectors = Mapping[int, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Matches:
    """How near each word of a unit comes to each sentence of a summary, by layer."""

    by_sentence: Mapping[int, NDArray[np.float32]]
    cosines: tuple[float, float]


def soft_features(
    summary: Reading, unit: Reading, summary_vectors: Vectors, unit_vectors: Vectors
) -> list[float]:
    """The row of one pair, in the order of `NAMES`."""
    return weigh_matches(match_words(summary, summary_vectors, unit_vectors), unit)


def match_words(summary: Reading, summary_vectors: Vectors, unit_vectors: Vectors) -> Matches:
    """What is the same whichever words are rare."""
    by_sentence = {
        layer: np.maximum.reduceat(
            unit_vectors[layer] @ summary_vectors[layer].T, summary.starts, axis=1
        )
        for layer in LAYERS
    }
    return Matches(
        by_sentence, _cosines(summary, summary_vectors[LAYERS[-1]], unit_vectors[LAYERS[-1]])
    )


def weigh_matches(matches: Matches, unit: Reading) -> list[float]:
    """The row of one pair, its words weighed by how rare they are."""
    row: list[float] = []
    for layer in LAYERS:
        row += _layer(matches.by_sentence[layer], unit)
    return [*row, *matches.cosines]


def _layer(by_sentence: NDArray[np.float32], unit: Reading) -> list[float]:
    content = np.flatnonzero(unit.is_content)
    weights = unit.weights[content] / unit.weights[content].sum()
    near = by_sentence.max(axis=1)
    found = near[content]
    ordered = np.sort(found)
    sums = weights @ by_sentence[content]
    best = by_sentence[content, int(sums.argmax())]
    return [
        found.mean(),
        ordered[0],
        ordered[min(1, len(ordered) - 1)],
        weights @ found,
        found[-1],
        found[0],
        near.mean(),
        sums.max(),
        best.mean(),
        best.min(),
        best[-1],
    ]


def _cosines(
    summary: Reading, told: NDArray[np.float32], asked: NDArray[np.float32]
) -> tuple[float, float]:
    whole = _unit(asked.mean(axis=0))
    sentences = np.add.reduceat(told, summary.starts, axis=0)
    return float(_unit(told.mean(axis=0)) @ whole), float((_unit(sentences) @ whole).max())


def _unit(vectors: NDArray[np.float32]) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float64)
