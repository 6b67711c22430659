"""Whether rows of campaigns are the same as when they were last read, and what was kept of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from annotation.crowd.models import Campaign, CampaignChange, ChangeKind
from annotation.memory import Memory

V = TypeVar("V")
KEPT = 256


def _same(value: V) -> V:
    return value


def get_answer_stamp(campaigns: Sequence[Campaign]) -> tuple[Any, ...]:
    """Another one when an assignment comes in or is decided.

    Judgements come in one transaction with their assignment and never change.
    """
    stamps = read_stamps(campaigns, [ChangeKind.ANSWERS])
    return tuple((row.token, stamps[row.pk]) for row in campaigns)


def read_stamps(
    campaigns: Sequence[Campaign], kinds: Sequence[ChangeKind]
) -> dict[int, tuple[Any, ...]]:
    """By campaign, the marks that the database has set since rows of these kinds were written.

    Read them before the rows: what is kept under marks may be newer than they are, never older.
    """
    marks: dict[int, list[Any]] = {row.pk: [] for row in campaigns}
    rows = CampaignChange.objects.filter(campaign__in=list(marks), kind__in=kinds)
    for campaign, kind, mark in rows.values_list("campaign", "kind", "mark"):
        marks[campaign].append((kind, mark))
    return {pk: tuple(sorted(found)) for pk, found in marks.items()}


class Kept(Generic[V]):
    """What is summed up over all rows of a campaign, until the database says that some are others.

    *kinds* are the rows that it depends on. A function makes the values of several campaigns at
    once; what else a value depends on is named with each question.
    """

    def __init__(
        self, make: Callable[[Sequence[Campaign]], dict[int, V]], *kinds: ChangeKind
    ) -> None:
        self.make = make
        self.kinds = kinds
        self._memory: Memory[V] = Memory(KEPT)

    def of(self, campaign: Campaign, *parts: Hashable) -> V:
        key = (campaign.token, read_stamps([campaign], self.kinds)[campaign.pk], *parts)
        return self._memory.get(key, lambda: self.make([campaign])[campaign.pk])

    def of_all(self, campaigns: Sequence[Campaign]) -> dict[int, V]:
        """In two queries, however many campaigns there are."""
        stamps = read_stamps(campaigns, self.kinds)
        keys = {row.pk: (row.token, stamps[row.pk]) for row in campaigns}
        there = {pk: self._memory.find(key) for pk, key in keys.items()}
        found = {pk: value for pk, value in there.items() if value is not None}
        missing = [row for row in campaigns if row.pk not in found]
        made = self.make(missing) if missing else {}
        for pk, value in made.items():
            found[pk] = self._memory.get(keys[pk], partial(_same, value))
        return found
