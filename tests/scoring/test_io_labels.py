"""Labels in and out as files."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given

from scoring.aggregation import vote
from scoring.io import ProblemList
from scoring.io.errors import CorpusError
from scoring.io.label_files import line_files, write_labels
from scoring.io.labels import read_labels
from tests.scoring.aggregation.grids import answers_of, grids, statement_of

DOCUMENTS = ["d1", "d2", "d3"]


def read(folder, documents=DOCUMENTS):
    problems = ProblemList()
    found = read_labels(folder, documents, problems)
    problems.raise_first()
    return found


def write(folder, text, name="bart.label"):
    (folder / name).write_text(text)
    return folder


def test_it_reads_a_line_a_document(tmp_path):
    assert read(write(tmp_path, "1\t0\n\n0\t\t1")) == {"bart": {"d1": [1, 0], "d3": [0, None, 1]}}


def test_it_may_end_with_a_newline(tmp_path):
    assert read(write(tmp_path, "1\n0\n1\n")) == read(write(tmp_path, "1\n0\n1"))


def test_it_follows_ids_that_lie_beside_the_labels(tmp_path):
    write(tmp_path, "d3\nd1", "ids.txt")
    assert read(write(tmp_path, "1\n0")) == {"bart": {"d3": [1], "d1": [0]}}
    write(tmp_path, "d3\nd9", "ids.txt")
    with pytest.raises(CorpusError, match="ids.txt, line 2: Document 'd9' has no units"):
        read(tmp_path)


@pytest.mark.parametrize(
    "text, message",
    [
        ("1\n0", "bart.label: The file has 2 lines. Expected 3 lines"),
        ("1\n0\n1\n1", "The file has 4 lines"),
        ("1\nyes\n0", "line 2: A label is 'yes'. Expected 0 or 1"),
    ],
)
def test_it_names_what_does_not_fit(tmp_path, text, message):
    with pytest.raises(CorpusError, match=message):
        read(write(tmp_path, text))


def test_it_needs_labels(tmp_path):
    with pytest.raises(CorpusError, match="There are no labels"):
        read(write(tmp_path, "", "notes.txt"))


def test_it_takes_one_file_for_each_system(tmp_path):
    (tmp_path / "old").mkdir()
    write(tmp_path / "old", "1\n0\n1")
    with pytest.raises(CorpusError, match="There are two files for system 'bart'"):
        read(write(tmp_path, "1\n0\n1"))


@given(grid=grids())
def test_it_reads_back_the_labels_it_wrote(tmp_path_factory, grid):
    answers = answers_of(grid)
    labels = vote(answers, tie="unlabelled")
    folder = tmp_path_factory.mktemp("labels")
    write_labels(folder, answers, labels, answers.counts())
    units = [
        line.split("\t") if line else []
        for line in (folder / "statements.txt").read_text().split("\n")
    ]
    places = dict(zip(answers.document_keys, units, strict=True))
    found = read(folder, list(answers.document_keys))
    for code, label in enumerate(labels.present.tolist()):
        summary, unit = statement_of(answers, code)
        document, system = summary.split("/")
        row = found[system].get(document, [None] * len(places[document]))
        assert row[places[document].index(f"u{unit}")] == (None if label < 0 else label)


def test_it_writes_a_table_that_no_spreadsheet_runs(tmp_path):
    answers = answers_of({"=d/s": {"a": "pn", "b": "p-"}})
    kept = answers.everyone()
    write_labels(tmp_path / "labels.csv", answers, vote(answers, kept), answers.counts(kept))
    with (tmp_path / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["document"] for row in rows] == ["'=d", "'=d"]
    assert [(row["label"], row["posterior"], row["absent"], row["present"]) for row in rows] == [
        ("1", "1.0", "0", "2"),
        ("0", "0.0", "1", "0"),
    ]


@pytest.mark.parametrize("summary", ["d/..", "a\tb/s", "d/.hidden"])
def test_it_writes_no_file_outside_of_the_folder(summary):
    answers = answers_of({summary: {"a": "p"}})
    with pytest.raises(ValueError, match="Write the labels to a CSV"):
        list(line_files(answers, vote(answers)))
