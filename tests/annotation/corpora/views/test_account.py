"""The account page: profile, password, keys."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import ApiToken, User
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.factories import PASSWORD

ACCOUNT = "/account/"
NEW = "tulips-in-spring"


def test_it_shows_who_one_is(as_owner: Client):
    page = page_of(as_owner.get(ACCOUNT))
    assert (page.values["name"], page.values["email"]) != ("", "")
    assert "API keys" in page.text


def test_it_changes_name_and_address(as_owner: Client, owner: User):
    sent = {"name": "Olive", "email": "Olive@example.org", "password": PASSWORD}
    response = as_owner.post(ACCOUNT, sent)
    assert (response.status_code, response["Location"]) == (302, ACCOUNT)
    owner.refresh_from_db()
    assert (owner.name, owner.email) == ("Olive", "olive@example.org")


@pytest.mark.parametrize(
    "name, email, message",
    [
        ("Olive", "OUTSIDER@example.org", "is already used by another account"),
        ("", "owner@example.org", "required"),
        ("Olive", "no address", "valid email"),
    ],
)
def test_it_refuses_a_wrong_profile(
    name: str, email: str, message: str, as_owner: Client, owner: User, outsider: User
):
    sent = {"name": name, "email": email, "password": PASSWORD}
    page = page_of(as_owner.post(ACCOUNT, sent), 422)
    assert message in page.text
    owner.refresh_from_db()
    assert (owner.name, owner.email) == ("Owner", "owner@example.org")


def test_it_changes_the_password_and_ends_other_sessions(owner: User):
    here, elsewhere = sign_in(owner), sign_in(owner)
    response = here.post("/account/password/", {"current": PASSWORD, "new": NEW})
    assert (response.status_code, response["Location"]) == (302, ACCOUNT)
    assert "Your password was changed." in page_of(here.get(ACCOUNT)).text
    assert elsewhere.get(ACCOUNT).status_code == 302
    owner.refresh_from_db()
    assert owner.check_password(NEW)


@pytest.mark.parametrize(
    "current, new, message",
    [
        ("wrong", NEW, "This is not your current password."),
        (PASSWORD, "short", "too short"),
        (PASSWORD, "owner@example.org", "too similar"),
        ("", "", "required"),
    ],
)
def test_it_refuses_a_wrong_password(
    current: str, new: str, message: str, as_owner: Client, owner: User
):
    page = page_of(as_owner.post("/account/password/", {"current": current, "new": new}), 422)
    assert message in page.text
    assert [name for name in ("current", "new") if page.values[name]] == []
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_it_keeps_the_spaces_of_a_password(as_owner: Client, owner: User):
    as_owner.post("/account/password/", {"current": PASSWORD, "new": f" {NEW} "})
    owner.refresh_from_db()
    assert owner.check_password(f" {NEW} ")


def test_it_shows_a_key_once(as_owner: Client):
    made = as_owner.post("/account/tokens/", {"name": "notebook", "scope": "read"})
    assert made.status_code == 302
    token = ApiToken.objects.get()
    first = page_of(as_owner.get(ACCOUNT))
    key = next(word.split()[-2] for word in first.words if "Bearer" in word).rstrip('"')
    assert key.startswith(token.prefix)
    assert ApiToken.digest_of(key) == token.digest
    again = page_of(as_owner.get(ACCOUNT))
    assert key not in again.html
    assert f"{token.prefix}…" in again.text
    assert "$GIZA_KEY" in again.text


def test_it_needs_a_name_for_a_key(as_owner: Client):
    page = page_of(as_owner.post("/account/tokens/", {"name": " ", "scope": "read"}), 422)
    assert "required" in page.text
    assert not ApiToken.objects.exists()


def test_it_revokes_a_key(as_owner: Client, owner: User):
    as_owner.post("/account/tokens/", {"name": "notebook", "scope": "read"})
    key = as_owner.session["new_token"]
    script = Client(headers={"Authorization": f"Bearer {key}"})
    assert script.get("/api/v1/me/").status_code == 200
    revoked = as_owner.post(f"/account/tokens/{ApiToken.objects.get().pk}/revoke/")
    assert (revoked.status_code, revoked["Location"]) == (302, ACCOUNT)
    assert script.get("/api/v1/me/").status_code == 401


def test_it_leaves_the_keys_of_others_alone(as_owner: Client, as_outsider: Client):
    as_owner.post("/account/tokens/", {"name": "tulip", "scope": "read"})
    pk = ApiToken.objects.get().pk
    assert as_outsider.post(f"/account/tokens/{pk}/revoke/").status_code == 404
    assert "tulip" not in page_of(as_outsider.get(ACCOUNT)).text
    assert ApiToken.objects.exists()
