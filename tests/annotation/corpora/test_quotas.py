"""How much people may send: by account, by project, and what counts for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from annotation.corpora.accounts.models import User
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.imports.uploads import (
    get_account_usage,
    get_project_usage,
    receiving,
    remove_received,
)
from annotation.corpora.projects.models import Project
from annotation.errors import TooLarge
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.counting import for_sure
from tests.annotation.corpora.rest import Rest, error_of, jsonl
from tests.servers import ROOT

MB = 2**20


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two MB for an account and three for a project."""
    monkeypatch.setattr(settings, "QUOTA_ACCOUNT_MB", 2)
    monkeypatch.setattr(settings, "QUOTA_PROJECT_MB", 3)
    monkeypatch.setattr(settings, "IMPORTS_DIR", tmp_path)


def send(project: Project, user: User, megabytes: int) -> Import:
    files = [("big.jsonl", [b"x" * MB] * megabytes)]
    return imports_service.create_import(project=project, user=user, name="big", files=files)


def test_an_account_has_a_quota_over_all_projects(small: None, project: Project, owner: User):
    other = factories.make_project(owner, slug="other", name="Another")
    send(project, owner, 1)
    send(other, owner, 1)
    with pytest.raises(TooLarge) as refused:
        send(project, owner, 1)
    assert str(refused.value) == "Your account has no room for another 1 MB: 2 of 2 MB are used."
    assert "QUOTA_ACCOUNT_MB" in refused.value.hint
    assert "QUOTA_ACCOUNT_MB" in refused.value.hint


def test_a_project_has_a_quota_for_everybody_together(
    small: None, project: Project, owner: User, outsider: User
):
    send(project, owner, 2)
    send(project, outsider, 1)
    with pytest.raises(TooLarge, match="This project has no room for another 1 MB: 3 of 3 MB"):
        send(project, outsider, 1)


def test_nothing_of_what_is_refused_stays(
    small: None, project: Project, owner: User, tmp_path: Path
):
    with pytest.raises(TooLarge):
        send(project, owner, 5)
    assert list(tmp_path.iterdir()) == []
    assert not Import.objects.exists()


def test_it_stops_reading_once_there_is_no_room(small: None, project: Project, owner: User):
    read: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(100):
            read.append(number)
            yield b"x" * MB

    with pytest.raises(TooLarge):
        imports_service.create_import(
            project=project, user=owner, name="big", files=[("big.jsonl", chunks())]
        )
    assert len(read) == 3


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        (ImportState.CHECKING, True),
        (ImportState.READY, True),
        (ImportState.WRITING, True),
        (ImportState.DONE, True),
        (ImportState.REFUSED, False),
        (ImportState.DROPPED, False),
    ],
)
def test_what_is_kept_counts(
    small: None, project: Project, owner: User, state: ImportState, counts: bool
):
    import_ = send(project, owner, 1)
    Import.objects.filter(pk=import_.pk).update(state=state)
    expected = MB if counts else 0
    assert get_project_usage(project).used == expected
    assert get_account_usage(owner).used == expected


def receive(project: Project | None, user: User, megabytes: int, *, is_needed: bool) -> Path:
    files = [("units.txt", [b"x" * MB] * megabytes)]
    with receiving(project=project, user=user, files=files) as received:
        received.is_needed = is_needed
    return received.folder


def test_files_of_other_jobs_count_while_they_are_kept(small: None, project: Project, owner: User):
    """Units, labels, scores, judgements and gold datasets come this way."""
    folder = receive(project, owner, 2, is_needed=True)
    assert get_project_usage(project).used == get_account_usage(owner).used == 2 * MB
    with pytest.raises(TooLarge, match="Your account has no room for another 1 MB"):
        receive(None, owner, 1, is_needed=True)
    with pytest.raises(TooLarge):
        send(project, owner, 1)
    remove_received(folder)
    assert get_project_usage(project).used == get_account_usage(owner).used == 0
    assert not folder.exists()


def test_files_that_no_job_needs_neither_stay_nor_count(
    small: None, project: Project, owner: User, tmp_path: Path
):
    receive(project, owner, 1, is_needed=False)
    with pytest.raises(TooLarge):
        receive(project, owner, 3, is_needed=True)
    assert list(tmp_path.iterdir()) == []
    assert get_account_usage(owner).used == 0


def test_every_service_that_takes_files_counts_them():
    """Only this module writes what somebody sends, and it asks for room first."""
    writing = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "annotation").rglob("*.py")
        if '.open("xb")' in path.read_text()
    ]
    assert sorted(writing) == [
        "annotation/corpora/imports/uploads.py",
    ]


def test_rest_says_so(small: None, project: Project, owner: User):
    rest = Rest(owner)
    send(project, owner, 2)
    assert error_of(rest.upload("/projects/study/imports/", jsonl("e1"))) == (413, "too_large")


def test_the_page_says_what_is_used_and_why_it_refuses(small: None, project: Project, owner: User):
    send(project, owner, 2)
    client = sign_in(owner)
    for address in ("/p/study/", "/p/study/imports/"):
        assert "2.0\xa0MB of 3.0\xa0MB" in client.get(address).content.decode()
    refused = client.post("/p/study/imports/new/", {"files": [jsonl("e1")]})
    assert refused.status_code == 413
    assert "Your account has no room for another 1 MB" in refused.content.decode()


def test_a_path_on_the_server_is_nobody_s_upload(
    small: None, project: Project, owner: User, tmp_path: Path
):
    lines = [factories.example("e1")]
    factories.check(project, factories.write_jsonl(tmp_path / "a.jsonl", lines), user=owner)
    assert get_project_usage(project).used == 0


@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_not_both_take_the_last_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(settings, "QUOTA_PROJECT_MB", 1)
    monkeypatch.setattr(settings, "IMPORTS_DIR", tmp_path)
    owner = factories.make_user("Owner")
    project = factories.make_project(owner)
    both, outcomes = threading.Barrier(2), []

    def chunks(waits: Iterator[bool]) -> Iterator[bytes]:
        yield b"x" * (MB // 2)
        if next(waits, False):
            both.wait(30)  # both have looked at what is left by now
        yield b"x" * (MB // 4)

    def attempt() -> None:
        waits = iter([True])
        try:
            for_sure(
                lambda: imports_service.create_import(
                    project=project, user=owner, name="a", files=[("a.jsonl", chunks(waits))]
                )
            )
            outcomes.append("taken")
        except TooLarge:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused", "taken"]
    assert Import.objects.count() == len(list(tmp_path.iterdir())) == 1
