"""All units of a set in one table: filtered, checked by the linter, changed many at a time."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.units.sets import bulk
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Change, Unit, UnitSet, Weighting
from annotation.units.studio import progress
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.units.writing import act, assert_sound, create, live, on, run


@pytest.fixture
def e1(corpus: Project) -> Example:
    return corpus.examples.get(key="e1")


@pytest.fixture
def e2(corpus: Project) -> Example:
    return corpus.examples.get(key="e2")


@pytest.fixture
def filled(corpus: Project, owner: User, annotator: User, e1: Example, e2: Example) -> UnitSet:
    """Units of two people on two examples, the first of which is marked as written."""
    made = factories.make_set(corpus, owner, "filled")
    for text in ("The dam burst.", "It was a Monday.", "Old words."):
        factories.add_unit(made, e1, owner, text)
    factories.add_unit(made, e2, annotator, "The 1999 dam burst.")
    act(made, e1, owner, on(made.units.get(text="Old words."), "delete"))
    progress.mark_written(unit_set=made, example=e1, user=owner)
    return made


def address(unit_set: UnitSet, query: str = "") -> str:
    return f"/p/study/units/{unit_set.pk}/units/{query}"


def live_units(unit_set: UnitSet) -> list[int]:
    return list(unit_set.units.filter(is_deleted=False).values_list("pk", flat=True))


def shown(client: Client, unit_set: UnitSet, query: str = "") -> list[str]:
    return [row["unit"].text for row in client.get(address(unit_set, query)).context["rows"]]


@pytest.mark.parametrize(
    "query, texts",
    [
        ("", ["The dam burst.", "It was a Monday.", "The 1999 dam burst."]),
        ("?q=DAM", ["The dam burst.", "The 1999 dam burst."]),
        ("?example=e2", ["The 1999 dam burst."]),
        ("?state=written", ["The dam burst.", "It was a Monday."]),
        ("?state=todo", ["The 1999 dam burst."]),
        ("?state=deleted", ["Old words."]),
        ("?author=nobody", []),
        ("?lint=unchecked&example=e1", ["The dam burst.", "It was a Monday."]),
    ],
)
def test_it_is_filtered(as_viewer: Client, filled: UnitSet, query: str, texts: list[str]):
    assert shown(as_viewer, filled, query) == texts


def test_it_is_filtered_by_author(as_viewer: Client, filled: UnitSet, annotator: User):
    page = page_of(as_viewer.get(address(filled, f"?author={annotator.pk}")))
    assert "The 1999 dam burst." in page.text
    assert "It was a Monday." not in page.text


@pytest.mark.parametrize("query", ["?state=lost", "?lint=taste", "?author=me", "?q=%00"])
def test_it_refuses_a_filter_that_it_does_not_know(as_viewer: Client, filled: UnitSet, query: str):
    assert as_viewer.get(address(filled, query)).status_code == 400


def test_a_check_lets_it_be_filtered_by_rule(as_owner: Client, filled: UnitSet, owner: User):
    page = page_of(as_owner.get(address(filled)))
    assert "The linter has not checked this set yet." in page.text
    as_owner.post(f"/p/study/units/{filled.pk}/check/")
    assert "Check the units of filled v1" in page_of(as_owner.get(address(filled))).text
    assert run(Job.objects.get(kind="check_units")).state == "done"
    assert shown(as_owner, filled, "?lint=unknown-number") == ["The 1999 dam burst."]
    assert "It was a Monday." in shown(as_owner, filled, "?lint=pronoun-start")
    assert shown(as_owner, filled, "?lint=unchecked") == []
    listed = dict(as_owner.get(address(filled)).context["rules"])
    assert listed["unknown-number"].endswith("(1)")
    unit = filled.units.get(text="The 1999 dam burst.")
    act(filled, unit.example, owner, on(unit, text="The dam burst."))
    assert shown(as_owner, filled, "?lint=unchecked") == ["The dam burst."]
    assert shown(as_owner, filled, "?lint=unknown-number") == []


def test_the_page_that_waits_gets_the_linters_cells(as_owner: Client, filled: UnitSet, owner: User):
    bulk.start_check(unit_set=filled, user=owner)
    waiting = as_owner.get(address(filled), headers={"HX-Request": "true"}).content.decode()
    assert "hx-swap-oob" not in waiting
    run(Job.objects.get(kind="check_units"))
    ended = as_owner.get(address(filled), headers={"HX-Request": "true"}).content.decode()
    units = live_units(filled)
    assert ended.count('hx-swap-oob="true"') == len(units) + 1
    assert all(f'id="lint-{pk}"' in ended for pk in units)
    assert "hx-swap-oob" not in as_owner.get(address(filled)).content.decode()


def test_the_page_of_the_set_shows_the_totals(as_owner: Client, filled: UnitSet, owner: User):
    here = f"/p/study/units/{filled.pk}/"
    sets_service.send_to_review(unit_set=filled, user=owner)
    page = page_of(as_owner.get(here))
    assert 'id="warnings"' in page.html
    assert f"{here}units/?lint=any" not in page.links
    run(bulk.start_check(unit_set=filled, user=owner))
    response = as_owner.get(here)
    totals = {rule.id: number for rule, number in response.context["lint"].rules}
    assert totals["unknown-number"] == totals["pronoun-start"] == 1
    links = page_of(response).links
    assert {f"{here}units/?lint={rule}" for rule in totals} < set(links)
    assert f"{here}units/?lint=any" in links
    sets_service.update_settings(
        project=filled.project, weighting=Weighting.UNMERGED, disabled_rules=[*totals]
    )
    page = page_of(as_owner.get(here))
    assert 'id="warnings"' not in page.html
    assert not [link for link in page.links if "lint=" in link]


def test_a_rule_that_is_switched_off_is_not_listed(as_owner: Client, filled: UnitSet, owner: User):
    run(bulk.start_check(unit_set=filled, user=owner))
    sets_service.update_settings(
        project=filled.project, weighting=Weighting.UNMERGED, disabled_rules=["unknown-number"]
    )
    response = as_owner.get(address(filled, "?example=e2"))
    assert "unknown-number" not in dict(response.context["rules"])
    assert response.context["rows"][0]["rules"] == []


def test_it_is_not_checked_twice_at_once(as_owner: Client, filled: UnitSet):
    there = f"/p/study/units/{filled.pk}/check/"
    assert as_owner.post(there).status_code == 302
    assert as_owner.post(there).status_code == 409


# Many at a time ----------------------------------------------------------------------------------


def boxes(unit_set: UnitSet, *texts: str) -> list[str]:
    found = Unit.objects.filter(set=unit_set, text__in=texts) if texts else unit_set.units.all()
    return [f"{unit.pk}:{unit.revision}" for unit in found]


def send(client: Client, unit_set: UnitSet, **fields: Any) -> Any:
    return client.post(address(unit_set), fields)


def test_it_replaces_words_in_selected_units(
    as_owner: Client, filled: UnitSet, e1: Example, e2: Example
):
    fields = {"action": "replace", "find": "dam", "replacement": "wall"}
    units = boxes(filled, "The dam burst.", "It was a Monday.", "The 1999 dam burst.")
    response = send(as_owner, filled, unit=units, **fields)
    assert response["Location"] == address(filled, "?")
    assert live(filled, e1) == ["The wall burst.", "It was a Monday."]
    assert live(filled, e2) == ["The 1999 wall burst."]
    assert Change.objects.filter(set=filled, action="replace").count() == 2
    assert "2 units changed." in page_of(as_owner.get(address(filled))).text
    assert_sound(filled)


def test_it_deletes_and_restores_selected_units(as_owner: Client, filled: UnitSet, e1: Example):
    send(as_owner, filled, unit=boxes(filled, "The dam burst."), action="delete")
    assert live(filled, e1) == ["It was a Monday."]
    send(as_owner, filled, unit=boxes(filled, "The dam burst."), action="restore")
    assert live(filled, e1) == ["The dam burst.", "It was a Monday."]
    assert_sound(filled)


def test_nothing_changes_if_somebody_was_quicker_and_the_ticks_stay(
    as_owner: Client, filled: UnitSet, owner: User, e1: Example, e2: Example
):
    units = boxes(filled, "The dam burst.", "The 1999 dam burst.")
    act(filled, e2, owner, on(e2.units.get(set=filled), text="The dam broke."))
    response = send(
        as_owner, filled, unit=units, action="replace", find="burst", replacement="gave way"
    )
    assert response.status_code == 409
    assert live(filled, e1)[0] == "The dam burst."
    page = page_of(response, 409)
    assert "changed “The dam broke.”" in page.text
    assert 'value="gave way"' in page.html
    assert [row["is_selected"] for row in response.context["rows"]] == [True, False, True]


@pytest.mark.parametrize(
    "fields, status",
    [
        ({"action": "delete"}, 409),
        ({"action": "replace", "find": ""}, 409),
        ({"action": "replace", "find": "The dam burst."}, 409),
        ({"action": "melt"}, 400),
    ],
)
def test_it_refuses_what_makes_no_sense(
    as_owner: Client, filled: UnitSet, e1: Example, fields: dict[str, str], status: int
):
    units = [] if fields == {"action": "delete"} else boxes(filled, "The dam burst.")
    assert send(as_owner, filled, unit=units, **fields).status_code == status
    assert live(filled, e1) == ["The dam burst.", "It was a Monday."]


def test_units_of_another_set_are_out_of_reach(
    as_owner: Client, filled: UnitSet, owner: User, e1: Example
):
    other = factories.make_set(filled.project, owner, "other")
    act(other, e1, owner, create("The bridge fell."))
    assert send(as_owner, filled, unit=boxes(other), action="delete").status_code == 409
    assert live(other, e1) == ["The bridge fell."]


def test_only_writers_change_units(as_viewer: Client, filled: UnitSet, annotator: User):
    fields = {"unit": boxes(filled, "The dam burst."), "action": "delete"}
    assert send(as_viewer, filled, **fields).status_code == 403
    assert "Change selected units" not in page_of(as_viewer.get(address(filled))).text
    assert send(sign_in(annotator), filled, **fields).status_code == 302


def test_a_frozen_set_is_only_read(as_owner: Client, filled: UnitSet, owner: User):
    factories.freeze(filled, owner)
    assert send(as_owner, filled, unit=boxes(filled), action="delete").status_code == 409
    page = page_of(as_owner.get(address(filled)))
    assert "Change selected units" not in page.text
    before = filled.content_hash
    run(bulk.start_check(unit_set=filled, user=owner))
    assert sets_service.content_hash(filled) == UnitSet.objects.get(pk=filled.pk).content_hash
    assert before == UnitSet.objects.get(pk=filled.pk).content_hash or not before


def test_rest_filters_alike(as_owner: Client, filled: UnitSet):
    there = f"/api/v1/projects/study/unit-sets/{filled.pk}/units/"
    found = as_owner.get(f"{there}?q=dam&state=todo").json()
    assert [row["text"] for row in found["results"]] == ["The 1999 dam burst."]
    assert as_owner.get(f"{there}?lint=taste").status_code == 400
    job = as_owner.post(f"/api/v1/projects/study/unit-sets/{filled.pk}/check/").json()
    run(Job.objects.get(pk=job["id"]))
    found = as_owner.get(f"{there}?lint=unknown-number").json()
    assert [row["text"] for row in found["results"]] == ["The 1999 dam burst."]
