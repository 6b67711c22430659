"""A second target: what a writer's hour buys is less error in scores, not more likeness.

The damage of a sentence is the mean, over systems, of how much its document's score changes when
the sentence's SCUs give way to its STUs under a judge.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.planning.orders import true_damage
from scoring.planning.study import UnitStudy
from scoring.planning.tables import SentenceTables

Floats = NDArray[np.float64]


def sentence_damage(study: UnitStudy) -> Floats:
    """By sentence, in points of its document's score; a study's size does not matter."""
    return true_damage(SentenceTables.of(study)) * len(study.documents)
