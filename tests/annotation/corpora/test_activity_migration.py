"""Events of an older database become activities; tests/deploy/test_upgrade.py carries them over."""

from __future__ import annotations

from importlib import import_module

import pytest

from annotation.corpora.activity.models import Verb
from annotation.corpora.targets import KINDS

migration = import_module("annotation.corpora.migrations.0003_activity")
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
