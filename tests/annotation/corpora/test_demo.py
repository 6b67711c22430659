"""The demo project: made once, made whole, and not made again once it was deleted."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus import demo
from annotation.corpora.corpus.demo import DEMO_EMAIL, load_demo
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.corpora.projects.queries import counts_of
from annotation.units.demo_units import add_demo_units
from annotation.units.sets.models import UnitSet
from annotation.units.sets.service import delete_set
from tests.factories import make_user

pytestmark = pytest.mark.django_db

WHOLE = {"examples": 12, "references": 16, "systems": 5, "summaries": 60}


@pytest.fixture(autouse=True)
def corpus_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What later apps add is tested with them."""
    monkeypatch.setattr(demo, "PARTS", [])


def counts() -> dict[str, int]:
    return counts_of(Project.objects.get(slug="demo"))


def test_it_makes_an_account_and_a_corpus() -> None:
    out = StringIO()
    call_command("load_demo", "--password", "pyramid-demo", stdout=out)
    assert out.getvalue() == "The demo project was created; sign in as demo@example.org.\n"
    assert counts() == WHOLE
    user = User.objects.get(email=DEMO_EMAIL)
    assert user.check_password("pyramid-demo")
    assert Membership.objects.get(user=user).role == Role.OWNER


def test_it_is_made_once() -> None:
    assert load_demo(password="pyramid-demo")
    out = StringIO()
    call_command("load_demo", "--password", "pyramid-demo", stdout=out)
    assert out.getvalue() == "The demo project already exists; sign in as demo@example.org.\n"
    assert counts() == WHOLE
    assert Import.objects.count() == 1


def test_it_stays_deleted() -> None:
    load_demo(password="pyramid-demo")
    projects_service.delete_project(project=Project.objects.get())
    assert not load_demo(password="pyramid-demo")
    assert not Project.objects.exists()


def test_it_stays_empty_once_its_corpus_was_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "PARTS", [add_demo_units])
    load_demo(password="pyramid-demo")
    delete_set(unit_set=UnitSet.objects.get(), user=User.objects.get())
    jobs_service.finish_job(
        job=imports_service.undo_import(import_=Import.objects.get(), user=None)
    )
    assert not load_demo(password="pyramid-demo")
    assert counts()["examples"] == 0


def test_it_takes_a_new_password() -> None:
    load_demo(password="pyramid-demo")
    load_demo(password="another-one")
    assert User.objects.get().check_password("another-one")


@pytest.mark.parametrize("step", ["create_import", "finish_job", "write_import"])
def test_it_is_completed_after_a_start_that_was_killed(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def be_killed(**_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(demo, step, be_killed)
        with pytest.raises(KeyboardInterrupt):
            load_demo(password="pyramid-demo")
    assert counts()["examples"] == 0
    assert load_demo(password="pyramid-demo")
    assert counts() == WHOLE
    assert Import.objects.filter(state=ImportState.DONE).count() == 1
    waiting = [ImportState.CHECKING, ImportState.READY]
    assert not Import.objects.filter(state__in=waiting).exists()


def test_it_makes_account_and_project_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def be_killed(**_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(demo, "create_project", be_killed)
        with pytest.raises(KeyboardInterrupt):
            load_demo(password="pyramid-demo")
    assert not User.objects.exists()
    assert load_demo(password="pyramid-demo")
    assert counts() == WHOLE


def test_it_leaves_a_project_of_that_name_alone() -> None:
    owner = make_user("Ada")
    project = projects_service.create_project(user=owner, name="Mine", slug="demo")
    assert not load_demo(password="pyramid-demo")
    assert project.imports.count() == 0
    assert project.memberships.get().user == owner


def test_it_takes_over_projects_that_nobody_could_see() -> None:
    orphan = projects_service.create_project(user=None, name="Early", slug="early")
    load_demo(password="pyramid-demo")
    assert orphan.memberships.get().user.email == DEMO_EMAIL
