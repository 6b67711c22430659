"""The features of a question, a row for each of its units."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.judge import lexical, soft, uniqueness
from scoring.judge.frequencies import DocumentFrequencies
from scoring.judge.lexical import lexical_features
from scoring.judge.protocol import Question
from scoring.judge.readings import read_text
from scoring.judge.soft import Matches, Vectors, match_words, weigh_matches
from scoring.judge.uniqueness import count_units, unique_features

Rows = NDArray[np.float32]

LEXICAL = (*lexical.NAMES, *uniqueness.NAMES)
EMBEDDED = (*LEXICAL, *soft.NAMES)


def lexical_rows(question: Question, frequencies: DocumentFrequencies | None = None) -> Rows:
    """What words say, in the order of `LEXICAL`; rare words by the table that ships, or another."""
    summary = read_text(question.summary, frequencies)
    units = [read_text(unit, frequencies) for unit in question.units]
    counts = count_units(units)
    rows = [
        lexical_features(summary, unit) + unique_features(summary, unit, counts) for unit in units
    ]
    return np.array(rows, dtype=np.float32)


def embedded_rows(
    question: Question,
    encode: Callable[[str], Vectors],
    frequencies: DocumentFrequencies | None = None,
) -> Rows:
    """What words and their vectors say, in the order of `EMBEDDED`."""
    return weigh_rows(question, match_units(question, encode), frequencies)


def match_units(question: Question, encode: Callable[[str], Vectors]) -> list[Matches]:
    """What vectors say of each unit: most of the time, and the same for every table."""
    summary, told = read_text(question.summary, None), encode(question.summary)
    return [match_words(summary, told, encode(unit)) for unit in question.units]


def weigh_rows(
    question: Question, matches: Sequence[Matches], frequencies: DocumentFrequencies | None
) -> Rows:
    rows = [
        weigh_matches(found, read_text(unit, frequencies))
        for found, unit in zip(matches, question.units, strict=True)
    ]
    return np.hstack([lexical_rows(question, frequencies), np.array(rows, dtype=np.float32)])
