"""Sending files, and the import page in every state."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.queries import list_imports
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.corpora.places import make_job
from tests.annotation.corpora.rest import jsonl

IMPORTS = "/p/study/imports/"
NEW = f"{IMPORTS}new/"


def upload(client: Client, *files: SimpleUploadedFile, **fields: str) -> Import:
    response = client.post(NEW, {"files": list(files), **fields})
    import_ = Import.objects.latest("pk")
    assert (response.status_code, response["Location"]) == (302, f"{IMPORTS}{import_.pk}/")
    return import_


def checked(import_: Import) -> Import:
    assert import_.job is not None
    jobs_service.run_job(job_id=import_.job.pk)
    import_.refresh_from_db()
    return import_


def zipped(**files: bytes) -> SimpleUploadedFile:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return SimpleUploadedFile("corpus.zip", buffer.getvalue())


def make_import(project: Project, state: ImportState, /, **job: Any) -> Import:
    counts = {
        part: {"new": 3, "same": 1}
        for part in ("examples", "documents", "references", "sentences", "systems", "summaries")
    }
    return Import.objects.create(
        project=project,
        name="dams.jsonl",
        format="jsonl",
        state=state,
        plan={"counts": counts, "notes": ["A note."], "problems": [], "problem_count": 0},
        job=make_job(project, **job),
    )


def shown(client: Client, import_: Import) -> Page:
    return page_of(client.get(f"{IMPORTS}{import_.pk}/"))


def buttons(page: Page) -> set[str]:
    """The last words of the addresses that the page's forms go to."""
    ours = [action for action in page.actions if action.startswith("/p/")]
    return {action.rstrip("/").rpartition("/")[2] for action in ours}


def test_it_explains_the_formats(project: Project, as_owner: Client):
    page = page_of(as_owner.get(NEW))
    for name in ("Line files", "JSONL", "CSV", "SacreROUGE JSONL"):
        assert name in page.text


def test_it_takes_a_file(project: Project, as_owner: Client, owner: User):
    import_ = upload(as_owner, jsonl("e1", "e2"))
    assert (import_.state, import_.name, import_.created_by) == (
        ImportState.CHECKING,
        "corpus.jsonl",
        owner,
    )
    assert checked(import_).plan["counts"]["examples"]["new"] == 2


def test_it_takes_several_files(project: Project, as_owner: Client):
    files = {
        "ids.txt": b"a1\n",
        "documents.txt": b"The dam burst.\n",
        "references.txt": b"<t> The dam burst. </t>\n",
        "lead.summary": b"Dam.\n",
    }
    import_ = upload(as_owner, *(SimpleUploadedFile(*item) for item in files.items()))
    assert import_.name == "ids.txt and 3 more"
    assert checked(import_).state == ImportState.READY, import_.plan


def test_it_takes_a_zip(project: Project, as_owner: Client):
    line = json.dumps(factories.example("e1")).encode()
    import_ = checked(upload(as_owner, zipped(corpus_jsonl=line)))
    assert (import_.state, import_.format) == (ImportState.READY, "jsonl")


@pytest.mark.parametrize(
    "file, format",
    [
        (SimpleUploadedFile("photo.png", b"\x89PNG\r\n"), ""),
        (SimpleUploadedFile("empty.jsonl", b""), ""),
        (SimpleUploadedFile("broken.zip", b"PK\x03\x04 not a zip"), ""),
        (SimpleUploadedFile("corpus.jsonl", b'{"id": 1'), "jsonl"),
        (SimpleUploadedFile("corpus.csv", b"a,b\n1,2\n"), "csv"),
    ],
    ids=["picture", "empty", "broken zip", "broken line", "other columns"],
)
def test_it_says_what_is_wrong_with_files_of_a_wrong_kind(
    file: SimpleUploadedFile, format: str, project: Project, as_owner: Client
):
    file.seek(0)
    import_ = checked(upload(as_owner, file, format=format))
    page = shown(as_owner, import_)
    assert import_.state == ImportState.REFUSED
    assert "found. Nothing was changed." in page.text
    assert import_.plan["problems"][0]["message"] in page.text
    assert file.name in {import_.plan["problems"][0]["file"], import_.name}
    assert str(import_.folder) not in page.text
    assert NEW in page.links


