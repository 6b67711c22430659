"""Answers from files."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.aggregation import AnswersError
from scoring.io import ProblemList
from scoring.io.answers import load_answers, read_answers
from scoring.io.cells import defuse
from scoring.io.errors import CorpusError
from tests.scoring.test_io_judgements import ANSWERS, INPUT, write_csv
from tests.scoring.unit_records import TEXTS

HEADER = "document,system,statement,worker,assignment,answer,seconds,gold"


def write(folder, *lines, name="answers.csv", header=HEADER):
    path = folder / name
    path.write_text("\n".join([header, *lines] if header else lines), encoding="utf-8")
    return path


def test_it_reads_a_long_table(tmp_path):
    path = write(
        tmp_path, "d1,bart,u1,ann,,p,41.5,", "d1,bart,u2,ann,,absent,41.5,", "d1,bart,c,ann,,n,,p"
    )
    answers = load_answers(path)
    assert answers.labels.tolist() == [1, 0]
    assert list(answers.assignment_keys) == ["ann@d1/bart"]
    assert answers.assignment_seconds.tolist() == [41.5]
    assert (answers.assignment_gold_asked[0], answers.assignment_gold_right[0]) == (1, 0)


def test_it_reads_columns_in_any_order_and_passes_over_others(tmp_path):
    header = "answer,note,statement,assignment,system,document"
    answers = load_answers(write(tmp_path, "present,x,u1,7,bart,d1", "", header=header))
    assert answers.labels.tolist() == [1]
    assert list(answers.assignment_keys) == ["7"]
    assert np.isnan(answers.assignment_seconds).all()


def test_it_reads_json_lines_alike(tmp_path):
    rows = [
        {"document": "d1", "system": "bart", "statement": 1, "worker": "ann", "answer": True},
        {"document": "d1", "system": "bart", "statement": 2, "worker": "ann", "answer": "n"},
        {
            "document": "d1",
            "system": "bart",
            "statement": 3,
            "worker": "ann",
            "answer": 1,
            "gold": 1,
        },
    ]
    lines = [json.dumps(row) for row in rows]
    answers = load_answers(write(tmp_path, *lines, "", name="answers.jsonl", header=""))
    assert answers.labels.tolist() == [1, 0]
    assert list(answers.statement_keys) == ["1", "2"]
    assert answers.assignment_gold_right.tolist() == [1]


@given(names=st.lists(TEXTS, min_size=4, max_size=4))
def test_it_reads_defused_cells_back(tmp_path_factory, names):
    names = [name.strip() or "x" for name in names]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*HEADER.split(",")[:4], "answer", "cells"])
    writer.writerow([*map(defuse, names), "p", "defused"])
    path = tmp_path_factory.mktemp("answers") / "answers.csv"
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    answers = load_answers(path)
    keys = (answers.document_keys, answers.system_keys, answers.statement_keys, answers.worker_keys)
    assert [key[0] for key in keys] == names


@pytest.mark.parametrize(
    "line, message",
    [
        ("d1,bart,u1,ann,,maybe,,", "line 3: The answer is 'maybe'. Expected p or n"),
        ("d1,bart,u1,ann,,,,", "line 3: There is no answer"),
        ("d1,bart,,ann,,p,,", "line 3: There is no statement"),
        ("d1,bart,u1,,,p,,", "line 3: Worker and assignment are both missing"),
        ("d1,bart,u1,ann,,p,soon,", "line 3: seconds is 'soon'"),
        ("d1,bart,u1,ann,,p,,perhaps", "line 3: The gold is 'perhaps'"),
        ("d1,bart,u1", "line 3: The row has 3 cells and the header 8"),
        ('d1,bart,"u1,ann,,p,,', "is not CSV"),
    ],
)
def test_it_names_the_line_that_is_wrong(tmp_path, line, message):
    path = write(tmp_path, "d0,bart,u1,ann,,p,,", line)
    with pytest.raises(CorpusError, match=message):
        load_answers(path)


@pytest.mark.parametrize(
    "line, message",
    [
        ("{", "line 1: The line is not JSON"),
        ("[1]", "line 1: The line is not an object"),
        ('{"document": []}', "line 1: document is a list"),
        ("[" * 100_000, "line 1: The line is not JSON"),
    ],
)
def test_it_names_the_line_of_json_that_is_wrong(tmp_path, line, message):
    with pytest.raises(CorpusError, match=message):
        load_answers(write(tmp_path, line, name="answers.jsonl", header=""))


def test_it_names_answers_that_contradict_one_another(tmp_path):
    with pytest.raises(AnswersError, match="'ann@d1/bart' answers statement 'u1' twice"):
        load_answers(write(tmp_path, "d1,bart,u1,ann,,p,,", "d1,bart,u1,ann,,n,,"))


def test_it_does_not_know_any_file(tmp_path):
    with pytest.raises(CorpusError, match="is not a results file"):
        load_answers(write(tmp_path, "1,2", header="a,b"))


def test_it_gathers_every_problem(tmp_path):
    problems = ProblemList()
    path = write(tmp_path, "d1,bart,u1,ann,,?,,", "d1,bart,u1,ann,,p,,", "d1,bart,u2,ann,,!,,")
    assert len(list(read_answers(path, problems))) == 1
    assert [problem.line for problem in problems.first] == [2, 4]


def test_it_reads_batches_with_systems_beside_the_folder(tmp_path):
    folder = tmp_path / "crowd"
    folder.mkdir()
    write_csv(folder / "a.csv", INPUT | ANSWERS, INPUT | ANSWERS | {"Answer.S3Answer": "p"})
    (tmp_path / "systems.csv").write_text("system,raw_crowd_file\nabs_lead,crowd/a.csv\n")
    answers = load_answers(folder)
    assert list(answers.system_keys) == ["abs_lead"]
    assert len(answers.worker_keys) == len(answers.assignment_keys) == 2
    assert list(answers.statement_keys) == ["1", "3"]
    assert answers.counts().tolist() == [[0, 2], [1, 1]]


def test_it_leaves_rejected_work_out(tmp_path):
    row = (
        INPUT
        | ANSWERS
        | {"WorkerId": "ann", "AssignmentStatus": "Rejected", "WorkTimeInSeconds": ""}
    )
    other = row | {"WorkerId": "bob", "AssignmentStatus": "Approved", "WorkTimeInSeconds": "33"}
    answers = load_answers(write_csv(tmp_path / "a.csv", row, other))
    assert list(answers.worker_keys) == ["bob"]
    assert answers.assignment_seconds.tolist() == [33]
