"""Scores of a run by summary, beside people's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.evaluation.models import JudgeRun, LabelSet
from annotation.evaluation.selectors.run_scores import list_presences
from annotation.evaluation.selectors.scores import get_table

SORTS = {
    "gap": "Furthest from people first",
    "high": "Highest first",
    "low": "Lowest first",
    "corpus": "As in the corpus",
}


@dataclass(frozen=True, slots=True)
class SummaryScore:
    example: int
    key: str
    system: str
    judge: float
    people: float | None

    @property
    def gap(self) -> float | None:
        return None if self.people is None else self.judge - self.people


def list_summary_scores(
    run: JudgeRun, label_set: LabelSet | None, *, sort: str = "corpus", system: str = ""
) -> list[SummaryScore]:
    rows = list_presences(run)
    if system:
        rows = rows.filter(summary__system__name=system)
    people = _people(label_set)
    fields = ("summary__example_id", "summary__example__key", "summary__system__name", "score")
    found = [
        SummaryScore(example, key, name, score, people.get((name, key)))
        for example, key, name, score in rows.values_list(*fields)
    ]
    if sort == "gap":
        found.sort(key=lambda row: -1.0 if row.gap is None else abs(row.gap), reverse=True)
    elif sort in ("high", "low"):
        found.sort(key=lambda row: row.judge, reverse=sort == "high")
    return found


def _people(label_set: LabelSet | None) -> dict[tuple[str, str], float]:
    if label_set is None:
        return {}
    table = get_table(label_set)
    return {
        (system, document): float(table.scores[row, column])
        for row, system in enumerate(table.systems)
        for column, document in enumerate(table.documents)
        if not np.isnan(table.scores[row, column])
    }
