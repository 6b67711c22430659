"""Crowd answers from results files, and HITs as the file of a batch."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io import ProblemList
from scoring.io.errors import CorpusError
from scoring.io.judgements import BatchHit, JudgementRow, open_judgements, write_batch
from scoring.io.judgements.cells import read_id_list, read_time
from scoring.io.judgements.systems import SystemsByFile
from scoring.types import Problem
from tests.scoring.unit_records import TEXTS

INPUT = {
    "Input.eventId": "a1",
    "Input.summaryId": "lead",
    "Input.summary_text": "The dam burst.",
    "Input.statement_1": "The dam burst.",
    "Input.statement_2": "BLANK",
    "Input.statement_3": "It was Monday.",
}
ANSWERS = {"Answer.S1Answer": "p", "Answer.S2Answer": "n", "Answer.S3Answer": "n"}


def write_csv(path: Path, *rows: dict[str, str]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def read(*paths: Path) -> tuple[list[JudgementRow], list[Problem], list[str]]:
    problems = ProblemList()
    with open_judgements(paths, problems=problems) as reader:
        return list(reader.rows()), problems.first, reader.notes


def read_one(path: Path) -> JudgementRow:
    [row], problems, _ = read(path)
    assert problems == []
    return row


def answers_of(row: JudgementRow) -> list[tuple[int, bool | None]]:
    return [(item.slot, item.present) for item in row.statements]


def test_it_joins_statements_and_answers_by_number(tmp_path: Path):
    """Answers stand in lexical order in these files, and a BLANK may stand between statements."""
    backwards = dict(reversed(ANSWERS.items()))
    row = read_one(write_csv(tmp_path / "r.csv", {**INPUT, **backwards}))
    assert (row.key, row.system, row.summary) == ("a1", "lead", "The dam burst.")
    assert answers_of(row) == [(1, True), (3, False)]
    assert (row.status, row.line, row.row) == ("approved", 2, 1)


@pytest.mark.parametrize("said, blanks", [("n", (False,)), ("P", (True,)), ("", ()), ("?", ())])
def test_it_reads_what_was_answered_to_blank(tmp_path: Path, said: str, blanks: tuple[bool, ...]):
    row = read_one(write_csv(tmp_path / "r.csv", {**INPUT, **ANSWERS, "Answer.S2Answer": said}))
    assert row.blanks == blanks
    assert answers_of(row) == [(1, True), (3, False)]


def test_it_keeps_who_and_when(tmp_path: Path):
    told = {
        "HITId": "H1",
        "AssignmentId": "A1",
        "WorkerId": "W1",
        "AssignmentStatus": "Rejected",
        "AcceptTime": "Mon Nov 16 17:57:16 PST 2026",
        "SubmitTime": "2026-11-17T02:00:00Z",
        "RejectionTime": "",
        "WorkTimeInSeconds": "164",
        "Answer.comment": "Hm.",
    }
    row = read_one(write_csv(tmp_path / "r.csv", {**told, **INPUT, **ANSWERS}))
    assert (row.hit_id, row.identity, row.worker_id) == ("H1", "A1", "W1")
    assert (row.status, row.seconds, row.comment) == ("rejected", 164.0, "Hm.")
    assert row.accepted_at == datetime(2026, 11, 17, 1, 57, 16, tzinfo=UTC)
    assert row.submitted_at == datetime(2026, 11, 17, 2, tzinfo=UTC)
    assert row.decided_at is None


def test_it_tells_identical_rows_of_a_file_apart(tmp_path: Path):
    same = {**INPUT, **ANSWERS}
    first, _, _ = read(write_csv(tmp_path / "r.csv", same, same))
    again, _, _ = read(write_csv(tmp_path / "other-name.csv", same, same))
    assert len({row.identity for row in first}) == 2
    assert [row.identity for row in first] == [row.identity for row in again]


def test_it_keeps_the_row_as_it_was_written(tmp_path: Path):
    text = "line one\nline two"
    path = write_csv(tmp_path / "r.csv", {**INPUT, "Input.summary_text": text, **ANSWERS})
    row = read_one(path)
    assert row.summary == text
    assert row.raw == path.read_bytes().decode().split("\r\n", 1)[1].removesuffix("\r\n")


def test_it_leaves_out_a_column_without_a_name(tmp_path: Path):
    row = read_one(write_csv(tmp_path / "r.csv", {**INPUT, **ANSWERS, "": "whatever"}))
    assert answers_of(row) == [(1, True), (3, False)]


def test_it_takes_answers_named_by_question(tmp_path: Path):
    by_id = {"Input.qIdList": "['x', 'y', \"z\"]", "Answer.x": "absent", "Answer.z": "Present"}
    row = read_one(write_csv(tmp_path / "r.csv", {**INPUT, **by_id}))
    assert answers_of(row) == [(1, False), (3, True)]
    assert [item.question_id for item in row.statements] == ["x", "z"]


def test_it_tells_of_a_question_without_an_answer(tmp_path: Path):
    row = read_one(write_csv(tmp_path / "r.csv", {**INPUT, **ANSWERS, "Answer.S3Answer": ""}))
    assert answers_of(row) == [(1, True), (3, None)]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"Answer.S3Answer": "maybe"}, "The answer to statement 3 is 'maybe'."),
        ({"AssignmentStatus": "Lost"}, "AssignmentStatus is 'Lost'."),
        ({"AcceptTime": "yesterday"}, "AcceptTime is 'yesterday'."),
        ({"AcceptTime": "Mon Nov 16 17:57:16 XYZ 2026"}, "AcceptTime is 'Mon Nov 16"),
        ({"WorkTimeInSeconds": "-3"}, "WorkTimeInSeconds is '-3'."),
        ({"WorkerId": "W" * 65}, "WorkerId has 65 characters."),
        ({"Input.qIdList": "['1']"}, "Input.qIdList is 1, not 3"),
        ({"Input.qIdList": "__import__('os')"}, "Input.qIdList is"),
    ],
)
def test_it_names_the_file_and_line_of_what_it_can_not_read(
    change: dict[str, str], words: str, tmp_path: Path
):
    good, bad = {**INPUT, **ANSWERS}, {**INPUT, **ANSWERS, **change}
    _, problems, _ = read(write_csv(tmp_path / "r.csv", bad, {**bad, **good}))
    assert (problems[0].file, problems[0].line) == ("r.csv", 2)
    assert words in problems[0].message


def without(*names: str) -> dict[str, str]:
    return {name: cell for name, cell in {**INPUT, **ANSWERS}.items() if name not in names}


@pytest.mark.parametrize(
    "write, words",
    [
        (lambda path: write_csv(path, without("Input.summary_text")), "Input.summary_text"),
        (lambda path: write_csv(path, without("Answer.S3Answer")), "no answer to statement 3"),
        (lambda path: write_csv(path, {"a": "1"}), "This is not a results file"),
        (lambda path: path.write_text(",".join(without()) + '\n"open'), "not CSV"),
        (lambda path: path.write_text(",".join(without()) + "\na,b\n"), "The row has 2 cells"),
        (lambda path: path.write_text(",".join([*without(), "HITId", "HITId"])), "appears twice"),
        (lambda path: path.write_bytes(b""), "This is not a results file"),
    ],
)
def test_it_refuses_what_is_no_results_file(write: Any, words: str, tmp_path: Path):
    path = tmp_path / "r.csv"
    write(path)
    rows, problems, _ = read(path)
    assert rows == []
    assert words in problems[0].message


def test_it_says_that_a_path_is_not_there(tmp_path: Path):
    with pytest.raises(CorpusError, match="no such file"):
        read(write_csv(tmp_path / "r.csv", without()), tmp_path / "absent.csv")


def test_it_takes_the_system_from_a_table_of_files(tmp_path: Path):
    (tmp_path / "abs").mkdir()
    (tmp_path / "ext").mkdir()
    for folder in ("abs", "ext"):
        write_csv(tmp_path / folder / "bart.csv", without())
    write_csv(
        tmp_path / "systems.csv",
        {"system": "bart-1", "raw_crowd_file": "raw/abs/bart.csv"},
        {"system": "bart-2", "raw_crowd_file": "raw/ext/bart.csv"},
    )
    (tmp_path / "SCUs_list.csv").write_text("eventId,questionId,questionText\n")
    rows, problems, notes = read(tmp_path)
    assert [row.system for row in rows] == ["bart-1", "bart-2"]
    assert (problems, notes) == ([], ["SCUs_list.csv: a list of SCUs, not answers."])


@pytest.mark.parametrize(
    "file, system",
    [
        ("x/abs/bart.csv", "bart-1"),
        ("upload/one.csv", "one"),
        ("bart.csv", None),
        ("other.csv", None),
    ],
)
def test_it_knows_a_file_by_the_end_of_its_path(file: str, system: str | None):
    table = SystemsByFile()
    for path, name in (("r/abs/bart.csv", "bart-1"), ("r/ext/bart.csv", "b"), ("one.csv", "one")):
        table.add(path, name)
    assert table.find(file) == system


def test_it_refuses_a_table_of_files_with_gaps(tmp_path: Path):
    systems = write_csv(tmp_path / "systems.csv", {"system": "", "raw_crowd_file": "r.csv"})
    _, problems, _ = read(write_csv(tmp_path / "r.csv", without()), systems)
    assert (problems[0].file, problems[0].line) == ("systems.csv", 2)


@pytest.mark.parametrize("cell", ["1", "[1, 2]", "['a'", "['a'] + ['b']", "'a'"])
def test_it_reads_no_list_but_of_texts(cell: str):
    with pytest.raises(ValueError, match="Input.qIdList is"):
        read_id_list(cell, "Input.qIdList")


def test_it_takes_a_time_without_a_zone_for_utc():
    assert read_time("2026-11-16 17:57:16", "x") == datetime(2026, 11, 16, 17, 57, 16, tzinfo=UTC)
    assert read_time(" ", "x") is None


HITS = st.lists(
    st.builds(
        BatchHit,
        key=TEXTS,
        system=TEXTS,
        summary=TEXTS,
        statements=st.lists(
            st.tuples(st.sampled_from(["s1", "g2"]), TEXTS), min_size=1, max_size=4
        ),
    ),
    min_size=1,
    max_size=3,
)


@given(HITS)
def test_it_gets_back_what_a_batch_was_made_of(tmp_path_factory: Any, hits: list[BatchHit]):
    """As a marketplace answers it: each column with `Input.` before its name."""
    lines = io.StringIO("".join(write_batch(hits, 4)), newline="")
    rows = [
        {f"Input.{name}": cell for name, cell in row.items()}
        | {f"Answer.S{slot}Answer": "p" for slot in range(1, 5)}
        for row in csv.DictReader(lines)
    ]
    found, problems, _ = read(write_csv(tmp_path_factory.mktemp("b") / "r.csv", *rows))
    assert problems == []
    assert [(row.key, row.system, row.summary) for row in found] == [
        (hit.key, hit.system, hit.summary) for hit in hits
    ]
    assert [[item.text for item in row.statements] for row in found] == [
        [text for _, text in hit.statements] for hit in hits
    ]


def test_it_writes_nothing_that_a_spreadsheet_runs():
    hit = BatchHit("=1", "@sys", '=HYPERLINK("x")', [("s1", "+1"), ("s2", "'-2")])
    [_, row] = csv.reader("".join(write_batch([hit], 2)).splitlines())
    assert row == ["'=1", "'@sys", "['s1', 's2']", '\'=HYPERLINK("x")', "'+1", "''-2", "defused"]


def test_it_has_a_slot_for_every_statement():
    hit = BatchHit("a", "b", "c", [("s1", "x"), ("s2", "y")])
    with pytest.raises(ValueError, match="2 statements for 1 slots"):
        list(write_batch([hit], 1))


def test_it_reads_realsumm_whole(realsumm_dir: Path):
    rows, problems, _ = read(realsumm_dir / "raw_crowd", realsumm_dir / "systems.csv")
    assert (len(rows), problems) == (7743, [])
    assert len({row.identity for row in rows}) == 7743
    assert len({row.system for row in rows}) == 25
    assert {len(row.statements) for row in rows} == set(range(5, 17))
