"""How many units people would write of a sentence, so that a choice can have as many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.stu.rich.features import KINDS, Pool

Floats = NDArray[np.float64]

COUNTED = ("names", "nouns", "verbs", "prepositions", "adjectives", "numbers", "pronouns")
RELATIONS = (("conj",), ("appos", "relcl", "acl"), ("prep",))
TAGS = (",", "CC")
SIZE = 6 + len(COUNTED) + len(RELATIONS) + len(TAGS)
# Rounding and the error of the count are kept on the near side of what was asked for.
MARGIN = 0.98
_RIDGE = 3.0


def count_values(pools: Sequence[Pool]) -> Floats:
    """A row for each sentence of a reference."""
    return np.array([_row(pool, place, len(pools)) for place, pool in enumerate(pools)])


def _row(pool: Pool, place: int, sentences: int) -> list[float]:
    tags, relations = pool.tree.tags, pool.tree.relations
    return [
        1.0,
        sum(not is_mute for is_mute in pool.tree.is_mute),
        len(pool.facts),
        sentences,
        place,
        sum(pool.tree.parse.opens),
        *(sum(tag in KINDS[kind] for tag in tags) for kind in COUNTED),
        *(sum(relation in group for relation in relations) for group in RELATIONS),
        *(tags.count(tag) for tag in TAGS),
    ]


def fit_counts(rows: Floats, counts: Floats) -> list[float]:
    """Weights of a ridge regression: few numbers, since there are few references to learn from."""
    square = rows.T @ rows + _RIDGE * np.eye(rows.shape[1])
    return [float(weight) for weight in np.linalg.solve(square, rows.T @ counts)]


def budget_of(rows: Floats, weights: Sequence[float], x: float) -> int:
    """Units for a reference at *x* units by human unit; at least one."""
    expected = np.maximum(rows @ np.asarray(weights), 0).sum()
    return max(1, int(MARGIN * x * float(expected) + 0.5))
