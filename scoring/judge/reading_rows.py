"""The features of a question, a row for each of its units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scoring.judge import lexical, soft, uniqueness
from scoring.judge.lexical import lexical_features
from scoring.judge.protocol import Question
from scoring.judge.readings import read_text
from scoring.judge.soft import Vectors, soft_features
from scoring.judge.uniqueness import count_units, unique_features

Rows = NDArray[np.float32]

LEXICAL = (*lexical.NAMES, *uniqueness.NAMES)
EMBEDDED = (*LEXICAL, *soft.NAMES)


def lexical_rows(question: Question) -> Rows:
    """What words say, in the order of `LEXICAL`."""
    summary = read_text(question.summary)
    units = [read_text(unit) for unit in question.units]
    counts = count_units(units)
    rows = [
        lexical_features(summary, unit) + unique_features(summary, unit, counts) for unit in units
    ]
    return np.array(rows, dtype=np.float32)


def embedded_rows(question: Question, encode: Callable[[str], Vectors]) -> Rows:
    """What words and their vectors say, in the order of `EMBEDDED`."""
    summary, told = read_text(question.summary), encode(question.summary)
    rows = [soft_features(summary, read_text(unit), told, encode(unit)) for unit in question.units]
    return np.hstack([lexical_rows(question), np.array(rows, dtype=np.float32)])
