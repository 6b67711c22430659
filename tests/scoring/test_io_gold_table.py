"""The labels as CSV: safe in a spreadsheet, and read back as they were."""

import csv
import io
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from scoring.io import CorpusError, ProblemList
from scoring.io.gold import GoldSystem, LabelRow, read_labels, write_gold
from scoring.io.gold.labels import exhaustive_score, kinds_of, label_rows
from scoring.types import UnitRecord
from tests.scoring.gold_records import Gold, counted, golds, joined, published_gold, small_gold

HEADER = (
    "example_id,system,system_kind,position,unit_kind,weight,safe_unit,label,posterior,answers,"
    "answers_present,adjudicated\r\n"
)
ROW = "a1,bart,abstractive,1,scu,2,The dam.,1,0.5,3,2,0\r\n"


def read(path: Path) -> tuple[list[LabelRow], list[str]]:
    problems = ProblemList()
    rows = list(read_labels(path, problems=problems))
    return rows, [str(problem) for problem in problems.first]


@given(golds())
@settings(max_examples=40, deadline=None)
def test_it_reads_back_the_labels_it_wrote(gold: Gold) -> None:
    _, systems, examples = gold
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.csv"
        path.write_bytes(joined(write_gold("csv", *gold)))
        rows, problems = read(path)
    assert problems == []
    assert rows == [row for item in examples for row in label_rows(kinds_of(systems), item)]


def test_it_writes_no_cell_that_a_spreadsheet_runs() -> None:
    facts, _, (first, _) = small_gold()
    name = "=cmd|' /C calc'!A0"
    evil = replace(
        first,
        key="@a1",
        units=tuple(replace(unit, key="@a1", text="+1") for unit in first.units),
        summaries={name: "x"},
        labels={name: (1, 0)},
        posteriors={},
        answers=(),
        adjudications=(),
    )
    gold = counted((facts, [GoldSystem(name)], [evil]))
    text = joined(write_gold("csv", *gold)).decode()
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert f"'{name}" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_it_counts_kept_answers_alone(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(joined(write_gold("csv", *small_gold())))
    rows, _ = read(tmp_path / "x.csv")
    first, second, *_ = rows
    assert (first.answers, first.answers_present, first.label, first.posterior) == (1, 1, 1, 0.875)
    assert (second.answers, second.answers_present, second.unit) == (0, 0, "=1+1 are safe.")
    assert [row.adjudicated for row in rows] == [False, False, False, True, False, False]


@pytest.mark.parametrize(
    "text, problem",
    [
        ("a,b\r\n", "x.csv, line 1: The columns are a, b. Expected example_id, system,"),
        ("", "x.csv, line 1: The columns are missing."),
        (HEADER + "a1\r\n", "x.csv, line 2: The row has 1 cells and the header 12."),
        (HEADER + ROW.replace(",1,0.5", ",2,0.5"), "x.csv, line 2: 'label' is '2'."),
        (HEADER + ROW.replace("0.5", "nan"), "x.csv, line 2: 'posterior' is 'nan'."),
        (HEADER + ROW.replace("scu,2", "scu,-2"), "x.csv, line 2: 'weight' is '-2'."),
        (HEADER + ROW.replace(",2,0\r", ",2,yes\r"), "x.csv, line 2: 'adjudicated' is 'yes'."),
        (HEADER + '"a"b', "x.csv, line 2: The row is not CSV"),
    ],
)
def test_it_says_which_row_is_wrong(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(text.encode())
    rows, problems = read(tmp_path / "x.csv")
    assert rows == []
    assert problems[0].startswith(problem)


def test_it_needs_one_file(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(CorpusError, match="There are 0 tables."):
        list(read_labels(tmp_path / "x.txt", problems=ProblemList()))


@pytest.mark.parametrize(
    "labels, score", [((1, 0), 2 / 3), ((0, 0), 0.0), ((None, 1), 1.0), ((None, None), None)]
)
def test_it_scores_what_has_a_label(labels: tuple[int | None, ...], score: float | None) -> None:
    units = [UnitRecord("a", "x", weight=2), UnitRecord("a", "y")]
    assert exhaustive_score(units, labels) == score


def mean_score(folder: Path, system: str) -> float:
    _, _, examples = published_gold(folder)
    scores = [exhaustive_score(item.units, item.labels[system]) or 0.0 for item in examples]
    return sum(scores) / len(scores)


def test_it_scores_the_labels_of_realsumm(realsumm_dir: Path) -> None:
    score = mean_score(realsumm_dir, "abs_bart_out")
    assert score == pytest.approx(0.48349483849483854, abs=1e-12)


def test_it_scores_the_labels_of_pyrxsum(pyrxsum_dir: Path) -> None:
    score = mean_score(pyrxsum_dir, "t5-large")
    assert score == pytest.approx(0.29117532467532464, abs=1e-12)
