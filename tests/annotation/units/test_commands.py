"""`manage.py import_units` and `manage.py export_units`."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.corpora.projects.models import Project
from annotation.units.sets.models import Peer, Unit, UnitSet
from tests.annotation.units.writing import unit_line, write_lines

LINES = b"One.\tTwo.\n\nThree."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "SCUs.txt").write_bytes(LINES)
    return tmp_path / "SCUs.txt"


def run(*arguments: Any, **options: Any) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, **options, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def take(path: Path, *more: str) -> str:
    options = ("--project", "study", "--set", "SCUs", "--anyway")
    return run("import_units", str(path), *options, *more)[0]


def test_it_imports_in_words_and_as_json(corpus: Project, path: Path):
    assert take(path) == "SCUs v1: 3 units.\n"
    options = ("--project", "study", "--set", "again", "--anyway", "--json")
    made = run("import_units", str(path), *options)[0]
    again = UnitSet.objects.get(name="again")
    assert json.loads(made) == {"set": again.pk, "units": 3, "problems": [], "notes": []}
    assert again.unit_count == 3


def test_it_only_checks_a_file_if_asked_to(corpus: Project, path: Path):
    assert json.loads(take(path, "--check", "--json")) == {"checked": 3}
    assert "3 units" in take(path, "--check")
    assert not UnitSet.objects.exists()


def test_it_takes_who_made_the_units(corpus: Project, path: Path, tmp_path: Path):
    take(path, "--kind", "stu", "--extractor", "srl", "--extractor-version", "1.2")
    made = Unit.objects.values_list("kind", "extractor", "extractor_version")
    assert set(made) == {("stu", "srl", "1.2")}
    target = tmp_path / "out.csv"
    give("--output", str(target), "--format", "csv")
    assert target.read_text().splitlines()[1] == "e1,1,stu,1,One.,,srl,1.2"


def test_it_exports_peers(corpus: Project, path: Path, tmp_path: Path):
    take(path)
    unit_set = UnitSet.objects.get()
    for name in ("12", "13"):
        Peer.objects.create(
            set=unit_set, example=corpus.examples.get(key="e1"), name=name, text="One."
        )
    target = tmp_path / "out.zip"
    give("--output", str(target), "--format", "pan")
    assert zipfile.ZipFile(target).namelist() == ["e1.12.pan", "e1.13.pan"]


def test_it_tells_problems(corpus: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    bad = write_lines(tmp_path / "u.jsonl", unit_line("e9", "One."))
    out = io.StringIO()
    command = ["import_units", str(bad), "--project", "study", "--set", "x"]
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command(*command, "--json", stdout=out)
    [problem] = json.loads(out.getvalue())["problems"]
    assert (problem["file"], problem["line"]) == ("u.jsonl", 1)
    err = io.StringIO()
    with pytest.raises(CommandError):
        call_command(*command, stderr=err)
    assert err.getvalue().startswith("u.jsonl, line 1: The project has no example 'e9'. Expected")
    assert not UnitSet.objects.exists()


def test_it_fails_when_the_job_does(
    corpus: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("annotation.units.files.service.find_misfit", lambda *_: "")
    contributor = {"reference": 4, "start": 0, "end": 5}
    bad = {"text": "One.", "contributors": [contributor]}
    path = write_lines(tmp_path / "u.jsonl", unit_line("e1", bad))
    with pytest.raises(CommandError, match="reference 5"):
        take(path)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["/nowhere", "--project", "study", "--set", "x"], "no such file or folder"),
        (["{path}", "--project", "other", "--set", "x"], "There is no project 'other'"),
        (["{path}", "--project", "study", "--set", "x", "--format", "pdf"], "invalid choice"),
        (["{path}", "--project", "study", "--set", "x", "--kind", "acu"], "invalid choice"),
        (
            ["{path}", "--project", "study", "--set", "x", "--extractor-version", "1"],
            "A version needs the name of its extractor",
        ),
    ],
)
def test_it_says_what_is_not_there(arguments: list[str], words: str, corpus: Project, path: Path):
    filled = [argument.format(path=path) for argument in arguments]
    with pytest.raises(CommandError, match=words):
        call_command("import_units", *filled)


def test_it_takes_a_name_once(corpus: Project, path: Path):
    take(path)
    with pytest.raises(CommandError, match="already called 'SCUs'"):
        take(path)


def give(*more: str) -> str:
    return run("export_units", "--project", "study", "--set", "SCUs", *more)[0]


def test_it_exports_to_a_file(corpus: Project, path: Path, tmp_path: Path):
    take(path)
    target = tmp_path / "out.txt"
    assert give("--output", str(target)) == f"SCUs v1: 3 units in {target}.\n"
    assert target.read_bytes() == LINES
    told = json.loads(give("--output", str(target), "--format", "jsonl", "--json"))
    assert told == {
        "set": "SCUs",
        "version": 1,
        "state": "draft",
        "hash": "",
        "units": 3,
        "file": str(target),
    }
    assert json.loads(target.read_text().splitlines()[0])["id"] == "e1"


def test_it_exports_to_standard_output(
    corpus: Project, path: Path, monkeypatch: pytest.MonkeyPatch
):
    take(path)
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    call_command("export_units", "--project", "study", "--set", "SCUs", "--set-version", "1")
    assert out.buffer.getvalue() == LINES


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--project", "study", "--set", "x"], "Known: SCUs v1"),
        (["--project", "study", "--set", "SCUs", "--set-version", "2"], "Known: SCUs v1"),
        (["--project", "other", "--set", "SCUs"], "Known: none"),
    ],
)
def test_it_exports_what_is_there(arguments: list[str], words: str, corpus: Project, path: Path):
    take(path)
    with pytest.raises(CommandError, match=words):
        call_command("export_units", *arguments)


def test_it_exports_no_empty_set(corpus: Project, draft: UnitSet, tmp_path: Path):
    target = tmp_path / "out.txt"
    with pytest.raises(CommandError, match="has no units"):
        call_command(
            "export_units", "--project", "study", "--set", "draft", "--output", str(target)
        )
    assert not target.exists()
