"""Excel files in the product: units, scores, answers, by the commands that take CSV."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from openpyxl import Workbook

from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment
from annotation.evaluation.metrics.models import ScoreSet
from annotation.units.sets.models import Unit, UnitSet
from tests.annotation.crowd.results import row

HERE = ("--project", "study")


def write(path: Path, *rows: Sequence[Any]) -> str:
    book = Workbook()
    for cells in rows:
        book.active.append(list(cells))
    book.save(path)
    return str(path)


def test_units_come_from_a_workbook(corpus: Project, tmp_path: Path) -> None:
    rows = [["example_id", "text"], ["e1", "The dam burst."], ["e2", "Nobody was hurt."]]
    path = write(tmp_path / "units.xlsx", *rows)
    call_command("import_units", path, *HERE, "--set", "SCUs", "--anyway", stdout=StringIO())
    assert list(Unit.objects.values_list("text", flat=True)) == [cells[1] for cells in rows[1:]]
    err = StringIO()
    path = write(tmp_path / "units.xlsx", *rows, ["e9", "No such example."])
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("import_units", path, *HERE, "--set", "Other", "--anyway", stderr=err)
    assert "units.xlsx, line 4" in err.getvalue()


def test_scores_come_from_a_workbook(corpus: Project, tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["doc_id", "system", "metric", "score"],
        ["e1", "lead", "ter", 0.5],
    ]
    path = write(tmp_path / "ter.xlsx", *rows)
    call_command("import_scores", path, *HERE, stdout=StringIO())
    assert ScoreSet.objects.get().counts["scores"] == 1


def test_answers_come_from_a_workbook(unit_set: UnitSet, tmp_path: Path) -> None:
    cells = row()
    path = write(tmp_path / "results.xlsx", list(cells), list(cells.values()))
    options = (*HERE, "--set", unit_set.name)
    call_command("import_judgements", path, *options, stdout=StringIO())
    made = Assignment.objects.get()
    assert made.raw
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("import_judgements", path, *options, "--name", "Twice", stdout=out)
    assert "already" in str(refused.value), "the same answers count once"
