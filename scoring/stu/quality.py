"""How well units stand in for human SCUs: accuracy, precision and x, always the three together.

Accuracy alone can be bought with junk: with every possible unit it is high, and x tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scoring.easiness.gold import sentence_easiness, unit_accuracies


@dataclass(frozen=True, slots=True)
class ReferenceUnits:
    """A reference's sentences, its human units and the automatic ones."""

    sentences: Sequence[str]
    scus: Sequence[str]
    stus: Sequence[str]


@dataclass(frozen=True, slots=True)
class Quality:
    """`accuracy` and `precision` are nan where there is nothing to average over."""

    accuracy: float  # mean easiness of the sentences that have SCUs (§3.3)
    precision: float  # mean over STUs of ROUGE-1 F1 with the nearest SCU of their reference
    x: float  # STUs by SCU
    references: int
    sentences: int
    scus: int
    stus: int
    by_sentence: tuple[float, ...] = field(repr=False, default=())


def measure_extraction(references: Iterable[ReferenceUnits]) -> Quality:
    """The three figures over all references; each sentence and each STU weighs the same."""
    found = list(references)
    easiness = [
        value
        for one in found
        for value in sentence_easiness(one.sentences, one.scus, one.stus)
        if value is not None
    ]
    nearness = [value for one in found for value in unit_accuracies(one.stus, one.scus)]
    scus = sum(len(one.scus) for one in found)
    return Quality(
        accuracy=_mean(easiness),
        precision=_mean(nearness),
        x=len(nearness) / scus if scus else math.nan,
        references=len(found),
        sentences=len(easiness),
        scus=scus,
        stus=len(nearness),
        by_sentence=tuple(easiness),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
