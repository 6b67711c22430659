"""What is frozen stays: every service is tried, by somebody who knows and somebody who doesn't."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.errors import DomainError
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Change, Contributor, Unit, UnitSet
from annotation.units.studio import comments, merging, ops, progress
from annotation.units.studio.models import Assignment, Comment
from tests.annotation.units.writing import act, add, create, freeze, on


def everything(unit_set: UnitSet) -> list[Any]:
    """All that a set consists of, row by row."""
    tables = (Unit, Assignment, Change, Comment)
    rows = [list(table.objects.filter(set=unit_set).values().order_by("pk")) for table in tables]
    contributors = Contributor.objects.filter(unit__set=unit_set).values().order_by("pk")
    return [UnitSet.objects.filter(pk=unit_set.pk).values()[0], *rows, list(contributors)]


Act = Callable[[UnitSet, Example, User, Unit, Comment], object]
ATTEMPTS: dict[str, Act] = {
    "create": lambda s, e, u, unit, c: act(s, e, u, create("More.")),
    "update": lambda s, e, u, unit, c: act(s, e, u, on(unit, text="Other.")),
    "delete": lambda s, e, u, unit, c: act(s, e, u, on(unit, "delete")),
    "move": lambda s, e, u, unit, c: act(
        s, e, u, {"action": "move", "unit": unit.pk, "after": None}
    ),
    "merge": lambda s, e, u, unit, c: merging.merge_units(
        unit_set=s,
        example=e,
        user=u,
        units=list(Unit.objects.values_list("pk", flat=True)),
        text="x",
    ),
    "comment": lambda s, e, u, unit, c: comments.create_comment(
        unit_set=s, example=e, user=u, text="Late."
    ),
    "accept": lambda s, e, u, unit, c: comments.accept_comment(comment=c, user=u),
    "reject": lambda s, e, u, unit, c: comments.reject_comment(comment=c, user=u),
    "answer": lambda s, e, u, unit, c: comments.answer_comment(comment=c, user=u, answer="x"),
    "written": lambda s, e, u, unit, c: progress.mark_written(unit_set=s, example=e, user=u),
    "signed": lambda s, e, u, unit, c: progress.sign_off(unit_set=s, example=e, user=u),
    "reopened": lambda s, e, u, unit, c: progress.reopen(unit_set=s, example=e, user=u),
    "assign": lambda s, e, u, unit, c: progress.assign_range(
        unit_set=s, user=u, first=1, last=3, author=u
    ),
    "review": lambda s, e, u, unit, c: sets_service.send_to_review(unit_set=s, user=u),
    "draft": lambda s, e, u, unit, c: sets_service.back_to_draft(unit_set=s, user=u),
    "freeze": lambda s, e, u, unit, c: freeze(s, u),
    "delete set": lambda s, e, u, unit, c: sets_service.delete_set(unit_set=s, user=u),
}


@pytest.mark.parametrize("is_stale", [False, True], ids=["known frozen", "read before"])
def test_it_never_changes_once_frozen(
    is_stale: bool, draft: UnitSet, e1: Example, owner: User, editor: User
):
    [unit, _] = add(draft, e1, owner, "One.", "Two.")
    comment = comments.create_comment(
        unit_set=draft, example=e1, user=editor, unit=unit, suggestion="1."
    )
    early = UnitSet.objects.get(pk=draft.pk)
    freeze(draft, owner)
    before = everything(draft)
    for name, attempt in ATTEMPTS.items():
        given = copy(early if is_stale else draft)
        with pytest.raises(DomainError):
            attempt(given, e1, editor, copy(unit), copy(comment))
        assert everything(draft) == before, name


def test_it_answers_for_an_action_from_before_it_was_frozen(
    draft: UnitSet, e1: Example, owner: User
):
    op = ops.Op(uuid.uuid4(), "create", [create("One.")])
    first = ops.apply_op(unit_set=draft, example=e1, user=owner, op=op)
    freeze(draft, owner)
    again = ops.apply_op(unit_set=draft, example=e1, user=owner, op=op)
    assert again.change == first.change
    assert [unit.text for unit in again.units] == ["One."]


def test_it_gets_no_assignments_once_frozen(draft: UnitSet, e1: Example, owner: User):
    add(draft, e1, owner, "One.")
    freeze(draft, owner)
    Assignment.objects.filter(set=draft).delete()
    progress.ensure_assignments(draft)
    assert not Assignment.objects.filter(set=draft).exists()
