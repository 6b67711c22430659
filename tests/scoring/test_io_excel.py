"""Whatever is taken as CSV is taken as TSV and Excel too: the same records, the same lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from scoring.io import ProblemList, open_corpus
from scoring.io.answers import read_answers
from scoring.io.chances import read_chances
from scoring.io.gold.table import COLUMNS as LABEL_COLUMNS
from scoring.io.gold.table import read_labels
from scoring.io.judgements import open_judgements
from scoring.io.score_files import read_kinds, read_scores
from scoring.io.units import open_units

Rows = list[list[Any]]
# A cell that a spreadsheet reads as a number, an empty end of a row, and text that spans lines.
UNITS: Rows = [
    ["example_id", "position", "text", "contributors", "extractor"],
    ["7", 1, "The dam burst.", "0:0-4 1:2-5"],
    ["7", 2, "Nobody was hurt; see p. 3."],
    ["8", 1, "שלום, dam", "", ""],
]
SCU_LIST: Rows = [
    ["eventId", "questionId", "questionText", "forUse"],
    ["a1", 0, "A dam burst.", 1],
    ["a1", 1, "Set aside.", 0],
    ["a1", 2, "BLANK", 1],
]
SCORES: Rows = [
    ["doc_id", "system", "metric", "score", "flag"],
    ["a1", "bart", "rouge", 0.25],
    [2, "t5", "rouge", "", "odd"],
]
ANSWERS: Rows = [
    ["document", "system", "statement", "worker", "assignment", "answer", "seconds"],
    ["a1", "bart", 3, "w17", "", "present", 41],
    ["a1", "bart", 4, "w17", "", "absent", 41],
]
LABELS: Rows = [
    list(LABEL_COLUMNS),
    ["a1", "bart", "abstractive", 1, "scu", 2, "A dam burst.", 1, 0.75, 4, 3, 0],
    ["a1", "bart", "abstractive", 2, "scu", 1, "Nobody.", "", "", 0, 0, 0],
]
CORPUS: Rows = [
    ["example_id", "part", "name", "text"],
    ["a1", "reference", "A", "A dam burst."],
    ["a1", "summary", "bart", "A dam, burst."],
    ["", "system", "bart", "abstractive"],
]
BATCH: Rows = [
    [
        *("Input.eventId", "Input.summaryId", "Input.summary_text", "Input.statement_1"),
        *("Answer.S1Answer", "WorkerId", "Answer.comment"),
    ],
    ["a1", "bart", "A dam\nburst.", "A dam burst.", "present", "w1", ""],
    ["a2", "bart", "A dam.", "A dam burst.", "absent", "w2", "x"],
]


def write(path: Path, rows: Rows) -> Path:
    if path.suffix == ".xlsx":
        book = Workbook()
        for row in rows:
            book.active.append([None if cell == "" else cell for cell in row])
        book.save(path)
        return path
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        width = len(rows[0])
        out.writerows([*row, *[""] * (width - len(row))] for row in rows)
    return path


def units(path: Path, problems: ProblemList) -> list[Any]:
    return [replace(row, file="", line=0) for row in open_units(path, problems=problems).units()]


def corpus(path: Path, problems: ProblemList) -> list[Any]:
    return [
        replace(row, file="", line=0) for row in open_corpus(path, problems=problems).examples()
    ]


def scores(path: Path, problems: ProblemList) -> list[Any]:
    return [repr(row._replace(file="", line=0)) for row in read_scores(path, problems)]


def batch(path: Path, problems: ProblemList) -> list[Any]:
    with open_judgements([path], problems=problems) as reader:
        return [(row.key, row.worker_id, row.statements, row.comment) for row in reader.rows()]


def labels(path: Path, problems: ProblemList) -> list[Any]:
    return list(read_labels(path, problems=problems))


def answers(path: Path, problems: ProblemList) -> list[Any]:
    return list(read_answers(path, problems))


Read = Callable[[Path, ProblemList], list[Any]]
KINDS: dict[str, tuple[Rows, Read, int]] = {
    "units": (UNITS, units, 3),
    "scu_list": (SCU_LIST, units, 1),
    "scores": (SCORES, scores, 2),
    "answers": (ANSWERS, answers, 2),
    "labels": (LABELS, labels, 2),
    "corpus": (CORPUS, corpus, 1),
    "batch": (BATCH, batch, 2),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", [".tsv", ".xlsx"])
def test_it_holds_the_same_as_csv(kind: str, ending: str, tmp_path: Path) -> None:
    rows, read, count = KINDS[kind]
    problems = ProblemList()
    expected = read(write(tmp_path / "t.csv", rows), problems)
    assert len(expected) == count
    assert read(write(tmp_path / f"t{ending}", rows), problems) == expected
    assert problems.first == []


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx"])
@pytest.mark.parametrize("kind", KINDS)
def test_it_names_the_line_that_is_wrong(kind: str, ending: str, tmp_path: Path) -> None:
    rows, read, _ = KINDS[kind]
    problems = ProblemList()
    name = f"t{ending}"
    plain = [[str(cell).replace("\n", " ") for cell in row] for row in rows]
    plain.insert(2, [*plain[1], *["x"] * len(plain[0])])
    read(write(tmp_path / name, plain), problems)
    assert [(problem.file, problem.line) for problem in problems.first] == [(name, 3)]
    assert re.search(rf"cells.* the header (has )?{len(rows[0])}\b", problems.first[0].message)


def test_chances_and_kinds_are_read_too(tmp_path: Path) -> None:
    chances = write(tmp_path / "c.xlsx", [["doc_id", "probability"], ["a1", 0.25], ["a2", 1]])
    assert read_chances(chances) == {"a1": 0.25, "a2": 1.0}
    kinds = write(tmp_path / "k.xlsx", [["system", "kind"], ["bart", "abstractive"]])
    assert read_kinds(kinds) == {"bart": "abstractive"}