def test_it_needs_a_file(project: Project, as_owner: Client):
    assert "This field is required." in page_of(as_owner.post(NEW, {"format": ""}), 422).text
    assert "This field is required." in page_of(as_owner.post(NEW), 422).text
    assert not Import.objects.exists()


def test_it_knows_its_formats(project: Project, as_owner: Client):
    page = page_of(as_owner.post(NEW, {"files": jsonl("e1"), "format": "pdf"}), 422)
    assert "Select a valid choice." in page.text


def test_it_takes_only_so_much(project: Project, as_owner: Client, settings: Any, uploads: Path):
    settings.MAX_UPLOAD_MB = 1
    two = [SimpleUploadedFile(f"{name}.txt", b"x" * 600_000) for name in "ab"]
    page = page_of(as_owner.post(NEW, {"files": two}), 422)
    assert "this server takes 1 MB" in page.text
    assert not Import.objects.exists()
    assert not uploads.exists()


def test_it_takes_only_so_many(project: Project, as_owner: Client, settings: Any):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    three = [jsonl("e1", name=f"{name}.jsonl") for name in "abc"]
    page = page_of(as_owner.post(NEW, {"files": three}), 413)
    assert "10,000 fields and 2 files" in page.text


def test_it_keeps_no_file_of_an_import_that_it_refuses(
    project: Project, as_owner: Client, uploads: Path
):
    page = page_of(as_owner.post(NEW, {"files": [jsonl("e1"), jsonl("e2")]}), 409)
    assert "The name 'corpus.jsonl' was uploaded twice." in page.text
    assert list(uploads.iterdir()) == []


@pytest.mark.parametrize("name", ["../../escape.jsonl", "/etc/escape.jsonl", "..\\escape.jsonl"])
def test_it_writes_files_where_they_belong(
    name: str, project: Project, as_owner: Client, uploads: Path
):
    import_ = upload(as_owner, jsonl("e1", name=name))
    inside = [path for path in uploads.rglob("*") if path.is_file()]
    assert inside == [uploads / str(import_.folder) / "escape.jsonl"]


@pytest.mark.parametrize(
    "state, job, words, for_editors",
    [
        ("checking", {"state": JobState.QUEUED}, "Waiting for a worker", {"cancel"}),
        ("checking", {"state": JobState.RUNNING, "phase": "Reading"}, "Reading", {"cancel"}),
        ("ready", {"state": JobState.DONE}, "This will create 3 examples", {"write", "drop"}),
        ("refused", {"state": JobState.DONE}, "Nothing was changed.", set()),
        (
            "writing",
            {"state": JobState.RUNNING, "done": 1, "total": 4},
            "Importing the texts",
            {"cancel"},
        ),
        (
            "failed",
            {"kind": "write_import", "state": JobState.FAILED, "error": "No disk."},
            "No disk.",
            {"retry"},
        ),
        (
            "failed",
            {"kind": "check_import", "state": JobState.FAILED, "error": "No disk."},
            "None of its texts are in the project",
            {"retry", "drop"},
        ),
        ("done", {"state": JobState.DONE}, "imported", {"undo"}),
        ("removing", {"state": JobState.RUNNING}, "Undoing the import", set()),
        ("dropped", {"state": JobState.CANCELLED}, "This import was discarded", set()),
    ],
)
def test_it_shows_every_state(
    state: str,
    job: dict[str, Any],
    words: str,
    for_editors: set[str],
    project: Project,
    editor: User,
    as_viewer: Client,
):
    import_ = make_import(project, ImportState(state), **job)
    page = shown(sign_in(editor), import_)
    assert words in page.text
    assert import_.get_state_display() in page.text
    assert for_editors <= buttons(page)
    assert buttons(page) <= for_editors | {"undo"}
    assert buttons(shown(as_viewer, import_)) == set()


