"""Counts a gold dataset while it passes by."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence

from scoring.io.gold.records import GoldCounts, GoldExample, GoldSystem


class Counter:
    """Add examples one by one. Workers and systems are remembered, to count each once."""

    def __init__(self) -> None:
        self._tally: Tally[str] = Tally()
        self._workers: set[str] = set()
        self._judged: set[str] = set()
        self._answers: list[int] = []

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
            examples_without_units=not example.units,
        )
        self._workers.update(answer.worker for answer in example.answers if answer.worker)
        self._add_judged(example)
        self._add_answers(example)

    def _add_judged(self, example: GoldExample) -> None:
        """What has at least one label."""
        judged = {
            system: values
            for system, values in example.labels.items()
            if any(label is not None for label in values)
        }
        # A file that is being checked may have more labels than units.
        kinds = [
            unit.kind
            for unit, *labels in zip(example.units, *judged.values(), strict=False)
            if any(label is not None for label in labels)
        ]
        self._judged.update(judged)
        self._tally.update(
            judged_examples=bool(judged),
            judged_summaries=len(judged),
            judged_scus=kinds.count("scu"),
            judged_stus=kinds.count("stu"),
        )

    def _add_answers(self, example: GoldExample) -> None:
        """The fewest and the most answers that a statement has."""
        found = Tally((answer.system, answer.unit) for answer in example.answers).values()
        if found:
            known = [*self._answers, *found]
            self._answers = [min(known), max(known)]

    def counts(self, systems: Sequence[GoldSystem]) -> GoldCounts:
        least, most = self._answers or (0, 0)
        return GoldCounts(
            systems=len(systems),
            workers=len(self._workers),
            judged_systems=len(self._judged),
            answers_least=least,
            answers_most=most,
            **self._tally,
        )


def count_gold(systems: Iterable[GoldSystem], examples: Iterable[GoldExample]) -> GoldCounts:
    """How much a dataset holds. An assignment is about one example, so its examples tell it."""
    counter = Counter()
    for example in examples:
        counter.add(example)
    return counter.counts(list(systems))
