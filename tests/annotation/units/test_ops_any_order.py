"""Whatever is done in whatever order: the rows say what a list in memory says, and undo undoes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.units.sets.models import Unit, UnitSet
from tests import factories
from tests.annotation.corpora.places import undone
from tests.annotation.units.writing import act, assert_sound, make_two_references, span

# An action, the unit it is for, a text or span, and a place; all are taken modulo what there is.
STEP = st.tuples(
    st.sampled_from(["create", "update", "respan", "delete", "restore", "move"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(-1, 9),
)
SPANS = [[], [(0, 3, 0)], [(4, 7, 0), (0, 1, 1)], [(0, 3, 0), (4, 7, 0), (2, 5, 1)]]
Spans = tuple[tuple[int, int, int], ...]


@dataclass
class Item:
    pk: int
    text: str
    spans: Spans
    deleted: bool = False

    @property
    def weight(self) -> int:
        return max(1, len({reference for _, _, reference in self.spans}))


@dataclass
class Desk:
    """The database on one side, a plain list on the other, and how to take each step back."""

    unit_set: UnitSet
    example: Example
    user: User
    items: list[Item] = field(default_factory=list)
    inverses: list[dict[str, Any]] = field(default_factory=list)

    def send(self, change: dict[str, Any]) -> None:
        pk = change.get("unit")
        if isinstance(pk, int) and change["action"] != "move":
            change = {**change, "revision": Unit.objects.get(pk=pk).revision}
        act(self.unit_set, self.example, self.user, change)

    def do(self, action: str, which: int, what: int, place: int) -> None:
        if action == "create":
            self.create(f"Text {what}.", place)
        elif self.items:
            getattr(self, action)(self.items[which % len(self.items)], what, place)

    def create(self, text: str, place: int) -> None:
        after = self.pk_at(place)
        self.send({"action": "create", "text": text, "after": after})
        item = Item(Unit.objects.latest("pk").pk, text, ())
        self.items.insert(self.index_after(after), item)
        self.inverses.append({"action": "delete", "unit": item.pk})

    def update(self, item: Item, what: int, place: int) -> None:
        self.inverses.append({"action": "update", "unit": item.pk, "text": item.text})
        item.text = f"Text {what}."
        self.send({"action": "update", "unit": item.pk, "text": item.text})

    def respan(self, item: Item, what: int, place: int) -> None:
        self.inverses.append(self.spans_change(item))
        item.spans = tuple(SPANS[what % len(SPANS)])
        self.send(self.spans_change(item))

    def delete(self, item: Item, what: int, place: int) -> None:
        self.flip(item, to=True)

    def restore(self, item: Item, what: int, place: int) -> None:
        self.flip(item, to=False)

    def flip(self, item: Item, *, to: bool) -> None:
        names = {True: "delete", False: "restore"}
        self.inverses.append({"action": names[item.deleted], "unit": item.pk})
        item.deleted = to
        self.send({"action": names[to], "unit": item.pk})

    def move(self, item: Item, what: int, place: int) -> None:
        at = self.items.index(item)
        before = self.items[at - 1].pk if at else None
        self.inverses.append({"action": "move", "unit": item.pk, "after": before})
        after = self.pk_at(place)
        self.send({"action": "move", "unit": item.pk, "after": after})
        if after != item.pk:
            self.items.remove(item)
            self.items.insert(self.index_after(after), item)

    def spans_change(self, item: Item) -> dict[str, Any]:
        sent = [span(self.example, start, end, number) for start, end, number in item.spans]
        return {"action": "update", "unit": item.pk, "spans": sent}

    def pk_at(self, place: int) -> int | None:
        return None if place < 0 or not self.items else self.items[place % len(self.items)].pk

    def index_after(self, pk: int | None) -> int:
        return next((n + 1 for n, item in enumerate(self.items) if item.pk == pk), 0)

    def expected(self) -> list[tuple[Any, ...]]:
        return [(i.pk, i.text, i.deleted, i.weight, i.spans) for i in self.items]

    def stored(self) -> list[tuple[Any, ...]]:
        units = Unit.objects.filter(set=self.unit_set).prefetch_related("contributors__reference")
        return [
            (
                unit.pk,
                unit.text,
                unit.is_deleted,
                unit.weight,
                tuple((s.start, s.end, s.reference.position) for s in unit.contributors.all()),
            )
            for unit in units
        ]


@pytest.fixture
def desk(owner: User, tmp_path: Path) -> Desk:
    project = make_two_references(owner, tmp_path)
    return Desk(factories.make_set(project, owner), project.examples.get(key="e1"), owner)


@settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(before=st.lists(STEP, max_size=8), after=st.lists(STEP, max_size=8))
def test_it_agrees_with_a_list_and_can_be_undone(before: list[Any], after: list[Any], desk: Desk):
    with undone():
        fresh = Desk(desk.unit_set, desk.example, desk.user)
        for step in before:
            fresh.do(*step)
            assert fresh.stored() == fresh.expected()
            assert_sound(fresh.unit_set)
        start, fresh.inverses = live_of(fresh.stored()), []
        for step in after:
            fresh.do(*step)
        assert fresh.stored() == fresh.expected()
        for inverse in reversed(fresh.inverses):
            fresh.send(inverse)
        assert live_of(fresh.stored()) == start
        assert_sound(fresh.unit_set)


def live_of(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [row for row in rows if not row[2]]
