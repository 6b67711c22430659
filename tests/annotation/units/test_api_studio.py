"""REST: the studio's door. State, actions, the feed, the linter, review."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Unit, UnitKind, UnitSet, Weighting
from annotation.units.studio import comments
from annotation.units.studio import queries as studio_queries
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.units.writing import act, add, create, freeze, live, on, span


@pytest.fixture
def here(draft: UnitSet, e1: Example) -> str:
    return f"/projects/study/unit-sets/{draft.pk}/examples/{e1.pk}/"


def op(*changes: dict[str, Any], action: str = "act") -> dict[str, Any]:
    return {"op": str(uuid.uuid4()), "action": action, "changes": list(changes)}


def test_it_shows_all_that_an_editor_needs(
    draft: UnitSet, e1: Example, owner: User, editor: User, here: str
):
    stus = factories.make_set(draft.project, owner, "STUs")
    [stu] = add(stus, e1, owner, "dam burst")
    Unit.objects.filter(pk=stu.pk).update(kind=UnitKind.STU)
    [unit, gone] = add(draft, e1, owner, "It burst in 1999.", "Gone.")
    last = act(draft, e1, owner, on(gone, "delete"))
    comments.create_comment(unit_set=draft, example=e1, user=editor, unit=unit, text="Which?")
    state = Rest(owner).get(here).json()
    assert state["set"] == {"id": draft.pk, "name": "draft v1", "frozen": False}
    assert (state["example"]["key"], state["change"]) == ("e1", last.pk)
    [reference] = state["references"]
    assert [row["number"] for row in reference["sentences"]] == [1, 2]
    assert [(row["text"], row["deleted"]) for row in state["units"]] == [
        ("It burst in 1999.", False),
        ("Gone.", True),
    ]
    assert [row["text"] for row in state["suggestions"]] == ["dam burst"]
    assert [row["text"] for row in state["comments"]] == ["Which?"]
    assert state["assignment"]["author"] == "Owner"
    rules = {warning["rule"] for warning in state["warnings"][str(unit.pk)]}
    assert {"pronoun-start", "unknown-number"} <= rules
    assert str(gone.pk) not in state["warnings"]
    assert "example" in state["warnings"]


def test_it_takes_actions(draft: UnitSet, e1: Example, owner: User, here: str):
    rest = Rest(owner)
    sent = op(create("It burst.", unit="new", spans=[span(e1, 0, 7)], seconds=2.5))
    done = rest.post(f"{here}ops/", sent)
    assert done.status_code == 200
    [unit] = done.json()["change"]["units"].values()
    assert (unit["text"], unit["revision"], unit["spans"][0]["end"]) == ("It burst.", 1, 7)
    assert done.json()["assignment"]["author"] == "Owner"
    assert done.json()["warnings"][str(unit["id"])][0]["rule"] == "pronoun-start"
    again = rest.post(f"{here}ops/", sent)
    assert again.json()["change"] == done.json()["change"]
    assert live(draft, e1) == ["It burst."]


def test_it_answers_what_is_stale_with_what_is_there(
    draft: UnitSet, e1: Example, owner: User, here: str
):
    [unit] = add(draft, e1, owner, "One.")
    mine = on(unit, text="Mine.")
    act(draft, e1, owner, on(unit, text="Theirs."))
    response = Rest(owner).post(f"{here}ops/", op(mine))
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (409, "stale")
    assert (error["current"]["text"], error["current"]["revision"]) == ("Theirs.", 2)


@pytest.mark.parametrize(
    "change, status",
    [
        ({"action": "rename"}, 400),
        ({"action": "create", "text": 5}, 400),
        ({"action": "create", "text": "x" * 1001}, 400),
        ({"action": "create", "seconds": "5"}, 400),
        ({"action": "create", "seconds": -1}, 400),
        ({"action": "create", "spans": [{"reference": 1, "start": "0", "end": 5}]}, 400),
        ({"action": "create", "spans": [{"reference": 1, "start": 0, "end": 0}]}, 400),
        ({"action": "create", "spans": [{"reference": 10**6, "start": 0, "end": 5}]}, 404),
        ({"action": "create", "promoted_from": 10**6}, 404),
        ({"action": "create", "promoted_from": 2**63}, 400),
        ({"action": "create", "after": 10**6}, 404),
        ({"action": "update", "unit": 10**6, "revision": 1}, 404),
        ({"action": "update", "unit": {"id": 1}, "revision": 1}, 404),
        ({"action": "update", "revision": 1}, 404),
    ],
)
def test_it_refuses_what_makes_no_sense(
    change: dict[str, Any], status: int, draft: UnitSet, owner: User, here: str
):
    response = Rest(owner).post(f"{here}ops/", op(create("Before."), change))
    assert error_of(response)[0] == status
    assert not Unit.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"op": "1", "action": "x", "changes": [{"action": "create"}]},
        {"op": str(uuid.uuid4()), "action": "x", "changes": []},
        {"op": str(uuid.uuid4()), "action": "x" * 21, "changes": [{"action": "create"}]},
        {"op": str(uuid.uuid4()), "changes": [{"action": "create"}]},
        [],
    ],
)
def test_it_wants_a_whole_action(sent: Any, owner: User, here: str):
    assert error_of(Rest(owner).post(f"{here}ops/", sent)) == (400, "invalid")


def test_it_tells_exactly_what_is_new(
    draft: UnitSet, e1: Example, e2: Example, owner: User, editor: User, here: str
):
    rest = Rest(owner)
    changes = [act(draft, e1, editor, create(f"Unit {n}.")) for n in range(3)]
    act(draft, e2, editor, create("Elsewhere."))
    for seen, expected in ((0, changes), (changes[0].pk, changes[1:]), (changes[2].pk, [])):
        told = rest.get(f"{here}changes/?after={seen}").json()
        assert [row["id"] for row in told["changes"]] == [row.pk for row in expected]
        assert (told["warnings"] is None) is (not expected)
    [last] = rest.get(f"{here}changes/?after={changes[1].pk}").json()["changes"]
    assert (last["actor"], last["action"], last["op"]) == ("Editor", "act", str(changes[2].op))
    [unit] = last["units"].values()
    assert (last["actor_id"], unit["author_id"]) == (editor.pk, editor.pk)
    assert [unit["text"] for unit in last["units"].values()] == ["Unit 2."]
    assert len(rest.get(f"{here}changes/").json()["changes"]) == 3


def test_it_tells_long_stories_in_parts(
    draft: UnitSet, e1: Example, owner: User, here: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(studio_queries, "FEED_LIMIT", 2)
    ids = [act(draft, e1, owner, create(f"Unit {n}.")).pk for n in range(5)]
    heard: list[int] = []
    while told := Rest(owner).get(f"{here}changes/?after={max([0, *heard])}").json()["changes"]:
        heard += [row["id"] for row in told]
    assert heard == ids


@pytest.mark.parametrize("after", ["-1", "x", "", "1.5", "9" * 19])
def test_it_wants_a_number_to_go_on_from(after: str, owner: User, here: str):
    assert error_of(Rest(owner).get(f"{here}changes/?after={after}")) == (400, "invalid")


def test_it_lints_before_saving(draft: UnitSet, e1: Example, owner: User, here: str):
    [unit] = add(draft, e1, owner, "The dam burst.")
    rest = Rest(owner)

    def rules(**sent: Any) -> set[str]:
        told = rest.post(f"{here}lint/", sent).json()
        return {warning["rule"] for warning in told["warnings"]}

    assert "duplicate" in rules(text="The dam burst.")
    assert "duplicate" not in rules(text="The dam burst.", unit=unit.pk)
    assert rules(text="") == {"empty"}
    sets_service.update_settings(
        project=draft.project, weighting=Weighting(draft.weighting), disabled_rules=["empty"]
    )
    assert rules(text="") == set()


def test_it_goes_from_writing_to_signing(
    draft: UnitSet, e1: Example, owner: User, editor: User, here: str
):
    add(draft, e1, owner, "One.")
    mine, theirs = Rest(owner), Rest(editor)
    assert mine.post(f"{here}written/").json()["state"] == "written"
    assert error_of(mine.post(f"{here}signed/")) == (403, "forbidden")
    assert theirs.post(f"{here}signed/").json() == {
        "state": "signed",
        "author": "Owner",
        "author_id": owner.pk,
        "reviewer": "",
        "reviewer_id": None,
        "signed_by": "Editor",
        "signed_by_id": editor.pk,
    }
    assert theirs.post(f"{here}reopened/").json()["state"] == "todo"


def test_it_carries_comments(
    draft: UnitSet, e1: Example, e2: Example, owner: User, editor: User, here: str
):
    [unit] = add(draft, e1, owner, "One.")
    [other] = add(draft, e2, owner, "Other.")
    mine, theirs = Rest(owner), Rest(editor)
    made = theirs.post(f"{here}comments/", {"unit": unit.pk, "suggestion": "1."})
    assert (made.status_code, made.json()["state"]) == (201, "open")
    comment = f"/projects/study/comments/{made.json()['id']}/"
    assert error_of(mine.post(f"{here}signed/"))[0] == 403
    assert mine.post(f"{comment}accept/").json()["state"] == "accepted"
    assert live(draft, e1) == ["1."]
    assert error_of(mine.post(f"{comment}accept/")) == (409, "conflict")
    assert error_of(theirs.post(f"{here}comments/", {"unit": other.pk, "text": "x"}))[0] == 404
    assert error_of(theirs.post(f"{here}comments/", {})) == (409, "conflict")
    for verb, sent in (("reject", {}), ("answer", {"answer": "So."})):
        pk = theirs.post(f"{here}comments/", {"text": "Why?"}).json()["id"]
        told = mine.post(f"/projects/study/comments/{pk}/{verb}/", sent).json()
        assert (told["state"], told["answered_by"]) == (f"{verb}ed", "Owner")
    assert error_of(mine.post("/projects/study/comments/999/accept/"))[0] == 404


def test_it_makes_a_comment_once(draft: UnitSet, e1: Example, owner: User, editor: User, here: str):
    [unit] = add(draft, e1, owner, "One.")
    rest = Rest(editor)
    sent = {"op": str(uuid.uuid4()), "unit": unit.pk, "suggestion": "1."}
    first, again = (rest.post(f"{here}comments/", sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert (first.json()["op"], first.json()["author_id"]) == (sent["op"], editor.pk)
    assert [row["id"] for row in rest.get(here).json()["comments"]] == [first.json()["id"]]
    for name in ("1", 5, None):
        response = rest.post(f"{here}comments/", {**sent, "op": name})
        assert error_of(response) == (400, "invalid")


def test_it_accepts_a_wording_for_what_the_unit_is_now(
    draft: UnitSet, e1: Example, owner: User, editor: User, here: str
):
    [unit] = add(draft, e1, owner, "One.")
    rest = Rest(owner)
    made = Rest(editor).post(f"{here}comments/", {"unit": unit.pk, "suggestion": "1."}).json()
    assert (made["unit"], made["revision"]) == (unit.pk, 1)
    act(draft, e1, owner, on(unit, text="Just one."))
    accept = f"/projects/study/comments/{made['id']}/accept/"
    refused = rest.post(accept)
    current = refused.json()["error"]["current"]
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "stale")
    assert (current["text"], current["revision"]) == ("Just one.", 2)
    assert error_of(rest.post(accept, {"revision": "2"})) == (400, "invalid")
    told = rest.post(accept, {"revision": current["revision"]})
    assert (told.json()["state"], live(draft, e1)) == ("accepted", ["1."])


def test_it_lets_readers_read(draft: UnitSet, viewer: User, here: str):
    rest = Rest(viewer)
    assert rest.get(here).status_code == 200
    refused = [("ops/", op(create())), ("comments/", {"text": "x"}), ("written/", None)]
    for path, sent in refused:
        assert error_of(rest.post(f"{here}{path}", sent)) == (403, "forbidden")
    assert not Unit.objects.exists()


def test_it_refuses_what_is_frozen(draft: UnitSet, e1: Example, owner: User, here: str):
    add(draft, e1, owner, "One.")
    freeze(draft, owner)
    rest = Rest(owner)
    for path, sent in (("ops/", op(create())), ("comments/", {"text": "x"}), ("written/", None)):
        assert error_of(rest.post(f"{here}{path}", sent)) == (409, "conflict")
    assert rest.get(here).json()["set"]["frozen"] is True


def test_it_finds_examples_of_its_own_project(
    draft: UnitSet, e1: Example, owner: User, outsider: User, tmp_path: Any
):
    other = factories.make_project(outsider, "other")
    path = factories.write_jsonl(tmp_path / "o.jsonl", [factories.example("e1")])
    factories.import_corpus(other, path)
    elsewhere = other.examples.get()
    rest = Rest(owner)
    sets = f"/projects/study/unit-sets/{draft.pk}"
    assert error_of(rest.get(f"{sets}/examples/{elsewhere.pk}/"))[0] == 404
    foreign = factories.make_set(other, outsider)
    crossed = f"/projects/study/unit-sets/{foreign.pk}/examples/{e1.pk}/"
    assert error_of(rest.get(crossed))[0] == 404
