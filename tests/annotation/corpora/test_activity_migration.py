"""Events of an older database become activities, none is lost."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.corpora.models import Activity, Verb
from annotation.corpora.targets import KINDS
from tests import factories

migration = import_module("annotation.corpora.migrations.0003_activity")
BEFORE = [("corpora", "0002_paused_jobs")]
OLD = [
    ("create", "created the project", "create", "project"),
    ("role", "made Ada viewer", "role", "member"),
    ("draft", "took SCUs v1 back to draft", "reopen", "unit_set"),
    ("plan", "took the plan of SCUs v1 back", "undo", "unit_set"),
    ("campaign", "topped up 2 workers of First by $1.00", "bonus", "campaign"),
    ("campaign", "paused the campaign First", "pause", "campaign"),
    ("apply_plan", "took a plan for Plan 1: SCUs v1", "plan", "plan"),
    ("apply_plan", "took Plan 1 back", "undo", "plan"),
    ("build_report", "built Report 1", "finish", "report"),
    ("share_report", "no longer shares Report 1 by link", "unshare", "report"),
    ("adjudicate", "took back what was settled", "undo", "adjudication"),
    ("sample_examples", "drew Sample 1", "finish", "sample"),
    ("of_long_ago", "did something", "finish", ""),
]


@pytest.mark.parametrize(("action", "text", "verb", "kind"), OLD)
def test_it_finds_the_verb(action: str, text: str, verb: str, kind: str):
    assert migration.find_verb(action, text) == verb
    assert migration.KINDS.get(action, "") == kind


def test_it_knows_verbs_and_kinds_of_today():
    assert set(migration.WORDS.values()) <= set(Verb.values)
    assert {verb or action for action, verb in migration.VERBS.items()} <= set(Verb.values)
    assert set(migration.KINDS.values()) <= set(KINDS)


def test_it_carries_every_event_over(transactional_db: None):
    owner = factories.make_user("Owner")
    project = factories.make_project(owner)
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        make_events(project.pk, owner.pk)
    finally:
        MigrationExecutor(connection).migrate(newest)
    rows = list(Activity.objects.order_by("pk"))
    assert [(row.text, row.verb, row.target_kind) for row in rows] == [
        (text, verb, kind) for _, text, verb, kind in OLD
    ]
    assert {(row.actor, row.project, row.door) for row in rows} == {(owner, project, "")}


def make_events(project: int, actor: int) -> None:
    """In the tables of before."""
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    event = executor.loader.project_state(BEFORE).apps.get_model("corpora", "Event")
    for action, text, _, _ in OLD:
        event.objects.create(project_id=project, actor_id=actor, action=action, text=text)
