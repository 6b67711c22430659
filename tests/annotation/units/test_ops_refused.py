"""What an action may hold: spans of the example, short texts, revisions that were seen."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.errors import DomainError, Invalid, NotFound
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio import ops
from tests.annotation.units.writing import act, add, create, live, on, span


def test_it_refuses_what_was_changed_meanwhile(
    draft: UnitSet, e1: Example, owner: User, editor: User
):
    [unit] = add(draft, e1, owner, "One.")
    mine = on(unit, text="Mine.")
    act(draft, e1, editor, on(unit, text="Theirs."))
    with pytest.raises(ops.StaleUnit) as caught:
        act(draft, e1, owner, mine)
    current = caught.value.extra["current"]
    assert (current["text"], current["revision"], caught.value.status) == ("Theirs.", 2, 409)
    act(draft, e1, owner, {**mine, "revision": current["revision"]})
    assert live(draft, e1) == ["Mine."]


def test_it_shows_what_others_see_and_not_what_was_refused(
    draft: UnitSet, e1: Example, owner: User
):
    [unit] = add(draft, e1, owner, "One.")
    with pytest.raises(ops.StaleUnit) as caught:
        act(draft, e1, owner, on(unit, text="Two."), on(unit, text="Three."))
    assert caught.value.extra["current"]["text"] == "One."
    assert caught.value.extra["current"]["revision"] == 1


@pytest.mark.parametrize("revision", [None, 0, 2, "1"])
@pytest.mark.parametrize("action", ["update", "delete", "restore"])
def test_it_wants_the_revision_that_was_seen(
    revision: Any, action: str, draft: UnitSet, e1: Example, owner: User
):
    [unit] = add(draft, e1, owner, "One.")
    with pytest.raises(ops.StaleUnit):
        act(draft, e1, owner, {**on(unit, action), "revision": revision})


@pytest.mark.parametrize(
    "bad, error",
    [
        ({"start": 0, "end": 42}, DomainError),
        ({"start": 5, "end": 5}, DomainError),
        ({"start": 7, "end": 5}, DomainError),
        ({"start": -1, "end": 5}, DomainError),
        ({"start": "0", "end": 5}, Invalid),
        ({"start": 0, "end": 2.5}, Invalid),
        ({"start": True, "end": 5}, Invalid),
        ({"start": 0}, Invalid),
        ({"start": 0, "end": 5, "reference": 10**9}, NotFound),
        ({"start": 0, "end": 5, "reference": "1"}, NotFound),
        ({"start": 0, "end": 5, "reference": None}, NotFound),
    ],
)
def test_it_holds_spans_against_the_references(
    bad: dict[str, Any], error: type[Exception], draft: UnitSet, e1: Example, owner: User
):
    with pytest.raises(error):
        act(draft, e1, owner, create(spans=[{"reference": e1.references.get().pk, **bad}]))
    assert not Unit.objects.exists()


@pytest.mark.parametrize("spans", ["0-5", {"start": 0}, [3], [[0, 5]]])
def test_it_knows_what_spans_look_like(spans: Any, draft: UnitSet, e1: Example, owner: User):
    with pytest.raises(Invalid):
        act(draft, e1, owner, create(spans=spans))


def test_it_refuses_spans_of_another_example(draft: UnitSet, e1: Example, e2: Example, owner: User):
    with pytest.raises(NotFound, match="not in example 'e1'"):
        act(draft, e1, owner, create(spans=[span(e2, 0, 5)]))


@pytest.mark.parametrize(
    "sent, kept",
    [
        ("  The  dam\tburst.\r\n", "The dam burst."),
        ("The\u00a0dam\u2028burst.", "The dam burst."),
        ("The\ufeff dam\x00 bu\x07rst.", "The dam bu rst."),
        ("Müller’s “27th” 🎉", "Müller’s “27th” 🎉"),
        ("", ""),
        ("a" * 1000 + " " * 50, "a" * 1000),
    ],
)
def test_it_tidies_texts(sent: str, kept: str, draft: UnitSet, e1: Example, owner: User):
    act(draft, e1, owner, create(sent))
    assert live(draft, e1) == [kept]


@pytest.mark.parametrize("text", ["a" * 1001, None, 5, ["The dam burst."]])
def test_it_refuses_what_is_no_unit(text: Any, draft: UnitSet, e1: Example, owner: User):
    with pytest.raises(Invalid):
        act(draft, e1, owner, create(text))


@pytest.mark.parametrize("action", ["rename", "", None, "_save"])
def test_it_knows_its_actions(action: Any, draft: UnitSet, e1: Example, owner: User):
    [unit] = add(draft, e1, owner, "One.")
    with pytest.raises(Invalid, match="Unknown action"):
        act(draft, e1, owner, on(unit, action))


@pytest.mark.parametrize(
    "sent, kept", [(12.5, 12.5), (0, 0), (601, 600), (10**9, 600), (-5, 0), ("7", 0), (None, 0)]
)
def test_it_counts_time_up_to_ten_minutes(
    sent: Any, kept: float, draft: UnitSet, e1: Example, owner: User
):
    act(draft, e1, owner, create(seconds=sent))
    unit = Unit.objects.get()
    assert unit.seconds == kept
    act(draft, e1, owner, on(unit, text="Two.", seconds=4))
    unit.refresh_from_db()
    assert unit.seconds == kept + 4
