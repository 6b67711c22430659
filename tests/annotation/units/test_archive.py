"""What may change about a frozen set: its name, and whether lists show it."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.corpus.models import Example
from annotation.crowd.offline.service import list_frozen_sets
from annotation.errors import DomainError
from annotation.units.plans.queries import list_scu_sets
from annotation.units.sets import service as sets_service
from annotation.units.sets import versions
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.pages import page_of
from tests.annotation.units.writing import run


@pytest.fixture
def frozen(draft: UnitSet, e1: Example, owner: User) -> UnitSet:
    factories.add_unit(draft, e1, owner, "The dam burst.")
    factories.freeze(draft, owner)
    draft.refresh_from_db()
    return draft


def test_all_versions_are_renamed_and_the_hash_stays(frozen: UnitSet, owner: User):
    copy = versions.create_next_version(unit_set=frozen, user=owner)
    run(copy.job)
    sets_service.rename_set(unit_set=frozen, user=owner, name="  SCUs of  the paper ")
    assert {str(row) for row in UnitSet.objects.all()} == {
        "SCUs of the paper v1",
        "SCUs of the paper v2",
    }
    again = UnitSet.objects.get(pk=frozen.pk)
    assert again.content_hash == frozen.content_hash == sets_service.content_hash(again)
    assert "renamed the unit set draft v1" in Activity.objects.latest("pk").text


@pytest.mark.parametrize("name", ["other", "  "])
def test_a_name_that_is_taken_or_empty_is_refused(frozen: UnitSet, owner: User, name: str):
    factories.make_set(frozen.project, owner, "other")
    with pytest.raises(DomainError):
        sets_service.rename_set(unit_set=frozen, user=owner, name=name)
    assert UnitSet.objects.get(pk=frozen.pk).name == "draft"


def test_an_archived_set_is_left_out_of_lists_and_choices(
    as_owner: Client, frozen: UnitSet, owner: User
):
    there = f"/p/study/units/{frozen.pk}/archive/"
    assert as_owner.post(there).status_code == 302
    assert not list_frozen_sets(frozen.project).exists()
    assert not list_scu_sets(frozen.project).exists()
    response = as_owner.get("/p/study/units/")
    assert list(response.context["sets"]) == []
    assert list(response.context["archived"]) == [frozen]
    assert "Restore set" in page_of(as_owner.get(f"/p/study/units/{frozen.pk}/")).text
    as_owner.post(there, {"archived": "no"})
    assert list(list_frozen_sets(frozen.project)) == [frozen]
    texts = list(Activity.objects.order_by("-pk").values_list("text", flat=True)[:2])
    assert texts == ["restored draft v1 from the archive", "archived draft v1"]


def test_a_draft_is_not_archived(as_owner: Client, draft: UnitSet):
    assert as_owner.post(f"/p/study/units/{draft.pk}/archive/").status_code == 409


def test_a_taken_name_keeps_what_was_typed(as_owner: Client, frozen: UnitSet, owner: User):
    factories.make_set(frozen.project, owner, "other")
    response = as_owner.post(f"/p/study/units/{frozen.pk}/rename/", {"name": "other"})
    assert response.status_code == 422
    assert 'value="other"' in page_of(response, 422).html


def test_rest_renames_and_archives(as_owner: Client, frozen: UnitSet):
    there = f"/api/v1/projects/study/unit-sets/{frozen.pk}/"
    body = {"name": "gold SCUs", "archived": True}
    found = as_owner.patch(there, body, content_type="application/json").json()
    assert found["name"] == "gold SCUs"
    assert found["archived_at"]
    back = as_owner.patch(there, {"archived": False}, content_type="application/json").json()
    assert back["archived_at"] is None


def test_any_two_sets_are_compared(as_owner: Client, frozen: UnitSet, owner: User):
    other = factories.make_set(frozen.project, owner, "other")
    page = page_of(as_owner.get(f"/p/study/units/{frozen.pk}/"))
    assert "other v1" in page.text
    there = f"/p/study/units/{frozen.pk}/compare/"
    response = as_owner.get(f"{there}?other={other.pk}")
    assert response["Location"] == f"{there}{other.pk}/"
    assert as_owner.get(there)["Location"] == f"/p/study/units/{frozen.pk}/"
