"""Where two metrics prefer different systems on the same document (Akter et al. 2022, §6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from scoring.errors import InputError
from scoring.metrics.protocol import Floats
from scoring.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Documents on which two metrics order two systems alike, otherwise, or one not at all."""

    first: str
    second: str
    agree: int
    disagree: int
    tied: int


def count_disagreements(systems: Sequence[str], one: Floats, other: Floats) -> list[Disagreement]:
    """By pair of systems, from two matrices systems × documents in which more is better.

    Documents where a metric has no answer for a system do not count.
    """
    if one.shape != other.shape or len(one) != len(systems):
        raise InputError(
            _(
                "The metrics' scores are {shape} and {shape_2} for {systems} systems. "
                "Expected a row for each system and a column for each document, in both."
            ).format(shape=one.shape, shape_2=other.shape, systems=len(systems))
        )
    return [
        _count(systems[a], systems[b], np.sign(one[a] - one[b]), np.sign(other[a] - other[b]))
        for a, b in combinations(range(len(systems)), 2)
    ]


def _count(first: str, second: str, one: Floats, other: Floats) -> Disagreement:
    product = (one * other)[~np.isnan(one) & ~np.isnan(other)]
    return Disagreement(
        first, second, int((product > 0).sum()), int((product < 0).sum()), int((product == 0).sum())
    )


def lay_out(
    documents: Sequence[str], systems: Sequence[str], values: Floats
) -> tuple[list[str], Floats]:
    """Names of systems, and a matrix systems × documents; nan where a summary is missing."""
    rows = {name: place for place, name in enumerate(dict.fromkeys(systems))}
    columns = {name: place for place, name in enumerate(dict.fromkeys(documents))}
    found = np.full((len(rows), len(columns)), np.nan)
    for document, system, value in zip(documents, systems, values, strict=True):
        found[rows[system], columns[document]] = value
    return list(rows), found
