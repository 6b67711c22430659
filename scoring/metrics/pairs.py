"""Summaries against references, where a text is prepared once however often it is compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np

from scoring.metrics.protocol import Floats, Texts

BEST, MEAN = "best", "mean"
KEPT = 1024  # prepared texts that are kept: all summaries of one reference are taken together
Prepared = TypeVar("Prepared")


def compare_all(
    summaries: Sequence[str],
    others: Texts,
    prepare: Callable[[str], Prepared],
    compare: Callable[[Prepared, list[Prepared]], Sequence[float]],
    width: int,
) -> Floats:
    """A row of *width* numbers for each summary, from it and what it is compared with."""
    prepared = lru_cache(KEPT)(prepare)
    values = np.empty((len(summaries), width))
    for place in sorted(range(len(others)), key=lambda place: tuple(others[place])):
        texts = [prepared(text) for text in others[place]]
        values[place] = compare(prepared(summaries[place]), texts)
    return values


def fold_references(found: Sequence[Sequence[float]], several: str, by: int = 0) -> Sequence[float]:
    """One row from a row for each reference: the highest in column *by*, or the mean."""
    if several == BEST:
        return max(found, key=lambda row: row[by])
    return [sum(column) / len(found) for column in zip(*found, strict=True)]
