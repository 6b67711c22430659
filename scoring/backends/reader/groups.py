"""What the reader learns from: a text, and statements that follow from it or don't."""

from __future__ import annotations

from dataclasses import dataclass

ENTAILMENT, NEUTRAL, CONTRADICTION = 0, 1, 2
NOT_ENTAILMENT = 3  # one of the latter two; the data don't say which


@dataclass(frozen=True, slots=True)
class Labelled:
    """A statement, and how it relates to its text."""

    text: str
    label: int


@dataclass(frozen=True, slots=True)
class Group:
    """A text with its statements; they are read in one sequence."""

    premise: str
    statements: tuple[Labelled, ...]
    source: str