@pytest.mark.parametrize("state, is_over", [("queued", False), ("failed", True)])
def test_it_looks_again_while_something_happens(
    state: str, is_over: bool, project: Project, as_viewer: Client
):
    page = shown(as_viewer, make_import(project, ImportState.CHECKING, state=state))
    assert ('hx-trigger="every 1s"' in page.html) is not is_over


def test_it_counts_what_was_there_when_it_was_over(
    project: Project, as_owner: Client, monkeypatch: pytest.MonkeyPatch
):
    """It ends after the project was read and before the import is: nothing looks again."""
    done = make_import(project, ImportState.DONE)

    def end_meanwhile(project: Project) -> Any:
        Project.objects.filter(pk=project.pk).update(example_count=8012)
        return list_imports(project)

    monkeypatch.setattr("annotation.corpora.imports.views.list_imports", end_meanwhile)
    assert "8,012" in as_owner.get(f"/p/{project.slug}/imports/{done.pk}/").content.decode()


def test_it_writes_and_takes_back(project: Project, as_owner: Client):
    import_ = checked(upload(as_owner, jsonl("e1")))
    here = f"{IMPORTS}{import_.pk}/"
    assert as_owner.post(f"{here}write/")["Location"] == here
    assert page_of(as_owner.post(f"{here}write/"), 409)
    assert checked(Import.objects.get()).state == ImportState.DONE
    assert Example.objects.count() == 1
    page_of(as_owner.post(f"{here}drop/"), 409)
    assert as_owner.post(f"{here}undo/")["Location"] == here
    assert checked(Import.objects.get()).state == ImportState.DROPPED
    assert not Example.objects.exists()


def test_it_drops(project: Project, as_owner: Client, uploads: Path):
    import_ = checked(upload(as_owner, jsonl("e1")))
    response = as_owner.post(f"{IMPORTS}{import_.pk}/drop/")
    assert (response.status_code, response["Location"]) == (302, IMPORTS)
    import_.refresh_from_db()
    assert import_.state == ImportState.DROPPED
    assert list(uploads.iterdir()) == []


def test_it_says_that_all_is_there_already(corpus: Project, as_owner: Client):
    import_ = checked(upload(as_owner, jsonl("e1", "e2", "e3")))
    page = shown(as_owner, import_)
    assert "Everything is already in the project" in page.text
    assert buttons(page) == {"drop"}
    page_of(as_owner.post(f"{IMPORTS}{import_.pk}/write/"), 409)


def test_it_lists_imports(corpus: Project, as_viewer: Client, as_owner: Client):
    refused = checked(upload(as_owner, SimpleUploadedFile("bad.jsonl", b"{")))
    page = page_of(as_viewer.get(IMPORTS))
    assert f"{IMPORTS}{refused.pk}/" in page.links
    assert "Has problems" in page.text
    assert "Imported" in page.text
    assert NEW not in page.links
    assert NEW in page_of(as_owner.get(IMPORTS)).links


def test_it_says_when_nothing_was_imported(project: Project, as_viewer: Client):
    assert "No imports yet" in page_of(as_viewer.get(IMPORTS)).text


def test_it_shows_no_import_of_another_project(
    corpus: Project, as_outsider: Client, outsider: User
):
    factories.make_project(outsider, "theirs")
    pk = corpus.imports.get().pk
    assert as_outsider.get(f"/p/theirs/imports/{pk}/").status_code == 404
    for verb in ("write", "undo", "drop"):
        assert as_outsider.post(f"/p/theirs/imports/{pk}/{verb}/").status_code == 404
    assert Example.objects.count() == 3
