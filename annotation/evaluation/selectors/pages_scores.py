"""Scores as a page shows them: sorted, in a matrix of pairs, beside the units of one example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from annotation.corpora.models import Example
from annotation.evaluation.models import LabelSet, SummaryLabels
from annotation.evaluation.selectors.picked import list_summary_ids
from annotation.evaluation.selectors.scores import PairRow, ScoreRow, Scores
from annotation.translation import gettext as _
from annotation.units.models import Unit
from scoring.io.cells import defuse, row_line

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
