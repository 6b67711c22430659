"""An upload that the disk has no room for: told in words, nothing left of it, taken later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.body_limit import NO_ROOM, UNREAD
from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import Import
from annotation.corpora.projects.models import Project
from tests.annotation.corpora.pages import page_of
from tests.annotation.corpora.rest import Rest, error_of, jsonl
from tests.disks import Disk

BIG = b'{"id": "a", "documents": ["' + b"x " * 2**21 + b'"]}\n'


@pytest.fixture
def full(disk: Disk, settings: Any) -> Disk:
    """Uploads, and what of them is not in memory, go to a disk that is full."""
    settings.IMPORTS_DIR = disk.folder / "imports"
    settings.FILE_UPLOAD_TEMP_DIR = disk.folder
    settings.DATA_DIR = disk.folder
    settings.IMPORTS_DIR.mkdir()
    disk.fill()
    return disk


def left_in(disk: Disk) -> list[Path]:
    return [path for path in disk.folder.rglob("*") if path.is_file() and path.name != "ballast"]


@pytest.mark.parametrize("content", [BIG, BIG[:2000]], ids=["spooled", "in memory"])
def test_it_is_refused_with_words_and_leaves_nothing(
    content: bytes, project: Project, as_owner: Client, full: Disk
) -> None:
    as_owner.raise_request_exception = False
    file = SimpleUploadedFile("corpus.jsonl", content)
    response = as_owner.post("/p/study/imports/new/", {"files": file, "format": ""})
    page = page_of(response, 503)
    assert "The server's disk is full" in page.text
    assert "Nothing was saved." in page.text
    assert response["Retry-After"] == "30"
    assert left_in(full) == []
    assert not Import.objects.exists()


def test_it_is_refused_by_rest_and_taken_once_there_is_room(
    project: Project, owner: User, full: Disk
) -> None:
    rest = Rest(owner)
    response = rest.upload("/projects/study/imports/", jsonl("e1"))
    assert error_of(response) == (503, "disk_unavailable")
    assert response["Retry-After"] == "30"
    assert left_in(full) == []
    full.free()
    assert rest.upload("/projects/study/imports/", jsonl("e1")).status_code == 202


def test_it_says_so_where_the_web_server_had_no_room(project: Project, owner: User) -> None:
    """The body was never read; whoever sent it learns why in their own shape."""
    unread: dict[str, Any] = {UNREAD: NO_ROOM}
    response = Rest(owner).client.get("/api/v1/projects/", **unread)
    assert error_of(response) == (503, "disk_unavailable")
    page = page_of(Client().get("/sign-in/", **unread), 503)
    assert "The server's disk is full" in page.text
