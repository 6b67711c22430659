"""`make figures`: what it computes, stores, compares and writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scoring.cli import COMMANDS, build_parser
from tests.documents import ROOT
from tests.figures import __main__ as command
from tests.figures import pages, parts
from tests.figures.parts import PARTS, list_differences, path_of


def test_a_difference_is_one_that_is_printed() -> None:
    old = {"rows": [{"r": 0.5, "n": 3, "low": None}], "name": "a"}
    near = {"rows": [{"r": 0.5004, "n": 3, "low": None}], "name": "a"}
    assert list(list_differences(old, near)) == []
    far = {"rows": [{"r": 0.504, "n": 4, "low": 0.1}], "name": "b"}
    found = sorted(list_differences(old, far))
    assert [line.split(":")[0] for line in found] == [
        "/name",
        "/rows/0/low",
        "/rows/0/n",
        "/rows/0/r",
    ]
    assert list(list_differences({"a": 1.0}, {})) == ["/a: stored 1.0, now None"]


@pytest.mark.parametrize("part", PARTS)
def test_its_commands_are_commands(part: str) -> None:
    for argv in PARTS[part].values():
        assert build_parser().parse_args(argv).command in COMMANDS


def test_a_block_is_replaced_and_the_rest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pages.TABLES, "easiness", lambda: "| new |\n")
    text = "before\n<!-- figures: easiness -->\n| old |\n<!-- end of figures -->\nafter\n"
    assert pages.fill(text) == text.replace("old", "new")
    with pytest.raises(KeyError, match="nothing"):
        pages.fill("<!-- figures: nothing -->\n<!-- end of figures -->")


def test_numbers_are_short() -> None:
    assert [pages.number(value) for value in (0.5, -0.25, 1.0)] == [".500", "−.250", "1.000"]
    assert pages.number(10.56, 2) == "10.56"
    gain = {"value": 0.01, "low": -0.002, "high": 0.02}
    assert pages.over(gain, "value") == "+.010 (−.002 to +.020)"


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what one part printed, data that are there, and one page."""
    found = {"figures": {"rows": [{"r": 0.5}]}}
    monkeypatch.setattr(parts, "STORED", tmp_path)
    monkeypatch.setattr(command, "compute", lambda part, data: found)
    monkeypatch.setattr(command, "GIZA_DATA", tmp_path)
    monkeypatch.setattr(command, "write_pages", lambda: ["science.md"])
    for study in parts.STUDIES:
        (tmp_path / study).mkdir()
    parts.write_stored("easiness", found)
    return path_of("easiness")


def test_it_checks_without_writing(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--check", "easiness"]) == 0
    stored.write_text(stored.read_text().replace("0.5", "0.6"))
    before = stored.read_text()
    assert command.main(["--check", "easiness"]) == 1
    assert "/figures/rows/0/r: stored 0.6, now 0.5" in capsys.readouterr().out
    assert stored.read_text() == before


def test_it_writes_what_it_computed(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored.write_text(stored.read_text().replace("0.5", "0.6"))
    assert command.main(["easiness"]) == 0
    assert "0.5" in stored.read_text()
    assert "science.md" in capsys.readouterr().out


def test_it_needs_the_data(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (stored.parent / "pyrxsum").rmdir()
    assert command.main(["easiness"]) == 2
    assert "GIZA_DATA" in capsys.readouterr().out


def test_what_a_command_prints_is_trimmed_and_rounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(arguments: Any) -> dict[str, Any]:
        assert arguments.references == tmp_path / "pyrxsum" / "references.txt"
        return {"units": {"d": []}, "accuracy": 1 / 3, "x": float("nan")}

    monkeypatch.setattr(COMMANDS["extract-stus"], "run", run)
    monkeypatch.setitem(PARTS, "stus", {"srl": parts._extract("pyrxsum")})
    assert parts.compute("stus", tmp_path) == {"srl": {"accuracy": 0.333333, "x": None}}


def test_make_has_a_verb_for_it() -> None:
    assert "python -m tests.figures" in (ROOT / "Makefile").read_text()
