"""The cast of every view test: an owner, members of each role, an outsider, and nobody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# Models can be imported only once the settings are there, and conftest files come before them.
if TYPE_CHECKING:
    from django.test import Client

    from annotation.corpora.models import Project, User


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are run by the tests themselves; messages to a worker that is not there are not sent."""
    monkeypatch.setattr("annotation.corpora.services.jobs.enqueue_job", lambda *, job_id: None)


@pytest.fixture
def owner(db: None) -> User:
    return _make_user("Owner")


@pytest.fixture
def project(owner: User) -> Project:
    from tests import factories

    return factories.make_project(owner)


@pytest.fixture
def editor(project: Project) -> User:
    return _make_member(project, "Editor")


@pytest.fixture
def annotator(project: Project) -> User:
    return _make_member(project, "Annotator")


@pytest.fixture
def viewer(project: Project) -> User:
    return _make_member(project, "Viewer")


@pytest.fixture
def outsider(db: None) -> User:
    return _make_user("Outsider")


@pytest.fixture
def corpus(project: Project, tmp_path: Path) -> Project:
    """The project with three examples and two systems."""
    from tests import factories

    factories.import_examples(project, tmp_path)
    return project


def _make_user(name: str) -> User:
    from tests import factories

    return factories.make_user(name)


def _make_member(project: Project, name: str) -> User:
    from annotation.corpora.models import Role
    from tests import factories

    user = factories.make_user(name)
    factories.add_member(project, user, Role(name.lower()))
    return user


def sign_in(user: User | None) -> Client:
    from django.test import Client

    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def as_owner(owner: User) -> Client:
    return sign_in(owner)


@pytest.fixture
def as_viewer(viewer: User) -> Client:
    return sign_in(viewer)


@pytest.fixture
def as_outsider(outsider: User) -> Client:
    return sign_in(outsider)


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from django.conf import settings

    folder = tmp_path / "imports"
    monkeypatch.setattr(settings, "IMPORTS_DIR", folder)
    return folder
