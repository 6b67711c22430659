"""Which systems can't be told apart, as groups that a letter or a bracket can stand for.

- Scores as a page shows them: sorted, in a matrix of pairs, beside the units of one example.
- One example of those that a run or labels are of: the one asked for, and those next to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example, Summary
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.scores import PairRow, ScoreRow, Scores
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.units.sets.models import Unit
from scoring.io.cells import defuse, row_line


def list_groups(scores: Scores) -> list[list[int]]:
    """Groups of places among the scored rows; two places share one if they are not separable.

    A system that differs from all others is in no group of two, and is left out.
    """
    names = [row.system for row in scores.rows if row.score is not None]
    place = {name: number for number, name in enumerate(names)}
    apart = [(place[pair.first], place[pair.second]) for pair in _known(scores.pairs, place)]
    return [group for group in find_groups(len(names), apart) if len(group) > 1]


def _known(pairs: Sequence[PairRow], place: dict[str, int]) -> list[PairRow]:
    return [
        pair for pair in pairs if pair.is_separable and pair.first in place and pair.second in place
    ]


def find_groups(size: int, apart: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The largest sets without a separable pair (insert and absorb, Piepho 2004)."""
    groups: list[frozenset[int]] = [frozenset(range(size))] if size else []
    for one, other in apart:
        split = [group for group in groups if one in group and other in group]
        parts = {group - {gone} for group in split for gone in (one, other)}
        kept = [group for group in groups if group not in split]
        groups = kept + [
            part
            for part in parts
            if not any(part <= group for group in kept) and not any(part < wider for wider in parts)
        ]
    return sorted(sorted(group) for group in groups)


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


SORTS = {"rank": False, "system": False, "score": True, "documents": True}


def sort_rows(rows: list[ScoreRow], sort: str) -> list[ScoreRow]:
    """By a column, `-` before its name for the other way round; what is unscored comes last."""
    name, turned = sort.removeprefix("-"), sort.startswith("-")
    falling = SORTS[name] != turned
    known = [row for row in rows if getattr(row, name) is not None]
    known.sort(key=lambda row: getattr(row, name), reverse=falling)
    return known + [row for row in rows if getattr(row, name) is None]


def make_matrix(scores: Scores) -> list[tuple[int, str, list[PairRow | None]]]:
    """A row a system; the columns are the systems that come before it."""
    names = [row.system for row in scores.rows if row.score is not None]
    pairs = {(pair.first, pair.second): pair for pair in scores.pairs}
    return [
        (place + 1, name, [pairs.get((better, name)) for better in names[:place]])
        for place, name in enumerate(names)
    ]


@dataclass(frozen=True, slots=True)
class Lead:
    """A system's score minus another's, on the documents that both have."""

    other: str
    difference: float
    low: float | None
    high: float | None
    effect: float | None
    pair: PairRow

    @property
    def verdict(self) -> str:
        if not self.pair.is_settled:
            return _("not settled")
        return _("significant") if self.pair.is_separable else _("not significant")


def list_leads(scores: Scores, baseline: str = "") -> dict[str, Lead]:
    """By system, compared with the baseline; without one, with the next in rank."""
    names = [row.system for row in scores.rows if row.score is not None]
    pairs = {(pair.first, pair.second): pair for pair in scores.pairs}
    others = dict.fromkeys(names, baseline) if baseline else dict(pairwise(names))
    found = {}
    for name, other in others.items():
        if pair := pairs.get((name, other)):
            figures = (pair.difference, pair.low, pair.high, pair.effect)
            found[name] = Lead(other, *figures, pair)
        elif pair := pairs.get((other, name)):
            low, high, effect = (_minus(value) for value in (pair.high, pair.low, pair.effect))
            found[name] = Lead(other, -pair.difference, low, high, effect, pair)
    return found


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


@dataclass(frozen=True, slots=True)
class PresenceRow:
    """A unit, and its label in each system's summary; None where there is none."""

    unit: Unit
    labels: list[int | None]

    @property
    def present(self) -> int:
        return sum(label == 1 for label in self.labels)


@dataclass(frozen=True, slots=True)
class Presence:
    """Units by systems, of one example."""

    example: Example
    systems: list[str]
    rows: list[PresenceRow]


def get_presence(label_set: LabelSet, found: Example, order: list[str]) -> Presence:
    """Systems come in the order of *order*, the best first."""
    labels = {
        row.summary.system.name: row.labels
        for row in SummaryLabels.objects.filter(
            label_set=label_set, summary__in=list_summary_ids([found.pk])
        ).select_related("summary__system")
    }
    units = Unit.objects.filter(set=label_set.unit_set, example=found, is_deleted=False)
    systems = [name for name in order if name in labels]
    rows = [
        PresenceRow(unit, [labels[name][place] for name in systems])
        for place, unit in enumerate(units.order_by("position", "pk"))
    ]
    return Presence(found, systems, rows)


def stream_scores(rows: Iterable[ScoreRow]) -> Iterator[str]:
    yield row_line("system", "kind", "score", "low", "high", "documents", "rank")
    for row in rows:
        figures = ("" if value is None else repr(value) for value in (row.score, row.low, row.high))
        yield row_line(defuse(row.system), row.kind, *figures, str(row.documents), str(row.rank))


def stream_pairs(scores: Scores) -> Iterator[str]:
    yield row_line(*PAIR_COLUMNS)
    for pair in scores.pairs:
        figures = (
            *(pair.difference, pair.low, pair.high, pair.effect, pair.p_bootstrap),
            *(pair.p_permutation, pair.p_low, pair.p_high, pair.swaps, pair.holm),
        )
        told = ("" if value is None else repr(value) for value in figures)
        settled = str(pair.is_settled).lower()
        yield row_line(defuse(pair.first), defuse(pair.second), *told, settled)


PAIR_COLUMNS = (
    *("first", "second", "difference", "low", "high", "cohens_d", "p_bootstrap"),
    *("p_permutation", "p_low", "p_high", "swaps", "p_holm", "settled"),
)
