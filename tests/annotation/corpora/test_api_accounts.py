"""REST: keys, and who they belong to."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.corpora.accounts.models import ApiToken, User
from tests.annotation.corpora.rest import Rest, error_of


def test_it_says_whose_key_it_is(owner: User):
    told = Rest(owner).get("/me/").json()
    assert told == {"id": owner.pk, "name": "Owner", "email": "owner@example.org"}


def test_it_stores_no_key(owner: User):
    rest = Rest(owner)
    token = ApiToken.objects.get()
    assert rest.key.startswith(token.prefix)
    assert rest.key not in str(vars(token))


def test_it_tells_a_key_once(owner: User):
    rest = Rest(owner)
    made = rest.post("/tokens/", {"name": "notebook"})
    assert made.status_code == 201
    assert made.json()["key"].startswith(made.json()["prefix"])
    listed = rest.get("/tokens/").json()["results"]
    assert [row["name"] for row in listed] == ["notebook", "script"]
    assert all("key" not in row and "digest" not in row for row in listed)


def test_it_closes_with_a_revoked_key(owner: User):
    rest = Rest(owner)
    assert rest("DELETE", f"/tokens/{rest.token.pk}/").status_code == 204
    assert error_of(rest.get("/me/")) == (401, "authentication_failed")


def test_it_leaves_the_keys_of_others_alone(owner: User, outsider: User):
    rest = Rest(owner)
    assert error_of(Rest(outsider)("DELETE", f"/tokens/{rest.token.pk}/")) == (404, "not_found")
    assert rest.get("/me/").status_code == 200


def test_it_closes_with_the_account(owner: User):
    rest = Rest(owner)
    owner.is_active = False
    owner.save()
    assert error_of(rest.get("/me/")) == (401, "authentication_failed")


@pytest.mark.parametrize("minutes, is_noted", [(0.5, False), (2, True)])
def test_it_notes_when_a_key_was_used(minutes: float, is_noted: bool, owner: User):
    """At most once a minute, so that reading stays reading."""
    rest = Rest(owner)
    rest.get("/me/")
    assert ApiToken.objects.get().last_used_at is not None
    before = timezone.now() - timedelta(minutes=minutes)
    ApiToken.objects.update(last_used_at=before)
    rest.get("/me/")
    assert (ApiToken.objects.get().last_used_at != before) is is_noted
