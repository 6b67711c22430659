"""`python -m scoring sample`: from a file of scores to documents with their chances."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from scoring.cli import main

METRICS = ("bert_recall_score", "mover_score", "rouge_1_recall", "rouge_2_recall", "rouge_l_recall")


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """Ten documents, two systems, two metrics that agree, and a document that lacks one score."""
    rows = [
        (f"d{number}", system, metric, number + shift)
        for number in range(10)
        for shift, system in enumerate(("lead", "bart"))
        for metric in ("r1", "r2")
    ]
    path = tmp_path / "scores.csv"
    lines = [",".join(map(str, row)) for row in [*rows, ("d10", "lead", "r1", 3)]]
    path.write_text("\n".join(["doc_id,system,metric,score", *lines]) + "\n")
    return path


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert main(["sample", *argv, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_it_draws_from_a_file(scores: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "sample.csv"
    found = told(
        capsys, "--scores", str(scores), "--bins", "2", "--per-bin", "1", "--csv", str(out)
    )
    assert len({row["doc_id"] for row in found["documents"]}) == 4
    assert found["left_out"] == ["d10"]
    assert found["chances"]["method"] == "exact"
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    assert sum(float(row["chance"]) for row in rows) == pytest.approx(4)
    drawn = [row for row in rows if row["is_drawn"] == "1"]
    assert {row["doc_id"] for row in drawn} == {row["doc_id"] for row in found["documents"]}
    assert {row["metric"] for row in drawn} == {"r1", "r2"}


def test_it_says_it_in_lines(scores: Path, capsys: pytest.CaptureFixture[str]):
    argv = ["sample", "--scores", str(scores), "--metric", "r2", "--bins", "2", "--per-bin", "1"]
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert "2 of 10 documents; 0 clashes; 0 left out" in out
    assert "chances: exact" in out
    assert "sample|metrics:r2|" in out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--metric", "r9"], "scores.csv has no scores of 'r9'."),
        (["--lower", "r9"], "There are no scores of 'r9'. Known: r1, r2."),
        (["--bins", "9"], "make 72, but there are only 10"),
    ],
)
def test_it_says_what_is_wrong(
    scores: Path, argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["sample", "--scores", str(scores), *argv]) == 2
    assert words in capsys.readouterr().err


def test_it_draws_from_realsumm_by_its_five_metrics(
    realsumm_dir: Path, capsys: pytest.CaptureFixture[str]
):
    """The five metrics of the paper; of 100 documents, half."""
    argv = [part for name in METRICS for part in ("--metric", name)]
    path = str(realsumm_dir / "metric_scores.csv")
    found = told(capsys, "--scores", path, *argv, "--per-bin", "2", "--draws", "100")
    assert len(found["documents"]) == 50
    assert found["population"] == 100
    assert found["clashes"]
    assert found["chances"]["method"] == "monte_carlo"
    assert sum(row["gap"] for row in found["metrics"]) / 5 < 0.1
