"""Scores of a label set: per system and per summary, with their doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.evaluation.models import LabelSet

METHODS = ("exhaustive", "original", "lite")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A system's mean over documents, with a 95 % interval from resampling documents."""

    system: str
    kind: str
    score: float | None
    low: float | None
    high: float | None
    documents: int
    rank: int


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two systems on the same documents; p-values are two-sided, `holm` over all pairs."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_permutation: float
    holm: float

    @property
    def is_separable(self) -> bool:
        return self.holm <= 0.05


@dataclass(frozen=True, slots=True)
class Scores:
    """Systems from best to worst, every pair of them, and the line that reproduces it."""

    method: str
    sample: int | None
    seed: int
    rows: list[ScoreRow]
    pairs: list[PairRow]
    signature: str


def get_scores(
    label_set: LabelSet, *, method: str = "exhaustive", sample: int | None = None, seed: int = 0
) -> Scores:
    raise NotImplementedError


def describe_labels(label_set: LabelSet) -> dict[str, Any]:
    raise NotImplementedError
