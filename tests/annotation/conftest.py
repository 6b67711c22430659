"""The cast of every view test: an owner, members of each role, an outsider, and nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoDbBlocker

    from annotation.corpora.accounts.models import User
    from annotation.corpora.projects.models import Project
    from tests.annotation.crowd.wire import Wire
    from tests.annotation.world import World


# Models can be imported only once the settings are there, and conftest files come before them.


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let tests share one corpus."""
    share(items, Path(__file__).parent, "corpus")


def share(items: list[pytest.Item], folder: Path, *fixtures: str) -> None:
    """Let the tests of a folder share what fixtures give, save those that commit: these need their
    own. Each has a twin, `kept_…`, made once for a module, and asks whether its test has that.
    """
    for item in items:
        names = getattr(item, "fixturenames", [])
        if folder in item.path.parents and not _commits(item):
            names[:0] = [f"kept_{name}" for name in fixtures if name in names]


def find_kept(request: pytest.FixtureRequest, name: str) -> Any:
    """The twin of a fixture, read anew, if its test has one; else nothing."""
    if f"kept_{name}" not in request.fixturenames:
        return None
    kept = request.getfixturevalue(f"kept_{name}")
    return type(kept).objects.get(pk=kept.pk)


def _commits(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    is_marked = marker is not None and bool(marker.kwargs.get("transaction"))
    return is_marked or "transactional_db" in getattr(item, "fixturenames", [])


@pytest.fixture(scope="module")
def kept_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction around the tests of a module: what is made in it is made once for all of them.

    Each test has a savepoint within, so it finds everything as it was made. Fixtures that make
    such things are named `kept_…`; tests/conftest.py lets tests without them go first.
    """
    from django.test import TestCase

    class Kept(TestCase):
        databases = {"default"}

    with django_db_blocker.unblock():
        Kept.setUpClass()
        yield
        Kept.tearDownClass()
        Kept.doClassCleanups()


@pytest.fixture(scope="module")
def kept_corpus(kept_database: None, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The owner's project with three examples and two systems. Tests read it anew."""
    from tests import factories

    project = factories.make_project(_make_user("Owner"))
    factories.import_examples(project, tmp_path_factory.mktemp("kept"))
    return project


@pytest.fixture(scope="module")
def kept_world(kept_corpus: Project, tmp_path_factory: pytest.TempPathFactory) -> World:
    from tests.annotation.world import make_world

    return make_world(kept_corpus, tmp_path_factory.mktemp("world"))


@pytest.fixture
def world(db: None, kept_world: World) -> World:
    """Made once for a module; what a test changes is taken back."""
    return kept_world


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """What a process remembers of rows is that of another test, whose ids were the same."""
    from django.core.cache import cache

    from annotation.crowd.campaigns import planning
    from annotation.evaluation.labels import answers
    from annotation.evaluation.labels import outcome as whatif
    from annotation.evaluation.samples import queries as samples

    for memory in (planning._counts, answers._collected, whatif._outcomes, samples._populations):
        memory.clear()
    cache.clear()


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are run by the tests themselves; messages to a worker that is not there are not sent."""
    monkeypatch.setattr("annotation.corpora.jobs.service.enqueue_job", lambda *, job_id: None)
    path = "annotation.evaluation.runs.judging.enqueue_helper"
    monkeypatch.setattr(path, lambda *, run_id: None)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """Every boto3 client reaches the endpoint in this process; faults can be put in between."""
    from tests.annotation.crowd.wire import Wire

    made = Wire()
    made.put_in(monkeypatch)
    return made


@pytest.fixture
def owner(request: pytest.FixtureRequest, db: None) -> User:
    from annotation.corpora.accounts.models import User

    if "kept_corpus" in request.fixturenames:
        return User.objects.get(email="owner@example.org")
    return _make_user("Owner")


@pytest.fixture
def project(request: pytest.FixtureRequest, owner: User) -> Project:
    from annotation.corpora.projects.models import Project
    from tests import factories

    if "kept_corpus" in request.fixturenames:
        return Project.objects.get(slug="study")
    return factories.make_project(owner)


@pytest.fixture
def editor(project: Project) -> User:
    return make_member(project, "Editor")


@pytest.fixture
def annotator(project: Project) -> User:
    return make_member(project, "Annotator")


@pytest.fixture
def viewer(project: Project) -> User:
    return make_member(project, "Viewer")


@pytest.fixture
def outsider(db: None) -> User:
    return _make_user("Outsider")


@pytest.fixture
def corpus(request: pytest.FixtureRequest, project: Project, tmp_path: Path) -> Project:
    """The project with three examples and two systems."""
    from tests import factories

    if "kept_corpus" not in request.fixturenames:
        factories.import_examples(project, tmp_path)
    return project


def _make_user(name: str) -> User:
    from tests import factories

    return factories.make_user(name)


def make_member(project: Project, name: str) -> User:
    from annotation.corpora.projects.models import Role
    from tests import factories

    user = factories.make_user(name)
    factories.add_member(project, user, Role(name.lower()))
    return user


def sign_in(user: User | None) -> Client:
    """A browser of somebody who has signed in. Django's own way to it takes four times as long."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    if user is not None:
        client.cookies[settings.SESSION_COOKIE_NAME] = _make_session(user)
    return client


def _make_session(user: User) -> str:
    from django.conf import settings
    from django.contrib import auth

    from annotation.sessions import SessionStore

    session = SessionStore()
    session[auth.SESSION_KEY] = str(user.pk)
    # Others before it only count attempts.
    session[auth.BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[auth.HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


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
    monkeypatch.setattr(settings, "GOLD_DIR", tmp_path / "gold")
    return folder


@pytest.fixture(autouse=True)
def gold_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from django.conf import settings

    folder = tmp_path / "gold"
    monkeypatch.setattr(settings, "GOLD_DIR", folder)
    monkeypatch.setattr(settings, "JUDGES_DIR", tmp_path / "judges")
    return folder
