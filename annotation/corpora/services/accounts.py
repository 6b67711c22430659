"""Accounts, passwords and the keys for REST."""

from __future__ import annotations

import secrets

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.views.decorators.debug import sensitive_variables

from annotation.corpora.models import ApiToken, AttemptKind, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.attempts import count_attempt
from annotation.errors import DomainError, Invalid

TOKEN_PREFIX = "giza_"


@sensitive_variables("password")
def sign_up(*, name: str, email: str, password: str) -> User:
    _check_password(password, User(name=name, email=email))
    try:
        with transaction.atomic():
            user = User.objects.create_user(email, password, name=name)
            text = "made the account"
            record_activity(project=None, actor=user, verb=Verb.CREATE, target=user, text=text)
            return user
    except IntegrityError:
        raise DomainError(
            f"There is an account for {email} already.", "Sign in with it instead."
        ) from None


def update_account(*, user: User, name: str, email: str) -> None:
    user.name = name
    user.email = User.objects.normalize_email(email)
    try:
        with transaction.atomic():
            user.save(update_fields=["name", "email"])
            text = "changed the name or e-mail of the account"
            record_activity(project=None, actor=user, verb=Verb.CHANGE, target=user, text=text)
    except IntegrityError:
        raise DomainError(f"{email} belongs to another account.") from None


@sensitive_variables("password")
def change_password(*, user: User, password: str) -> None:
    _check_password(password, user)
    user.set_password(password)
    with transaction.atomic():
        user.save(update_fields=["password"])
        text = "changed the password of the account"
        record_activity(project=None, actor=user, verb=Verb.CHANGE, target=user, text=text)


@sensitive_variables("key")
def create_token(*, user: User, name: str) -> tuple[ApiToken, str]:
    """The stored token, and its key, which is not stored."""
    count_attempt(kind=AttemptKind.KEY, account=user.email)
    key = TOKEN_PREFIX + secrets.token_urlsafe(32)
    prefix = key[: len(TOKEN_PREFIX) + 4]
    with transaction.atomic():
        token = ApiToken.objects.create(
            user=user, name=name, prefix=prefix, digest=ApiToken.digest_of(key)
        )
        text = f"made the key {name}"
        record_activity(project=None, actor=user, verb=Verb.CREATE, target=token, text=text)
    return token, key


def revoke_token(*, token: ApiToken) -> None:
    with transaction.atomic():
        text = f"revoked the key {token.name}"
        record_activity(project=None, actor=token.user, verb=Verb.REVOKE, target=token, text=text)
        token.delete()


@sensitive_variables("password")
def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), "Choose another password.") from None
