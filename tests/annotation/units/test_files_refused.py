"""Files of units that can't be taken: the problem is named, and nothing is left behind."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid, TooLarge
from annotation.units.files import service as files_service
from annotation.units.files.service import LIMITS
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Unit, UnitSet
from tests.annotation.units.writing import fill, freeze, run, unit_line, write_lines


def problems_of(project: Project, path: Path, **more: Any) -> list[tuple[str, int | None, str]]:
    outcome = files_service.import_unit_file(
        project=project, user=None, name="refused", path=path, **more
    )
    assert outcome.unit_set is None
    assert not UnitSet.objects.filter(name="refused").exists()
    return [(item["file"], item["line"], item["message"]) for item in outcome.problems]


@pytest.mark.parametrize(
    "name, text, file, at, message",
    [
        ("u.jsonl", '{"id": "e9", "units": [{"text": "x"}]}', "u.jsonl", 1, "no example 'e9'"),
        ("SCUs.txt", "One.\nTwo.", "SCUs.txt", 3, "The file has 2 lines."),
        ("SCUs.txt", "1.\n2.\n3.\n4.", "SCUs.txt", 4, "The file has 4 lines."),
        ("SCUs.txt", "\n\n", "SCUs.txt", None, "no units"),
        ("units.txt", "One.\n\n", "units.txt", None, "units.txt"),
        ("u.jsonl", '{"units": []}\nno', "u.jsonl", 1, "not an example"),
        ("u.csv", "example_id,text\ne1," + "x" * 1001, "u.csv", 2, "has 1,001 characters"),
        ("u.csv", "example_id,text,extractor\ne1,x," + "y" * 81, "u.csv", 2, "81 characters"),
        (
            "u.csv",
            "example_id,text,extractor_version\ne1,x," + "y" * 121,
            "u.csv",
            2,
            "the extractor version of a unit has 121 characters",
        ),
    ],
)
def test_it_names_problems(
    name: str,
    text: str,
    file: str,
    at: int | None,
    message: str,
    corpus: Project,
    tmp_path: Path,
):
    path = tmp_path / name
    path.write_text(text)
    found = problems_of(corpus, path)
    assert found[0][:2] == (file, at)
    assert message in found[0][2]


def test_it_knows_what_the_tables_hold():
    fields = {field.name: field for field in Unit._meta.fields}
    assert {name: fields[name].max_length for name in LIMITS} == LIMITS


BEYOND = {"text": "x", "contributors": [{"reference": 0, "start": 0, "end": 42}]}
ELSEWHERE = {"text": "x", "contributors": [{"reference": 1, "start": 0, "end": 3}]}


@pytest.mark.parametrize("bad", [BEYOND, ELSEWHERE])
def test_it_names_words_that_are_not_there(bad: dict[str, Any], corpus: Project, tmp_path: Path):
    path = write_lines(tmp_path / "u.jsonl", unit_line("e1", "One."), unit_line("e2", bad))
    [(file, at, message)] = problems_of(corpus, path)
    assert (file, at) == ("u.jsonl", 2)
    assert message.startswith("In example 'e2': The contributor 0–")


def test_it_fails_in_a_sentence_and_can_be_deleted(corpus: Project, owner: User, tmp_path: Path):
    """The file was written anew between the check and the job."""
    lines = [unit_line(key, "It burst.") for key in ("e1", "e2")]
    path = write_lines(tmp_path / "u.jsonl", *lines)
    outcome = files_service.import_unit_file(project=corpus, user=owner, name="bad", path=path)
    write_lines(path, unit_line("e1", "One."), unit_line("e2", BEYOND))
    made = outcome.unit_set
    assert made is not None
    job = run(made.job)
    assert job.state == JobState.FAILED
    assert job.error.startswith("u.jsonl, line 2: example 'e2': The contributor 0–42")
    with pytest.raises(DomainError, match="incomplete"):
        freeze(made, owner)
    sets_service.delete_set(unit_set=made, user=owner)
    assert not Unit.objects.exists()


def test_it_notices_examples_that_left_meanwhile(corpus: Project, owner: User, tmp_path: Path):
    path = write_lines(tmp_path / "u.jsonl", unit_line("e1", "It burst."))
    outcome = files_service.import_unit_file(project=corpus, user=owner, name="x", path=path)
    Example.objects.filter(key="e1").update(key="other")
    assert outcome.unit_set is not None
    assert run(outcome.unit_set.job).error == "Example 'e1' is no longer in the project."


def test_it_refuses_a_name_that_is_taken(
    draft: UnitSet, owner: User, tmp_path: Path, uploads: Path
):
    with pytest.raises(DomainError, match="already called 'draft'"):
        files_service.import_uploaded_units(
            project=draft.project,
            user=owner,
            name="draft",
            files=[("SCUs.txt", [b"It burst.\n\n"])],
        )
    assert list(uploads.iterdir()) == []


@pytest.mark.parametrize(
    "name, chunks, error",
    [
        ("..", [b"x"], Invalid),
        ("", [b"x"], Invalid),
        ("x" * 256, [b"x"], Invalid),
        ("SCUs.txt", [b"x" * 2**20, b"x"], TooLarge),
        ("SCUs.txt", [b"One."], None),
    ],
)
def test_it_keeps_no_file_that_it_refuses(
    name: str,
    chunks: list[bytes],
    error: type[Exception] | None,
    corpus: Project,
    owner: User,
    uploads: Path,
    settings: Any,
):
    settings.MAX_UPLOAD_MB = 1
    uploads.mkdir(exist_ok=True)
    before = list(uploads.iterdir())
    sent: dict[str, Any] = {
        "project": corpus,
        "user": owner,
        "name": "x",
        "files": [(name, chunks)],
    }
    if error is None:
        assert files_service.import_uploaded_units(**sent).problems
    else:
        with pytest.raises(error):
            files_service.import_uploaded_units(**sent)
    assert list(uploads.iterdir()) == before
    assert not UnitSet.objects.exists()


def test_it_unpacks_no_more_than_is_allowed(corpus: Project, tmp_path: Path, settings: Any):
    path = tmp_path / "units.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("SCUs.txt", b"x" * (2**20 + 1))
    settings.MAX_UNPACKED_MB = 1
    outcome = files_service.import_unit_file(project=corpus, user=None, name="big", path=path)
    assert outcome.unit_set is None
    assert outcome.problems[0]["expected"] == "at most 1 MB unpacked."


def test_it_forgets_files_that_were_sent_and_leaves_paths_alone(
    corpus: Project, owner: User, tmp_path: Path, uploads: Path
):
    before = set(uploads.iterdir()) if uploads.exists() else set()
    outcome = files_service.import_uploaded_units(
        project=corpus, user=owner, name="a", files=[("SCUs.txt", [b"It burst.\n\n"])]
    )
    assert outcome.unit_set is not None
    run(outcome.unit_set.job)
    assert set(uploads.iterdir()) == before
    path = tmp_path / "SCUs.txt"
    path.write_bytes(b"It burst.\n\n")
    fill(corpus, path)
    assert path.exists()
