"""How often something may be tried: bounded for an account and for an address, told with a wait."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test import Client, RequestFactory
from django.utils import timezone

from annotation.corpora.accounts import sign_in as accounts_sign_in
from annotation.corpora.accounts.models import Attempt, AttemptKind, User
from annotation.corpora.accounts.sign_in import address_of
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Invitation, Project, Role
from annotation.errors import TooMany
from annotation.wording import a_while
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.factories import PASSWORD

LIMITS = {
    "sign_in": {"account": "2/hour", "address": "4/hour"},
    "sign_up": {"address": "1/minute"},
    "key": {"account": "1/day"},
}


@pytest.fixture(autouse=True)
def limits(settings: Any) -> None:
    settings.ATTEMPT_LIMITS = LIMITS


def knock(email: str = "owner@example.org", password: str = "wrong", **headers: str) -> Any:
    return Client(headers=headers).post("/sign-in/", {"username": email, "password": password})


def statuses(*emails: str) -> list[int]:
    return [knock(email).status_code for email in emails]


def let_pass(**time: float) -> None:
    for attempt in Attempt.objects.all():
        attempt.at -= timedelta(**time)
        attempt.save()


def test_it_bounds_failures_of_an_account_and_says_how_long(owner: User):
    assert statuses(*["owner@example.org"] * 2) == [422, 422]
    page = page_of(knock(password=PASSWORD), 429)
    assert "Try again in 60 minutes." in page.text
    let_pass(minutes=50)
    assert "Try again in 10 minutes." in page_of(knock(" OWNER@example.org "), 429).text
    let_pass(minutes=11)
    assert knock(password=PASSWORD).status_code == 302


def test_it_tells_nothing_of_whether_an_account_exists(owner: User):
    known = [knock() for _ in range(3)]
    unknown = [knock("nobody@example.org") for _ in range(2)]
    let_pass(seconds=1)  # the address has had enough by now
    unknown.append(knock("nobody@example.org"))
    assert [answer.status_code for answer in known] == [answer.status_code for answer in unknown]
    texts = [page_of(answer, 429).text for answer in (known[-1], unknown[-1])]
    assert texts[0].replace("owner@", "nobody@") == texts[1]


def test_it_bounds_failures_from_an_address(owner: User):
    names = [f"{letter}@example.org" for letter in "abcde"]
    assert statuses(*names) == [422, 422, 422, 422, 429]
    assert knock(password=PASSWORD).status_code == 429


def test_it_forgives_whoever_gets_in(owner: User):
    for _ in range(4):
        assert knock().status_code == 422
        assert knock(password=PASSWORD).status_code == 302
    assert not Attempt.objects.exists()


def test_it_does_not_begin_the_wait_anew_and_forgets_what_is_over(owner: User):
    statuses(*["owner@example.org"] * 6)
    assert Attempt.objects.count() == 2
    let_pass(hours=2)
    knock("somebody@example.org")
    assert Attempt.objects.count() == 1


def test_it_keeps_neither_addresses_nor_names(owner: User):
    knock()
    kept = repr(Attempt.objects.values().get())
    assert "owner" not in kept
    assert "127.0.0.1" not in kept


@pytest.mark.parametrize(
    "proxies, forwarded, found",
    [
        (0, "", "127.0.0.1"),
        (0, "9.9.9.9", "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, "9.9.9.9", "9.9.9.9"),
        (1, "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        (2, "6.6.6.6, 9.9.9.9, 10.0.0.1", "9.9.9.9"),
        (2, "9.9.9.9", "9.9.9.9"),
    ],
)
def test_it_believes_only_its_own_proxies(
    proxies: int, forwarded: str, found: str, settings: Any
) -> None:
    settings.PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert address_of(RequestFactory(headers=headers).get("/")) == found


def test_it_counts_a_wrong_current_password_as_a_failure(owner: User):
    client = sign_in(owner)
    sent = {"current": "wrong", "new": "a new tulip bulb"}
    assert [client.post("/account/password/", sent).status_code for _ in range(3)] == [
        422,
        422,
        429,
    ]
    let_pass(hours=2)
    weak = {"current": PASSWORD, "new": "1"}
    assert [client.post("/account/password/", weak).status_code for _ in range(3)] == [422] * 3


def test_it_bounds_accounts_made_from_an_address(
    project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(settings, "MARKET_SIGN_UP", "open")
    made = projects_service.create_invitation(project=project, user=owner, role=Role.VIEWER)
    link = f"/invitations/{made.token}/"
    Invitation.objects.filter(pk=made.pk).update(expires_at=timezone.now() + timedelta(days=1))
    sent = {"name": "Ada", "email": "owner@example.org", "password": "a tulip bulb"}
    taken = "owner@example.org already has an account."
    assert taken in page_of(Client().post(link, sent), 422).text
    page = page_of(Client().post(link, sent | {"email": "ada@example.org"}), 422)
    assert "Try again in 60 seconds." in page.text.replace("1 minute", "60 seconds")
    join = {**sent, "email": "ada@example.org", "country": "DE", "consent": "on"}
    assert "Too many attempts" in page_of(Client().post("/work/join/", join), 422).text
    assert User.objects.count() == 1


def test_it_bounds_keys_of_an_account(owner: User):
    client = sign_in(owner)

    def make_key() -> Any:
        return client.post("/api/v1/tokens/", {"name": "one"}, content_type="application/json")

    assert make_key().status_code == 201
    refused = make_key()
    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "throttled"
    assert 86_000 < int(refused["Retry-After"]) <= 86_400
    page = client.post("/account/tokens/", {"name": "three", "scope": "read"})
    assert "Try again in 24 hours." in page_of(page, 429).text
    assert page["Retry-After"]
    assert owner.tokens.count() == 1


def attempt(_: int) -> bool:
    """SQLite in memory, unlike a file, says "locked" at once where it should wait."""
    while True:
        try:
            accounts_sign_in.count_attempt(kind=AttemptKind.SIGN_IN, account="ada@example.org")
            return True
        except TooMany:
            return False
        except OperationalError:
            time.sleep(0.01)
        finally:
            connection.close()


@pytest.mark.django_db(transaction=True)
def test_it_lets_no_more_through_that_come_at_once():
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(attempt, range(8))) <= 2
    assert not attempt(0)


@pytest.mark.parametrize(
    "seconds, words",
    [
        (0.2, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (61, "2 minutes"),
        (3601, "2 hours"),
    ],
)
def test_it_says_how_long_a_while_is(seconds: float, words: str):
    assert a_while(timedelta(seconds=seconds)) == words
