"""A text as pieces and sentences: content pieces in their context, and each sentence's vector.

The representation of Chen, Li and King (2021, §3.1): sentences are encoded one by one, stop words
and punctuation are left out of the pieces, and a sentence is the highest value of all its pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.metrics.centrality import Places
from scoring.metrics.encoding import (
    Encoded,
    Encoder,
    Vectors,
    find_content,
    pool_max,
    pool_mean,
    unit_rows,
)
from scoring.sentences import split_sentences


@dataclass(frozen=True, slots=True, eq=False)
class Hybrid:
    """Rows of length 1; `sentence_of_piece` says which sentence each piece stands in.

    `means` are the sentences as sentence encoders make them, by the mean instead of the highest.
    """

    pieces: Vectors
    sentences: Vectors
    means: Vectors
    sentence_of_piece: Places
    ids: Places

    @property
    def rows(self) -> Vectors:
        """Pieces, then sentences (eq. 1, 2)."""
        return np.concatenate([self.pieces, self.sentences])

    def keep(self, places: Places) -> Hybrid:
        """Only these sentences and their pieces."""
        kept = np.isin(self.sentence_of_piece, places)
        return Hybrid(
            self.pieces[kept],
            self.sentences[places],
            self.means[places],
            np.searchsorted(places, self.sentence_of_piece[kept]),
            self.ids[kept],
        )


def cut_sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


def build_hybrid(encoded: Sequence[Encoded]) -> Hybrid:
    """From the text's encoded sentences."""
    kept = [(one, find_content(one)) for one in encoded]
    return Hybrid(
        pieces=unit_rows(_stack([one.vectors[flags] for one, flags in kept])),
        sentences=unit_rows(_stack([pool_max(one)[np.newaxis] for one in encoded])),
        means=unit_rows(_stack([pool_mean(one)[np.newaxis] for one in encoded])),
        sentence_of_piece=np.repeat(np.arange(len(encoded)), [int(f.sum()) for _, f in kept]),
        ids=np.array([piece for one, flags in kept for piece in one.ids[flags]], dtype=np.int64),
    )


def _stack(parts: Sequence[Vectors]) -> Vectors:
    return np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)


def read_hybrids(encoder: Encoder, texts: Iterable[str]) -> dict[str, Hybrid]:
    """The distinct texts, their sentences encoded together."""
    sentences = {text: cut_sentences(text) for text in texts}
    flat = [sentence for listed in sentences.values() for sentence in listed]
    encoded = iter(encoder.encode(flat))
    return {
        text: build_hybrid([next(encoded) for _ in listed]) for text, listed in sentences.items()
    }
