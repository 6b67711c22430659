"""What was done to the units of an example, by whom and when."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.units.sets.models import Unit, UnitSet
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of

As = Callable[[str], Client]


def address(unit_set: UnitSet, example: Example) -> str:
    return f"/p/study/units/{unit_set.pk}/examples/{example.pk}/history/"


@pytest.mark.parametrize(
    "who, status",
    [("owner", 200), ("editor", 200), ("annotator", 200), ("viewer", 200), ("outsider", 404)],
)
def test_it_is_open_to_members(
    who: str, status: int, unit_set: UnitSet, example: Example, as_who: As
):
    assert as_who(who).get(address(unit_set, example)).status_code == status


def test_it_asks_strangers_to_sign_in(unit_set: UnitSet, example: Example, client: Client):
    assert client.get(address(unit_set, example))["Location"].startswith("/sign-in/")


def test_it_says_when_nothing_happened(unit_set: UnitSet, example: Example, as_viewer: Client):
    page = page_of(as_viewer.get(address(unit_set, example)))
    assert "No changes yet" in page.text
    assert f"/p/study/units/{unit_set.pk}/examples/{example.pk}/" in page.links


def test_it_tells_who_changed_what(
    written: UnitSet, example: Example, editor: User, as_viewer: Client
):
    unit = Unit.objects.get(text="The dam burst.")
    change = {"action": "update", "unit": unit.pk, "revision": 1, "text": "The old dam burst."}
    factories.change_units(written, example, editor, "update", change)
    page = page_of(as_viewer.get(address(written, example)))
    assert "Editor changed a unit" in page.text
    assert "reworded before: The dam burst. → after: The old dam burst." in page.text
    assert "<ins>old</ins>" in page.html
    assert page.text.index("Editor changed") < page.text.index("Owner wrote a unit")


def test_it_tells_of_units_deleted_and_brought_back(
    written: UnitSet, example: Example, owner: User, as_viewer: Client
):
    unit = Unit.objects.get(text="Nobody was hurt.")
    for action in ("delete", "restore"):
        unit.refresh_from_db()
        change = {"action": action, "unit": unit.pk, "revision": unit.revision}
        factories.change_units(written, example, owner, action, change)
    page = page_of(as_viewer.get(address(written, example)))
    assert "Owner restored a unit" in page.text
    assert "restored after: Nobody was hurt." in page.text
    assert "deleted before: Nobody was hurt." in page.text
    assert "<del>Nobody was hurt.</del>" in page.html


def test_it_tells_of_a_new_order(
    written: UnitSet, example: Example, owner: User, as_viewer: Client
):
    unit = Unit.objects.get(text="Nobody was hurt.")
    move = {"action": "move", "unit": unit.pk, "after": None}
    factories.change_units(written, example, owner, "move", move)
    page = page_of(as_viewer.get(address(written, example)))
    assert "Owner moved a unit" in page.text
    assert "only the order changed" in page.text


def test_it_remembers_somebody_who_left(
    written: UnitSet, example: Example, owner: User, as_viewer: Client
):
    written.changes.update(actor=None)
    assert "Former member wrote a unit" in page_of(as_viewer.get(address(written, example))).text


def test_it_escapes_what_people_wrote(
    unit_set: UnitSet, example: Example, owner: User, as_viewer: Client
):
    unit = factories.add_unit(unit_set, example, owner, HOSTILE)
    change = {"action": "update", "unit": unit.pk, "revision": 1, "text": f"{HOSTILE} again"}
    factories.change_units(unit_set, example, owner, "</script><b>", change)
    User.objects.update(name=HOSTILE)
    page = page_of(as_viewer.get(address(unit_set, example)))
    assert f"{HOSTILE} </script><b>" in page.text
    assert f"after: {HOSTILE}" in page.text
