"""Several editors at the same moment: nothing is made twice, nothing is lost."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.units.sets.models import Change, Unit, UnitSet
from annotation.units.studio import ops as studio_ops
from tests.annotation.units.writing import add, assert_sound, create, on
from tests.servers import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(actions: list[Callable[[], object]]) -> list[object]:
    """Start all together; what each gave back, or the error that it raised."""
    ready = threading.Barrier(len(actions))
    outcomes: list[object] = []

    def take(action: Callable[[], object]) -> None:
        ready.wait()
        try:
            outcomes.append(action())
        except studio_ops.StaleUnit as error:
            outcomes.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=take, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(outcomes) == len(actions)
    return outcomes


def sender(unit_set: UnitSet, example: Example, user: User, op: studio_ops.Op) -> Callable[[], int]:
    """An editor that sends its action again until it hears of it.

    SQLite in memory, unlike a file, says "locked" at once where it should wait.
    """

    def send() -> int:
        while True:
            try:
                applied = studio_ops.apply_op(unit_set=unit_set, example=example, user=user, op=op)
                return applied.change.pk
            except OperationalError:
                time.sleep(0.01)

    return send


def test_it_makes_one_action_once(draft: UnitSet, e1: Example, owner: User):
    op = studio_ops.Op(uuid.uuid4(), "create", [create("One.")])
    outcomes = at_once([sender(draft, e1, owner, op)] * 6)
    assert len(set(outcomes)) == 1
    assert (Unit.objects.count(), Change.objects.count()) == (1, 1)
    assert_sound(draft)


def test_it_takes_all_that_is_created(draft: UnitSet, e1: Example, e2: Example, owner: User):
    ops = [studio_ops.Op(uuid.uuid4(), "create", [create(f"Number {n}.")]) for n in range(6)]
    at_once([sender(draft, (e1, e2)[n % 2], owner, op) for n, op in enumerate(ops)])
    assert set(Unit.objects.values_list("text", flat=True)) == {f"Number {n}." for n in range(6)}
    assert_sound(draft)


def test_it_lets_one_of_two_changes_through(draft: UnitSet, e1: Example, owner: User):
    [unit] = add(draft, e1, owner, "One.")
    ops = [studio_ops.Op(uuid.uuid4(), "update", [on(unit, text=text)]) for text in ("A.", "B.")]
    outcomes = at_once([sender(draft, e1, owner, op) for op in ops])
    [refused] = [item for item in outcomes if isinstance(item, studio_ops.StaleUnit)]
    unit.refresh_from_db()
    assert (refused.extra["current"]["text"], unit.revision) == (unit.text, 2)
