"""Signing in and out."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.factories import PASSWORD

SIGN_IN = "/sign-in/"


def send(email: str = "owner@example.org", password: str = PASSWORD, **fields: str) -> Any:
    return Client().post(SIGN_IN, {"username": email, "password": password, **fields})


def test_it_shows_a_form(db: None):
    page = page_of(Client().get(SIGN_IN, {"next": "/p/study/"}))
    assert "Sign in" in page.text
    assert page.values["next"] == "/p/study/"


@pytest.mark.parametrize("email", ["owner@example.org", "OWNER@Example.org", " owner@example.org "])
def test_it_lets_in(email: str, owner: User):
    response = send(email)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert "sessionid" in response.cookies
    assert response.cookies["sessionid"]["httponly"]


@pytest.mark.parametrize(
    "email, password, field",
    [
        ("owner@example.org", "wrong", None),
        ("nobody@example.org", PASSWORD, None),
        ("owner@example.org", f" {PASSWORD}", None),
        ("owner@example.org", "", "This field is required."),
        ("owner", PASSWORD, "valid email address"),
        ("", "", "This field is required."),
    ],
)
def test_it_keeps_out(email: str, password: str, field: str | None, owner: User):
    response = send(email, password)
    text = page_of(response, 422).text
    assert (field or "The e-mail address or password is wrong.") in text
    assert "sessionid" not in response.cookies


def test_it_does_not_tell_whether_an_account_exists(owner: User):
    """The same words for a wrong password, an unknown address and a closed account."""
    closed = User.objects.create_user("closed@example.org", PASSWORD, name="C", is_active=False)
    tried = [send(password="wrong"), send("nobody@example.org"), send(closed.email)]
    answers = {
        page_of(response, 422).text.replace("nobody", "owner").replace("closed", "owner")
        for response in tried
    }
    assert len(answers) == 1


def test_it_takes_as_long_for_an_address_that_is_not_known(
    owner: User, monkeypatch: pytest.MonkeyPatch
):
    """A password is hashed in either case: the time it takes must not tell them apart."""
    hashed: list[str] = []
    real = User.set_password

    def note(user: User, password: str | None) -> None:
        hashed.append(str(password))
        real(user, password)

    monkeypatch.setattr(User, "set_password", note)
    send("nobody@example.org", "tulip")
    assert hashed == ["tulip"]


@pytest.mark.parametrize(
    "target, goes_to",
    [
        ("/p/study/", "/p/study/"),
        ("/p/study/examples/?q=a&page=2", "/p/study/examples/?q=a&page=2"),
        ("", "/"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("///evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("http:evil.example", "/"),
        ("\x00//evil.example", "/"),
        (" //evil.example", "/"),
    ],
)
def test_it_goes_on_to_addresses_of_this_site_only(target: str, goes_to: str, owner: User):
    assert send(next=target)["Location"] == goes_to
    already_in = sign_in(owner).get(SIGN_IN, {"next": target})
    assert (already_in.status_code, already_in["Location"]) == (302, goes_to)


def test_it_lets_no_header_be_written(owner: User):
    response = send(next="/x\r\nSet-Cookie: a=b")
    assert "a" not in response.cookies
    assert "\n" not in response["Location"]


def test_it_gives_a_new_session(owner: User):
    """A session that somebody planted before the sign-in is not the one after it."""
    client = Client()
    client.session.save()
    planted = client.session.session_key
    client.cookies["sessionid"] = planted or ""
    client.post(SIGN_IN, {"username": "owner@example.org", "password": PASSWORD})
    assert client.session.session_key != planted


def test_it_is_not_kept_by_caches(db: None):
    assert "no-store" in Client().get(SIGN_IN)["Cache-Control"]


def test_it_signs_out(as_owner: Client):
    assert as_owner.get("/").status_code == 200
    response = as_owner.post("/sign-out/")
    assert (response.status_code, response["Location"]) == (302, SIGN_IN)
    assert as_owner.get("/").status_code == 302


def test_it_signs_out_only_by_a_form_of_ours(owner: User):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert "This form has expired" in page_of(client.post("/sign-out/"), 403).text
    assert client.get("/sign-out/").status_code == 405
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("path", ["/", "/account/", "/p/study/", "/p/study/examples/?q=a b&page=2"])
def test_it_sends_strangers_here_and_back(path: str, owner: User, corpus: Any):
    client = Client()
    away = client.get(path)
    assert away.status_code == 302
    assert away["Location"].startswith(f"{SIGN_IN}?next=/")
    page = page_of(client.get(away["Location"]))
    fields = {**page.values, "username": "owner@example.org", "password": PASSWORD}
    back = client.post(away["Location"], fields)
    assert back["Location"].replace("%20", " ") == path.replace("%20", " ")
