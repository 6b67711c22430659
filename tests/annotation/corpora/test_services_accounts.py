"""Accounts: one an address whatever its case, passwords that hold, keys that are not stored."""

from __future__ import annotations

import hashlib

import pytest
from django.contrib.auth import authenticate

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import ApiToken, User
from annotation.errors import DomainError, Invalid
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def test_it_signs_somebody_up(client: object) -> None:
    user = accounts_service.sign_up(name="Ada", email=" Ada@Example.ORG ", password=PASSWORD)
    assert user.email == "ada@example.org"
    assert authenticate(username="ADA@example.org", password=PASSWORD) == user
    assert authenticate(username="ada@example.org", password="wrong") is None


@pytest.mark.parametrize("email", ["ada@example.org", "ADA@EXAMPLE.ORG", " ada@Example.org"])
def test_it_has_one_account_an_address(email: str) -> None:
    make_user("Ada")
    with pytest.raises(DomainError, match="already has an account") as caught:
        accounts_service.sign_up(name="Eve", email=email, password=PASSWORD)
    assert caught.value.hint == "Sign in instead."
    assert User.objects.get().name == "Ada"


@pytest.mark.parametrize("password", ["short", "password", "1234567890", "ada@example.org"])
def test_it_refuses_a_weak_password(password: str) -> None:
    with pytest.raises(Invalid, match="password"):
        accounts_service.sign_up(name="Ada", email="ada@example.org", password=password)
    assert not User.objects.exists()
    user = make_user("Ada")
    with pytest.raises(Invalid):
        accounts_service.change_password(user=user, password=password)
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_it_changes_a_password() -> None:
    user = make_user("Ada")
    accounts_service.change_password(user=user, password="another-long-phrase")
    user.refresh_from_db()
    assert user.check_password("another-long-phrase")


def test_it_changes_name_and_address() -> None:
    user = make_user("Ada")
    accounts_service.update_account(
        user=user, name="Ada L.", email="Countess@Example.org", password=PASSWORD
    )
    user.refresh_from_db()
    assert (user.name, user.email) == ("Ada L.", "countess@example.org")
    make_user("Bob")
    with pytest.raises(DomainError, match="is already used by another account"):
        accounts_service.update_account(
            user=user, name="Ada", email="BOB@example.org", password=PASSWORD
        )
    user.refresh_from_db()
    assert (user.name, user.email) == ("Ada L.", "countess@example.org")


def test_it_stores_a_key_only_as_its_digest() -> None:
    token, key = accounts_service.create_token(user=make_user("Ada"), name="script")
    stored = ApiToken.objects.values().get()
    assert key not in str(stored)
    assert stored["digest"] == hashlib.sha256(key.encode()).hexdigest()
    assert key.startswith(stored["prefix"])
    assert len(stored["prefix"]) < 12 < 40 < len(key)
    assert ApiToken.objects.get(digest=ApiToken.digest_of(key)) == token


def test_it_makes_every_key_anew() -> None:
    user = make_user("Ada")
    keys = {accounts_service.create_token(user=user, name="script")[1] for _ in range(5)}
    assert len(keys) == 5


def test_it_revokes_a_key() -> None:
    user = make_user("Ada")
    token, key = accounts_service.create_token(user=user, name="one")
    other, _ = accounts_service.create_token(user=user, name="two")
    accounts_service.revoke_token(token=token)
    assert not ApiToken.objects.filter(digest=ApiToken.digest_of(key)).exists()
    assert ApiToken.objects.get() == other
