"""What ranks candidates, and says how many units a reference is worth.

The ranker is a forest of small trees, grown by XGBoost and read here without it: for the few
candidates of a reference a call of the library costs more than the trees do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.stu.rich.features import FEATURES

FORMAT = 1
SHIPPED = "stu_ranker.json"

Floats = NDArray[np.float32]
Places = NDArray[np.int64]


class Ranker(Protocol):
    """`counts` are the weights of `budget`; `version` changes with what was learnt."""

    version: str
    counts: tuple[float, ...]

    def rank(self, rows: Floats) -> Floats:
        """How near each candidate may be to a unit that people would write, from 0 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees that all have the same depth: row by tree, what is asked and what is answered.

    Question i leads to question 2 i + 1 where the feature is below the threshold, else to the
    next; the answers follow the last questions.
    """

    asked: Places
    thresholds: Floats
    answers: Floats
    start: float

    def read(self, rows: Floats) -> Floats:
        trees, questions = self.asked.shape
        is_above = rows[:, self.asked.ravel()] >= self.thresholds.ravel()
        first = np.arange(trees) * questions
        begins = np.arange(len(rows))[:, None] * is_above.shape[1] + first
        reached = np.zeros((len(rows), trees), dtype=np.int64)
        turns = is_above.ravel()
        for _ in range(questions.bit_length()):
            reached = 2 * reached + 1 + turns[begins + reached]
        leaves = np.arange(trees) * self.answers.shape[1] + reached - questions
        found: Floats = self.answers.ravel()[leaves].sum(axis=1) + np.float32(self.start)
        return found


class ForestRanker:
    """A trained ranker."""

    def __init__(self, forest: Forest, counts: Sequence[float]) -> None:
        self.forest = forest
        self.counts = tuple(counts)
        self.version = f"ranker-{hashlib.sha256(self.to_bytes()).hexdigest()[:12]}"

    def rank(self, rows: Floats) -> Floats:
        return self.forest.read(rows)

    def to_bytes(self) -> bytes:
        found = {
            "format": FORMAT,
            "features": FEATURES,
            "counts": self.counts,
            "start": self.forest.start,
            "asked": self.forest.asked.tolist(),
            "thresholds": _short(self.forest.thresholds),
            "answers": _short(self.forest.answers),
        }
        return (json.dumps(found, separators=(",", ":")) + "\n").encode()


def _short(table: Floats) -> list[list[float]]:
    """As few digits as give the same single-precision numbers again."""
    return [[float(str(value)) for value in row] for row in table]


def read_ranker(data: bytes, name: str) -> ForestRanker:
    try:
        found: dict[str, Any] = json.loads(data)
    except ValueError as error:
        raise InputError(f"{name} is not JSON: {error}.") from error
    if found.get("format") != FORMAT or tuple(found.get("features", ())) != FEATURES:
        raise InputError(f"{name} was made by another version of Giza. Train the ranker again.")
    forest = Forest(
        np.array(found["asked"], dtype=np.int64),
        np.array(found["thresholds"], dtype=np.float32),
        np.array(found["answers"], dtype=np.float32),
        found["start"],
    )
    return ForestRanker(forest, found["counts"])


@cache
def load_shipped() -> ForestRanker:
    """The ranker that comes with Giza."""
    return read_ranker(files("scoring.backends.models").joinpath(SHIPPED).read_bytes(), SHIPPED)
