"""`python -m scoring stu-ranker` and `stu-correlation`, on studies of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.cli import main
from scoring.stu.rich.ranking import read_ranker
from tests.scoring.stu.rich.small_study import write_studies


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_studies(tmp_path / "data")


def test_it_trains_a_ranker_and_measures_held_out(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ranker.json"
    given = ["stu-ranker", "--data", str(data), "--x", "1", "--out", str(out), "--json"]
    assert main(given) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["units"] for row in found["rows"]] == [
        "released STUs",
        "rich, x = 1",
        "rich --coref, x = 1",
    ] * 2
    rich = found["rows"][1]
    assert rich["accuracy"] > found["rows"][0]["accuracy"]
    assert rich["x"] <= 1.0
    assert read_ranker(out.read_bytes(), out.name).version == found["version"]


def test_it_shows_figures_as_a_table(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stu-ranker", "--data", str(data), "--x", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["accuracy", "precision", "x"]
    assert lines[1].startswith("REALSumm   released STUs")
    assert len(lines) == 7


def test_it_correlates_scores_by_several_units(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["stu-correlation", "--data", str(data), "--judge", "lexical", "--x", "1"]
    assert main([*given, "--samples", "50", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["units"] for row in rows[:4]] == [
        "SCUs",
        "released STUs",
        "rich, x = 1",
        "rich --coref, x = 1",
    ]
    assert rows[1]["summary_gain"] == {"value": 0, "low": 0, "high": 0}
    for row in rows:
        assert row["summary_gain"]["low"] <= row["summary_gain"]["high"]
        assert -1 <= row["system_level"] <= 1


def test_it_shows_correlations_as_a_table(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["stu-correlation", "--data", str(data), "--judge", "lexical", "--x", "1"]
    assert main([*given, "--samples", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 2 * 4 + 1
    assert "against released STUs" in lines[0]
    assert "[" in lines[1]
    assert "[" not in lines[2]  # the released STUs themselves


def test_it_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stu-ranker", "--data", str(tmp_path)]) == 2
    assert "realsumm" in capsys.readouterr().err
