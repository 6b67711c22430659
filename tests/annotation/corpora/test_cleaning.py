"""What nobody needs any more goes, each kind of it; what somebody is about to need stays."""

from __future__ import annotations

import os
import time
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.imports import cleaning
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState, Upload
from annotation.corpora.imports.uploads import receiving
from annotation.corpora.jobs import kinds
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from tests import factories

HOUR, DAY = 3600.0, 24 * 3600.0


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name, folder in (("DATA_DIR", ""), ("IMPORTS_DIR", "imports"), ("GOLD_DIR", "gold")):
        monkeypatch.setattr(settings, name, tmp_path / folder)
    monkeypatch.setattr(settings, "FILE_UPLOAD_TEMP_DIR", tmp_path / "tmp")
    for folder in ("imports", "gold", "tmp", "run", "backups", "broker/messages"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def age(path: Path, seconds: float) -> Path:
    """As if it had been written so long ago."""
    then = time.time() - seconds
    for one in (path, *path.rglob("*")):
        os.utime(one, (then, then))
    return path


def send(project: Project, user: User, *keys: str, data: bytes | None = None) -> Import:
    if data is None:
        file = factories.write_jsonl(
            Path(settings.DATA_DIR) / "sent.jsonl", [factories.example(key) for key in keys]
        )
        data = file.read_bytes()
    files = [("corpus.jsonl", [data])]
    return imports_service.create_import(project=project, user=user, name="sent", files=files)


def run_check(import_: Import) -> Import:
    assert import_.job is not None
    jobs_service.run_job(job_id=import_.job.pk)
    import_.refresh_from_db()
    return import_


def folder_of(import_: Import) -> Path:
    return Path(settings.IMPORTS_DIR) / str(import_.folder)


def put_back(import_: Import, days: float) -> None:
    Import.objects.filter(pk=import_.pk).update(created_at=timezone.now() - timedelta(days=days))
    age(folder_of(import_), days * DAY)


def test_files_that_were_refused_go_at_once(project: Project, owner: User) -> None:
    import_ = run_check(send(project, owner, data=b"{"))
    assert import_.state == ImportState.REFUSED
    assert import_.plan["problems"]
    assert not folder_of(import_).exists()


def test_files_for_a_job_that_a_killed_request_left_go_and_stop_counting(
    project: Project, owner: User
) -> None:
    with receiving(project=project, user=owner, files=[("units.txt", [b"A dam."])]) as received:
        received.is_needed = True  # and the process dies before it makes the job
    age(received.folder, 2 * HOUR)
    Upload.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert cleaning.clean_up() == 1
    assert not received.folder.exists()
    assert not Upload.objects.exists()


def test_a_file_that_cannot_be_removed_keeps_no_other(
    data: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, other = data / "tmp" / "a", data / "tmp" / "b"
    for path in (stuck, other):
        path.write_text("left")
        age(path, 2 * DAY)
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path == stuck:
            raise PermissionError("not yours")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    assert cleaning.clean_up() == 1
    assert (stuck.exists(), other.exists()) == (True, False)


def test_refused_files_of_a_worker_that_was_killed_go(project: Project, owner: User) -> None:
    import_ = send(project, owner, "e1")
    Import.objects.filter(pk=import_.pk).update(state=ImportState.REFUSED)
    Job.objects.filter(imports=import_).update(state=JobState.DONE)
    assert cleaning.clean_up() == 0, "younger than an hour"
    age(folder_of(import_), 2 * HOUR)
    assert cleaning.clean_up() == 1
    assert not folder_of(import_).exists()


def test_an_upload_that_nobody_imports_goes(project: Project, owner: User) -> None:
    import_ = run_check(send(project, owner, "e1"))
    put_back(import_, settings.UPLOAD_DAYS - 1)
    assert cleaning.clean_up() == 0
    put_back(import_, settings.UPLOAD_DAYS + 1)
    assert cleaning.clean_up() == 1
    import_.refresh_from_db()
    assert import_.state == ImportState.DROPPED
    assert not folder_of(import_).exists()


@pytest.mark.parametrize(("state", "goes"), [(JobState.FAILED, True), (JobState.RUNNING, False)])
def test_an_upload_whose_check_failed_goes(
    project: Project, owner: User, state: JobState, goes: bool
) -> None:
    import_ = send(project, owner, "e1")
    Job.objects.filter(imports=import_).update(state=state)
    put_back(import_, settings.UPLOAD_DAYS + 1)
    assert cleaning.clean_up() == goes
    assert folder_of(import_).exists() is not goes


def test_an_import_that_begins_right_now_keeps_its_files(
    project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the moment in which it is found and that in which it would be dropped."""
    import_ = run_check(send(project, owner, "e1"))
    put_back(import_, settings.UPLOAD_DAYS + 1)
    drop = cleaning.drop_import

    def import_first(*, import_: Import) -> None:
        again = Import.objects.get(pk=import_.pk)
        imports_service.write_import(import_=again, user=owner)
        drop(import_=import_)

    monkeypatch.setattr(cleaning, "drop_import", import_first)
    assert cleaning.clean_up() == 0
    import_.refresh_from_db()
    assert import_.job is not None
    assert import_.state == ImportState.WRITING
    jobs_service.run_job(job_id=import_.job.pk)
    import_.refresh_from_db()
    assert import_.state == ImportState.DONE


def test_an_import_that_was_dropped_first_is_not_written(project: Project, owner: User) -> None:
    import_ = run_check(send(project, owner, "e1"))
    put_back(import_, settings.UPLOAD_DAYS + 1)
    cleaning.clean_up()
    with pytest.raises(DomainError):
        imports_service.write_import(import_=import_, user=owner)


def test_an_upload_without_a_row_goes_and_one_that_is_arriving_stays(db: None, data: Path) -> None:
    """Its row is made after its files: a killed process leaves files alone."""
    arriving = data / "imports" / str(uuid.uuid4())
    left = data / "imports" / str(uuid.uuid4())
    for folder in (arriving, left):
        (folder / "summaries").mkdir(parents=True)
        (folder / "summaries" / "lead.summary").write_text("x")
    age(left, 2 * HOUR)
    age(arriving, 2 * HOUR)
    os.utime(arriving / "summaries" / "lead.summary")
    assert cleaning.clean_up() == 1
    assert not left.exists()
    assert arriving.exists()


def test_files_of_a_project_that_is_gone_go(project: Project, owner: User) -> None:
    import_ = send(project, owner, "e1")
    Job.objects.filter(imports=import_).delete()
    Import.objects.filter(pk=import_.pk).delete()
    age(folder_of(import_), 2 * HOUR)
    assert cleaning.clean_up() == 1
    assert not folder_of(import_).exists()


@pytest.mark.parametrize(
    ("state", "days_ago", "goes"),
    [
        (JobState.QUEUED, 100, False),
        (JobState.RUNNING, 100, False),
        (JobState.PAUSED, 100, False),
        (JobState.FAILED, 1, False),
        (JobState.FAILED, 100, True),
        (JobState.DONE, 1, True),
        (JobState.CANCELLED, 1, True),
    ],
)
def test_files_that_a_job_may_still_read_stay(
    project: Project, data: Path, state: JobState, days_ago: int, goes: bool
) -> None:
    """Units, labels, scores and judgements that were sent lie where a job of theirs says."""
    folder = data / "imports" / str(uuid.uuid4())
    folder.mkdir()
    (folder / "units.jsonl").write_text("x")
    age(folder, 2 * HOUR)
    finished = timezone.now() - timedelta(days=days_ago)
    Job.objects.create(
        project=project,
        kind="import_units",
        title="Import units",
        params={"path": str(folder / "units.jsonl")},
        state=state,
        finished_at=finished,
    )
    assert cleaning.clean_up() == goes
    assert folder.exists() is not goes


def test_what_a_restored_study_needs_stays_while_its_job_may_run(
    project: Project, data: Path
) -> None:
    job = Job.objects.create(project=project, kind="restore", title="Restore")
    mine, other = (data / "imports" / f"restore-{number}" for number in (job.pk, job.pk + 1000))
    for folder in (mine, other):
        folder.mkdir()
        age(folder, 2 * DAY)
    assert cleaning.clean_up() == 1
    assert mine.exists()
    assert not other.exists()


@pytest.mark.parametrize(
    "path",
    [
        "tmp/tmpabc.upload.jsonl",
        "tmp/spool-abc/part",
        "gold/abc.part",
        "backups/.monday.giza.zip.part",
        ".monday.giza.zip.part",
        "broker/messages/1.celery.part",
        "broker/messages/1.celery.taken",
    ],
)
def test_what_was_never_finished_goes(db: None, data: Path, path: str) -> None:
    """Of a request, a job, an export or a backup that was killed."""
    left = data / path
    left.parent.mkdir(exist_ok=True)
    left.write_text("half")
    whole = left.parent / "whole.zip"
    whole.write_text("whole")
    assert cleaning.clean_up() == 0, "it may be being written"
    age(data, 2 * DAY)
    os.utime(data / "run")
    cleaning.clean_up()
    assert not left.exists()
    assert whole.exists() is not path.startswith("tmp/")


def test_the_folder_of_a_process_that_runs_for_long_stays(db: None, data: Path) -> None:
    folder = data / "tmp" / "pymp-abc"
    folder.mkdir()
    age(data, 30 * DAY)
    assert cleaning.clean_up() == 0
    assert folder.exists()


def test_two_workers_may_clean_up_at_once(
    db: None, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = data / "tmp" / "left"
    left.write_text("half")
    age(left, 2 * DAY)
    listed = cleaning._children

    def list_then_lose(folder: Path) -> Any:
        found = list(listed(folder))
        left.unlink(missing_ok=True)
        return iter(found)

    monkeypatch.setattr(cleaning, "_children", list_then_lose)
    assert cleaning.clean_up() == 0


def test_every_worker_looks_now_and_then(
    db: None, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cleaning.clean_up_seldom in kinds.DELIVERIES
    looked: list[int] = []
    monkeypatch.setattr(cleaning, "clean_up", lambda: looked.append(1))
    monkeypatch.setattr(cleaning, "_due", 0.0)
    for _ in range(3):
        cleaning.clean_up_seldom()
    assert looked == [1]
