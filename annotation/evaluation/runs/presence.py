"""Units by systems of one example, by a judge: values, people's labels beside them, evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.corpora.corpus.models import Example, Summary
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.score_pages import list_summary_ids
from annotation.evaluation.runs.comparison import THRESHOLD
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.evaluation.runs.texts import Evidence, find_evidence
from annotation.units.sets.models import Unit

SHADES = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A presence value; `label` is people's, None where there is none."""

    system: str
    value: float
    label: int | None

    @property
    def shade(self) -> int:
        """From 0 to 4, beside the number itself."""
        return min(int(self.value * SHADES), SHADES - 1)

    @property
    def is_disputed(self) -> bool:
        return self.label is not None and (self.value > THRESHOLD) != (self.label == 1)


@dataclass(frozen=True, slots=True)
class MatrixRow:
    unit: Unit
    cells: list[Cell | None]

    @property
    def mean(self) -> float | None:
        values = [cell.value for cell in self.cells if cell is not None]
        return sum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Matrix:
    example: Example
    systems: list[str]
    rows: list[MatrixRow]


def get_matrix(
    run: JudgeRun, example: Example, order: list[str], label_set: LabelSet | None
) -> Matrix:
    """Systems come in the order of *order*, the best first."""
    here = {"summary__in": list_summary_ids([example.pk])}
    values = _by_system(SummaryPresence.objects.filter(run=run, **here), "presence")
    labels = _by_system(SummaryLabels.objects.filter(label_set=label_set, **here), "labels")
    systems = [name for name in order if name in values]
    rows = [
        MatrixRow(
            unit,
            [
                Cell(name, values[name][place], labels[name][place] if name in labels else None)
                for name in systems
            ],
        )
        for place, unit in enumerate(_units(run, example))
    ]
    return Matrix(example, systems, rows)


def _by_system(rows: QuerySet[Any], field: str) -> dict[str, list[Any]]:
    return dict(rows.values_list("summary__system__name", field))


def _units(run: JudgeRun, example: Example) -> list[Unit]:
    rows = Unit.objects.filter(set=run.unit_set, example=example, is_deleted=False)
    return list(rows.order_by("position", "pk"))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a judge says what it says of one unit in one summary."""

    unit: Unit
    summary: Summary
    value: float
    label: int | None
    evidence: Evidence


def get_reason(run: JudgeRun, label_set: LabelSet | None, unit: int, system: str) -> Reason | None:
    found = Unit.objects.filter(set=run.unit_set, pk=unit, is_deleted=False).first()
    if found is None:
        return None
    ids = list_summary_ids([found.example_id])
    rows = SummaryPresence.objects.filter(run=run, summary__in=ids)
    row = (
        rows.select_related("summary__system", "summary__example")
        .filter(summary__system__name=system)
        .first()
    )
    if row is None:
        return None
    place = [one.pk for one in _units(run, row.summary.example)].index(found.pk)
    labels = SummaryLabels.objects.filter(label_set=label_set, summary=row.summary).first()
    evidence = find_evidence(row.summary.text, found.text, row.sentences[place])
    label = labels.labels[place] if labels else None
    return Reason(found, row.summary, row.presence[place], label, evidence)
