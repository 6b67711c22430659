"""`calibrate` on a few labels, and `score` with what it wrote."""

import json
from pathlib import Path

import pytest

from scoring.cli import build_parser, calibrate, score
from scoring.errors import InputError


@pytest.fixture
def study(tmp_path: Path) -> Path:
    units = [f"The ferry to Lund{i} sank.\tThe captain of boat {i} sang." for i in range(8)]
    summaries = [f"The ferry to Lund{i} sank at noon." for i in range(8)]
    (tmp_path / "ids.txt").write_text("\n".join(f"d{i}" for i in range(8)))
    (tmp_path / "SCUs.txt").write_text("\n".join(units))
    for folder in ("summaries", "labels"):
        (tmp_path / folder).mkdir()
    (tmp_path / "summaries/a.summary").write_text("\n".join(summaries))
    # Stricter people than those that the judge learned from.
    (tmp_path / "labels/a.label").write_text("\n".join(["1\t0", "0\t0"] * 4))
    return tmp_path


def run(*words: str) -> dict:
    arguments = build_parser().parse_args(words)
    return (calibrate if words[0] == "calibrate" else score).run(arguments)


def test_a_handful_of_labels_adapts_a_judge(study: Path) -> None:
    files = ("--units", str(study / "SCUs.txt"), "--judge", "lexical")
    folders = ("--summaries", str(study / "summaries"), "--labels", str(study / "labels"))
    out = study / "calibration.json"
    found = run("calibrate", *files, *folders, "--out", str(out))
    assert found["labels"] == 16
    assert found["shift"] < 0
    assert found["after"]["ece"] < found["before"]["ece"]
    assert json.loads(out.read_text()) == found
    assert "shift -" in calibrate.show(found)
    system = ("--summaries", str(study / "summaries/a.summary"), "--calibration", str(out))
    scored = run("score", *files, *system)
    assert scored["calibrated"] < scored["p2c"]
    assert "calibrated" in score.show(scored)
    with pytest.raises(InputError, match="Calibrate"):
        run("score", *files, *system, "--function", "l2c")


def test_a_file_that_is_no_calibration_is_refused(study: Path) -> None:
    (study / "wrong.json").write_text("{}")
    with pytest.raises(InputError, match="is not a calibration"):
        run(
            "score",
            *("--units", str(study / "SCUs.txt"), "--judge", "lexical"),
            *("--summaries", str(study / "summaries/a.summary")),
            *("--calibration", str(study / "wrong.json")),
        )
