from __future__ import annotations

import numpy as np

from scoring.stu.rich.choice import choose
from tests.scoring.stu.rich.candidates import pools

SENTENCES = (
    "The mayor opened the bridge in Ammer on Friday.",
    "Norway goalkeeper Erik Lund has joined a club on a short loan.",
)


def values_of(count: int, *best: int) -> np.ndarray:
    found = np.full(count, 0.1, dtype=np.float32)
    found[list(best)] = 0.9
    return found


def test_it_takes_the_best_first() -> None:
    found = pools(*SENTENCES)
    first = len(found[0].facts)
    chosen = choose(found, values_of(first + len(found[1].facts), 1, first), 2)
    assert [(place, one) for place, one, _ in chosen] == [(0, 1), (1, 0)]


def test_it_takes_no_more_than_the_budget_and_no_more_than_there_are() -> None:
    found = pools(SENTENCES[0])
    size = len(found[0].facts)
    assert len(choose(found, values_of(size), 3)) == 3
    assert len(choose(found, values_of(size), size + 9)) == size
    assert choose(found, values_of(size), 0) == []


def test_it_keeps_the_order_of_the_text() -> None:
    found = pools(*SENTENCES)
    size = sum(len(pool.facts) for pool in found)
    chosen = choose(found, np.linspace(0, 1, size).astype(np.float32), size)
    assert [row[:2] for row in chosen] == sorted(row[:2] for row in chosen)


def test_it_prefers_what_is_less_like_the_chosen() -> None:
    (pool,) = found = pools(SENTENCES[0])
    nearest = int(np.argsort(pool.likeness[0])[-2])
    farthest = int(np.argmin(pool.likeness[0]))
    values = values_of(len(pool.facts), 0)
    values[nearest] = values[farthest] = 0.5
    assert [one for _, one, _ in choose(found, values, 2)] == sorted([0, farthest])


def test_it_compares_candidates_of_one_sentence_alone() -> None:
    found = pools(SENTENCES[0], SENTENCES[0])
    size = len(found[0].facts)
    chosen = choose(found, values_of(2 * size, 0, size), 2)
    assert [row[:2] for row in chosen] == [(0, 0), (1, 0)]
