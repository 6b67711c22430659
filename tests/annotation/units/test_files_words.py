"""Words and weights that a file brings: held against the references at once, then counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.units.files import service as files_service
from annotation.units.files.filling import find_misfit
from annotation.units.sets.models import Unit, UnitSet
from scoring.types import ContributorRecord
from tests.annotation.units.writing import (
    FIRST,
    SECOND,
    fill,
    make_two_references,
    unit_line,
    write_lines,
)


def words(reference: int, start: int, end: int) -> dict[str, int]:
    return {"reference": reference, "start": start, "end": end}


def unit(text: str, *contributors: dict[str, int], **more: Any) -> dict[str, Any]:
    return {"text": text, "contributors": list(contributors), **more}


@pytest.mark.parametrize(
    "reference, start, end, fits",
    [
        (0, 0, 10, True),
        (1, 19, 20, True),
        (0, 0, 11, False),
        (0, 10, 11, False),
        (0, 5, 5, False),
        (0, 6, 5, False),
        (2, 0, 1, False),
    ],
)
def test_it_holds_words_against_the_references(reference: int, start: int, end: int, fits: bool):
    fault = find_misfit(ContributorRecord(reference, start, end), [10, 20])
    named = f"The contributor {start}–{end} is outside reference {reference + 1}."
    assert fault == ("" if fits else named)


def test_it_makes_nothing_of_a_file_with_words_that_are_not_there(owner: User, tmp_path: Path):
    """All of them are named at once, each by its line."""
    project = make_two_references(owner, tmp_path)
    jobs = Job.objects.count()
    path = write_lines(
        tmp_path / "u.jsonl",
        unit_line("e1", unit("One.", words(0, 0, len(FIRST)), words(1, 0, len(SECOND)))),
        unit_line("e2", unit("Two.", words(0, 0, len(FIRST) + 1)), unit("Three.", words(2, 0, 3))),
        unit_line("e3", unit("Four.", words(1, 0, 3), words(1, len(SECOND), len(SECOND) + 1))),
    )
    outcome = files_service.import_unit_file(project=project, user=owner, name="bad", path=path)
    assert outcome.unit_set is None
    told = [(problem["line"], problem["message"].split(": ")[0]) for problem in outcome.problems]
    assert told == [(2, "In example 'e2'"), (2, "In example 'e2'"), (3, "In example 'e3'")]
    assert (UnitSet.objects.count(), Unit.objects.count(), Job.objects.count()) == (0, 0, jobs)


def weights(project: Project, path: Path, name: str) -> dict[str, int]:
    return dict(Unit.objects.filter(set=fill(project, path, name)).values_list("text", "weight"))


def test_it_weighs_units_of_a_merged_project(owner: User, tmp_path: Path):
    """By the file's weight; else by the references that it names; else it weighs 1."""
    project = make_two_references(owner, tmp_path)
    units = [
        unit("Said to weigh three.", words(0, 0, 3), weight=3),
        unit("On both.", words(0, 0, 3), words(1, 0, 3)),
        unit("Twice on one.", words(1, 0, 3), words(1, 4, 7)),
        {"text": "The dam burst."},
    ]
    path = write_lines(tmp_path / "u.jsonl", unit_line("e1", *units))
    assert weights(project, path, "jsonl") == {
        "Said to weigh three.": 3,
        "On both.": 2,
        "Twice on one.": 1,
        "The dam burst.": 1,
    }


def test_it_counts_references_where_a_format_has_no_weights(owner: User, tmp_path: Path):
    """A line of texts has no place for them: the words that overlap say who carries a unit."""
    project = make_two_references(owner, tmp_path)
    path = tmp_path / "SCUs.txt"
    path.write_text("On Monday all were safe.\tNobody was hurt.\n\n\n")
    assert weights(project, path, "lines") == {"On Monday all were safe.": 2, "Nobody was hurt.": 1}
