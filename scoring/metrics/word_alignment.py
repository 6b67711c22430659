"""The words of one text set against those of another, each at most once, in few chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

Candidate = tuple[int, float]  # a place in the other text, and what a match there counts
BEAM = 40
NOWHERE = -2  # no word stands before the first, so that it begins a chunk

# A partial alignment, the better the smaller: minus its matches, minus their weight, chunks,
# distance; then where the word before was matched, and the taken places that matter still, as bits.
State = tuple[int, float, int, int, int, int]


def align(candidates: Sequence[Sequence[Candidate]]) -> tuple[int, float, int]:
    """Matched words, their weights together, and the chunks that they lie in."""
    beam: list[State] = [(0, 0.0, 0, 0, NOWHERE, 0)]
    for place, (found, later) in enumerate(zip(candidates, _claims(candidates), strict=True)):
        may_skip = any(later >> there & 1 for there, _ in found)
        steps = (step for state in beam for step in _steps(state, place, found, may_skip=may_skip))
        beam = _best((*step[:5], step[5] & later) for step in steps)
    matched, weight, chunks, *_ = min(beam)
    return -matched, -weight, chunks


def _claims(candidates: Sequence[Sequence[Candidate]]) -> list[int]:
    """For each word, the places that words after it may still take, as bits."""
    own = [sum(1 << there for there, _ in found) for found in candidates]
    after = list(accumulate(reversed(own), int.__or__, initial=0))
    return after[-2::-1]


def _steps(state: State, place: int, found: Sequence[Candidate], *, may_skip: bool) -> list[State]:
    """What the state becomes with the word at each place that is free, and without it."""
    matched, weight, chunks, distance, last, used = state
    steps = [
        (
            matched - 1,
            weight - worth,
            chunks + (there != last + 1),
            distance + abs(place - there),
            there,
            used | 1 << there,
        )
        for there, worth in found
        if not used >> there & 1
    ]
    if may_skip or not steps:
        steps.append((matched, weight, chunks, distance, NOWHERE, used))
    return steps


def _best(states: Iterable[State]) -> list[State]:
    """The first few; of those that can go on alike, the best alone."""
    alike: dict[tuple[int, int], State] = {}
    for state in states:
        key = state[4:]
        if key not in alike or state < alike[key]:
            alike[key] = state
    return sorted(alike.values())[:BEAM] if len(alike) > BEAM else list(alike.values())
