"""MTurk keys of an older installation go to a person where one is known, else are revoked."""

from __future__ import annotations

import pytest
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from tests.deploy.homes import attached
from tests.servers import new_database

BEFORE = [("crowd", "0007_ledger_keeps_its_author"), ("corpora", "0010_worker_beats")]
AFTER = [("crowd", "0006_key_holders")]
# Requesters: the name of their owner, and whether they belong to the project.
OWNERS = {"Lab": ("owner", False), "Study": ("", True), "Old": ("gone", False)}


@pytest.fixture(params=["sqlite", "postgresql"])
def executor(request, tmp_path, django_db_blocker):
    """A database as it was before keys had holders."""
    address = f"sqlite:///{tmp_path}/giza.sqlite3"
    if request.param == "postgresql":
        address = new_database(request.getfixturevalue("postgres_url"), "giza_key_holders")
    with django_db_blocker.unblock(), attached("keys", address, tmp_path):
        made = MigrationExecutor(connections["keys"])
        made.migrate(BEFORE)
        yield made


def test_they_go_to_their_requesters_owner_or_are_revoked(executor):
    old = executor.loader.project_state(BEFORE).apps
    people = {
        name: rows(old, "corpora", "User").create(
            email=f"{name}@example.org", name=name, is_active=name == "owner"
        )
        for name in ("owner", "gone")
    }
    project = rows(old, "corpora", "Project").create(slug="study", name="A study")
    rows(old, "corpora", "Membership").create(project=project, user=people["owner"], role="owner")
    rows(old, "corpora", "ApiToken").create(user=people["owner"], name="script", digest="x")
    for number, (name, (owner, has_project)) in enumerate(OWNERS.items()):
        requester = rows(old, "crowd", "Requester").create(
            name=name,
            owner=people.get(owner),
            project=project if has_project else None,
        )
        rows(old, "crowd", "RequesterKey").create(requester=requester, access_key=f"GZ{number}")
    executor.loader.build_graph()
    new = executor.migrate(AFTER).apps
    left = rows(new, "crowd", "RequesterKey").get()
    assert (left.access_key, left.user_id, left.scope) == ("GZ0", people["owner"].pk, "pay")
    assert rows(new, "corpora", "ApiToken").get().scope == "pay"
    told = rows(new, "corpora", "Notification").get()
    assert (told.user_id, told.project_id) == (people["owner"].pk, project.pk)
    assert "create a new key" in told.text
    revoked = rows(new, "corpora", "Activity").filter(verb="revoke")
    assert sorted(row.label for row in revoked) == ["GZ1", "GZ2"]


def rows(apps, app, model):
    return apps.get_model(app, model).objects.using("keys")
