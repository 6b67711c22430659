"""Who has an example open: noted now and then, told to the others, forgotten soon."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import UnitSet
from annotation.units.studio.comments import note_presence
from annotation.units.studio.models import Presence
from tests import factories


def see(unit_set: UnitSet, example: Example, user: User, seconds_ago: int) -> Presence:
    at = timezone.now() - timedelta(seconds=seconds_ago)
    return Presence.objects.create(set=unit_set, example=example, user=user, seen_at=at)


@pytest.mark.parametrize("seconds_ago, is_here", [(0, True), (25, True), (35, False)])
def test_it_tells_who_else_was_seen_lately(
    draft: UnitSet, e1: Example, owner: User, editor: User, seconds_ago: int, is_here: bool
):
    see(draft, e1, editor, seconds_ago)
    others = note_presence(unit_set=draft, example=e1, user=owner)
    assert others == ([editor] if is_here else [])


def test_it_tells_nobody_of_themselves_or_of_other_sets(
    corpus: Project, draft: UnitSet, e1: Example, owner: User, editor: User
):
    other = factories.make_set(corpus, owner, "other")
    see(other, e1, editor, 0)
    see(draft, e1, owner, 0)
    assert note_presence(unit_set=draft, example=e1, user=owner) == []


@pytest.mark.parametrize("seconds_ago, is_noted", [(5, False), (15, True), (500, True)])
def test_it_notes_one_person_once_in_ten_seconds(
    draft: UnitSet, e1: Example, owner: User, seconds_ago: int, is_noted: bool
):
    before = see(draft, e1, owner, seconds_ago)
    note_presence(unit_set=draft, example=e1, user=owner)
    (row,) = Presence.objects.all()
    assert row.pk == before.pk
    assert (row.seen_at > before.seen_at) is is_noted


def test_it_comes_with_the_changes(
    draft: UnitSet, e1: Example, editor: User, as_owner: Client, owner: User
):
    see(draft, e1, editor, 1)
    path = f"unit-sets/{draft.pk}/examples/{e1.pk}/changes/"
    feed = as_owner.get(f"/api/v1/projects/study/{path}").json()
    assert feed["present"] == [{"id": editor.pk, "name": editor.name}]
    assert Presence.objects.filter(user=owner).exists()
