"""Counts a gold dataset while it passes by."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence

from scoring.io.gold.records import GoldCounts, GoldExample, GoldSystem


class Counter:
    """Add examples one by one. Only the workers are remembered, to count each once."""

    def __init__(self) -> None:
        self._tally: Tally[str] = Tally()
        self._workers: set[str] = set()

    def add(self, example: GoldExample) -> None:
        labels = [label for values in example.labels.values() for label in values]
        self._tally.update(
            examples=1,
            summaries=len(example.summaries),
            units=len(example.units),
            labels=sum(label is not None for label in labels),
            present=sum(label == 1 for label in labels),
            unlabelled=sum(label is None for label in labels),
            adjudicated=len(example.adjudications),
            answers=len(example.answers),
            answers_kept=sum(answer.kept for answer in example.answers),
            assignments=len({answer.assignment for answer in example.answers}),
            assignments_kept=len({item.assignment for item in example.answers if item.kept}),
        )
        self._workers.update(answer.worker for answer in example.answers if answer.worker)

    def counts(self, systems: Sequence[GoldSystem]) -> GoldCounts:
        return GoldCounts(systems=len(systems), workers=len(self._workers), **self._tally)


def count_gold(systems: Iterable[GoldSystem], examples: Iterable[GoldExample]) -> GoldCounts:
    """How much a dataset holds. An assignment is about one example, so its examples tell it."""
    counter = Counter()
    for example in examples:
        counter.add(example)
    return counter.counts(list(systems))
