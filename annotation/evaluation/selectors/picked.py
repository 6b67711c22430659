"""One example of those that a run or labels are of: the one asked for, and those next to it.

Nothing lists them all: there may be ten thousand.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict

from annotation.corpora.models import Example, Summary
from annotation.evaluation.models import JudgeRun, LabelSet, SummaryLabels, SummaryPresence


@dataclass(frozen=True, slots=True)
class Picked:
    """`unknown` is a name that was asked for and is none of theirs."""

    example: Example
    before: int | None
    after: int | None
    unknown: str = ""


def list_judged_examples(run: JudgeRun) -> QuerySet[Example]:
    judged = SummaryPresence.objects.filter(run=run, summary=OuterRef("pk"))
    return _ordered(run.project_id).filter(_has_summary(judged))


def list_labelled_examples(label_set: LabelSet) -> QuerySet[Example]:
    labelled = SummaryLabels.objects.filter(label_set=label_set, summary=OuterRef("pk"))
    return _ordered(label_set.project_id).filter(_has_summary(labelled))


def _has_summary(rows: QuerySet[Any]) -> Exists:
    """By an example's few summaries, each looked up: a join may begin with all rows of a run."""
    return Exists(Summary.objects.filter(Exists(rows), example=OuterRef("pk")))


def list_summary_ids(examples: Collection[int]) -> list[int]:
    return list(Summary.objects.filter(example__in=examples).values_list("pk", flat=True))


def _ordered(project: int) -> QuerySet[Example]:
    return Example.objects.filter(project=project).order_by("position", "pk")


def pick_example(rows: QuerySet[Example], query: QueryDict) -> Picked | None:
    """By `name`, as somebody typed it, or by the id in `example`; else the first."""
    name, asked = query.get("name", "").strip(), query.get("example", "")
    named = rows.filter(key=name).first() if name else None
    found = named or (rows.filter(pk=asked).first() if _is_id(asked) else None) or rows.first()
    if found is None:
        return None
    same = Q(position=found.position)
    before = rows.filter(Q(position__lt=found.position) | same & Q(pk__lt=found.pk)).reverse()
    after = rows.filter(Q(position__gt=found.position) | same & Q(pk__gt=found.pk))
    first, second = (part.values_list("pk", flat=True).first() for part in (before, after))
    return Picked(found, first, second, name[:200] if name and named is None else "")


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19
