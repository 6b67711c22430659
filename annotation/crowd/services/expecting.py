"""Units that a plan has somebody write: how many an example will have, before they are there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F, QuerySet

from annotation.units.models import (
    Assignment,
    AssignmentState,
    SentencePlan,
    Unit,
    UnitKind,
    UnitSet,
)
from scoring.overlap import tokenize
from scoring.planning.prices import WORDS_PER_SCU

READ_CHUNK = 2000


def list_planned_examples(unit_set: UnitSet) -> QuerySet[Any]:
    """The ids of examples whose sentences are planned."""
    rows = SentencePlan.objects.filter(set=unit_set).order_by()
    return rows.values(example=F("sentence__reference__example"))


def count_expected(unit_set: UnitSet, counts: Mapping[int, int]) -> dict[int, int]:
    """Units of each example once it is written: the STUs there are, and SCUs by words.

    Who has written more than that is believed, and so is who says that an example is done.
    """
    written = _count_scus(unit_set)
    done = set(
        Assignment.objects.filter(set=unit_set)
        .exclude(state=AssignmentState.TODO)
        .values_list("example_id", flat=True)
    )
    found = dict(counts)
    for example, expected in _count_planned(unit_set).items():
        if example not in done:
            has = written.get(example, 0)
            found[example] = counts.get(example, 0) - has + max(has, expected)
    return found


def _count_scus(unit_set: UnitSet) -> dict[int, int]:
    rows = Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.SCU)
    found: dict[int, int] = {}
    for example in rows.order_by().values_list("example_id", flat=True).iterator(READ_CHUNK):
        found[example] = found.get(example, 0) + 1
    return found


def _count_planned(unit_set: UnitSet) -> dict[int, int]:
    """SCUs that the sentences of each example need, an SCU for every few words."""
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    fields = ("start", "end", "reference__text", "reference__example_id")
    texts = rows.values_list(*(f"sentence__{name}" for name in fields))
    found: dict[int, int] = {}
    for start, end, text, example in texts.iterator(READ_CHUNK):
        words = len(tokenize(text[start:end]))
        found[example] = found.get(example, 0) + max(1, round(words / WORDS_PER_SCU))
    return found
