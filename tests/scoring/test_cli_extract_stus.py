"""`python -m scoring extract-stus`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.cli import main
from scoring.judge.learned import LearnedTexts

REFERENCES = "Ann sold the cup to Ben. She left.\n<t> Rain fell on Rome . </t>"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "ids.txt").write_text("d1\nd2")
    (tmp_path / "references.txt").write_text(REFERENCES)
    (tmp_path / "SCUs.txt").write_text("Ann sold the cup\tAnn left\nRain fell on Rome")
    (tmp_path / "STUs.txt").write_text("Ann sold the cup\nRain fell\tRome")
    return tmp_path


def run(capsys: Any, study: Path, *arguments: object) -> dict[str, Any]:
    given = ["extract-stus", "--references", study / "references.txt", *arguments, "--json"]
    assert main(list(map(str, given))) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_it_extracts_units(study: Path, capsys: Any) -> None:
    found = run(capsys, study, "--out", study / "made.txt")
    assert [unit["text"] for unit in found["units"]["d1"]] == [
        "Ann sold the cup",
        "Ann sold to Ben",
        "She left.",
    ]
    assert found["units"]["d2"][0] == {
        "text": "Rain fell on Rome",
        "sentence": 0,
        "start": 0,
        "end": 17,
        "rule": "frame",
        "score": 1.0,
    }
    assert (found["stus"], found["references"]) == (4, 2)
    assert found["extractor"].startswith("srl-")
    made = (study / "made.txt").read_text()
    assert made == "Ann sold the cup\tAnn sold to Ben\tShe left.\nRain fell on Rome"


def test_it_unifies_mentions(study: Path, capsys: Any) -> None:
    found = run(capsys, study, "--coref")
    assert found["units"]["d1"][-1]["text"] == "Ann left."


def test_it_measures_what_it_extracts(study: Path, capsys: Any) -> None:
    found = run(capsys, study, "--scus", study / "SCUs.txt", "--coref")
    assert found["accuracy"] == 1.0
    assert found["precision"] == pytest.approx((1 + 4 / 8 + 1 + 1) / 4)
    assert found["x"] == pytest.approx(4 / 3)
    assert (found["sentences"], found["scus"], found["stus"]) == (2, 3, 4)


def test_it_says_that_the_ranker_was_trained_on_these_references(
    study: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the two, on the first: as text, without sentence marks."""
    learned = LearnedTexts.of((), (), ["Ann sold the cup to Ben. She left."])
    monkeypatch.setattr("scoring.cli.extract_stus.read_shipped", lambda name: learned)
    said = ("--scus", study / "SCUs.txt", "--extractor")
    assert run(capsys, study, *said, "rich")["learned"] == 1
    assert run(capsys, study, *said, "srl")["learned"] == 0
    given = ["extract-stus", "--references", study / "references.txt", *said, "rich"]
    assert main(list(map(str, given))) == 0
    assert "trained on 1 of these 2 references" in capsys.readouterr().out


def test_it_measures_units_from_a_file(study: Path, capsys: Any) -> None:
    found = run(capsys, study, "--scus", study / "SCUs.txt", "--stus", study / "STUs.txt")
    assert "units" not in found
    assert found["x"] == 1.0
    assert found["precision"] == pytest.approx((1 + 2 / 3 + 2 / 5) / 3)


def test_it_takes_role_labels_and_clusters(study: Path, capsys: Any) -> None:
    frames: list[dict[str, Any]] = [
        {"text": text, "frames": []}
        for text in ("Ann sold the cup to Ben.", "She left.", "Rain fell on Rome .")
    ]
    (study / "frames.jsonl").write_text("\n".join(map(json.dumps, frames)))
    clusters: list[dict[str, Any]] = [
        {
            "sentences": ["Ann sold the cup to Ben.", "She left."],
            "clusters": [[[0, 0, 3], [1, 0, 3]]],
        },
        {"sentences": ["Rain fell on Rome ."], "clusters": []},
    ]
    (study / "clusters.jsonl").write_text("\n".join(map(json.dumps, clusters)))
    given = ("--frames", study / "frames.jsonl", "--clusters", study / "clusters.jsonl")
    found = run(capsys, study, *given)
    assert [unit["text"] for unit in found["units"]["d1"]] == [
        "Ann sold the cup to Ben.",
        "Ann left.",
    ]


def test_it_prints_lines(study: Path, capsys: Any) -> None:
    files = ("--references", str(study / "references.txt"), "--scus", str(study / "SCUs.txt"))
    assert main(["extract-stus", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "d1\tAnn sold the cup"
    assert lines[-3].startswith("accuracy 0.")
    assert lines[-2] == "4 STUs of 2 references"


def test_it_tells_a_terminal_how_far_it_is(
    study: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run(capsys, study)
    assert terminal.getvalue() == "\r1 of 2 references\r2 of 2 references\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--parser", "en_core_web_huge"), "no spaCy pipeline"),
        (("--srl-model", "./nowhere"), "There is no folder"),
        (("--scus", "other/SCUs.txt"), "SCUs.txt has units of '3', which references.txt lacks"),
    ],
)
def test_it_says_what_it_can_not_use(
    study: Path, capsys: Any, arguments: tuple[str, ...], message: str
) -> None:
    (study / "other").mkdir()
    (study / "other" / "SCUs.txt").write_text("a\nb\nc")
    (study / "ids.txt").unlink()
    option, value = arguments
    value = str(study / value) if value.startswith("other") else value
    given = ["extract-stus", "--references", str(study / "references.txt"), option, value]
    assert main(given) == 2
    assert message in capsys.readouterr().err
