"""Accounts, passwords and the keys for REST."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.views.decorators.debug import sensitive_variables

from annotation import clock
from annotation.corpora.models import ApiToken, AttemptKind, KeyScope, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.attempts import count_attempt, forgive_attempts, user_key
from annotation.corpora.services.second_factor import check_code, has_second_factor
from annotation.errors import DomainError, Invalid
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

TOKEN_PREFIX = "giza_"

# Later apps have keys of their own, and add what revokes those of a person.
KEY_REVOKERS: list[Callable[[User], None]] = []


@sensitive_variables("password")
def sign_up(*, name: str, email: str, password: str) -> User:
    _check_password(password, User(name=name, email=email))
    try:
        with transaction.atomic():
            user = User.objects.create_user(email, password, name=name)
            text = _("created the account")
            record_activity(project=None, actor=user, verb=Verb.CREATE, target=user, text=text)
            return user
    except IntegrityError:
        raise DomainError(
            _("{email} already has an account.").format(email=email), _("Sign in instead.")
        ) from None


class WrongPassword(Invalid):
    """The current password, which the act needs, is another one."""


@sensitive_variables("password")
def confirm_password(*, user: User, password: str) -> None:
    """A wrong one counts as a failed sign-in, so a stolen session can't be used to guess it."""
    count_attempt(kind=AttemptKind.SIGN_IN, account=user.email)
    if not user.check_password(password):
        raise WrongPassword(_("This is not your current password."))
    forgive_attempts(kind=AttemptKind.SIGN_IN, account=user.email)


@sensitive_variables("password", "code")
def update_account(
    *, user: User, name: str, email: str, password: str = "", code: str = ""
) -> None:
    """Another e-mail, with which one signs in, needs the password, and a code if one has any."""
    email = User.objects.normalize_email(email)
    if email != user.email:
        confirm_password(user=user, password=password)
        if has_second_factor(user):
            check_code(user=user, code=code)
    user.name = name
    user.email = email
    try:
        with transaction.atomic():
            user.save(update_fields=["name", "email"])
            text = _("changed the name or e-mail of the account")
            record_activity(project=None, actor=user, verb=Verb.CHANGE, target=user, text=text)
    except IntegrityError:
        raise DomainError(
            _("{email} is already used by another account.").format(email=email)
        ) from None


def change_rights(
    *, user: User, is_staff: bool | None = None, can_create_projects: bool | None = None
) -> None:
    """What an account may do besides its roles in projects; None leaves a right as it is."""
    wanted = {"is_staff": is_staff, "can_create_projects": can_create_projects}
    changes = {
        name: value
        for name, value in wanted.items()
        if value is not None and value != getattr(user, name)
    }
    if not changes:
        return
    for name, value in changes.items():
        setattr(user, name, value)
    said = ", ".join(str(RIGHTS[name, value]) for name, value in changes.items())
    with transaction.atomic():
        user.save(update_fields=list(changes))
        text = _("changed the rights of {user}: {said}").format(user=user, said=said)
        record_activity(project=None, verb=Verb.CHANGE, target=user, text=text)


RIGHTS = {
    ("is_staff", True): gettext_lazy("is now staff"),
    ("is_staff", False): gettext_lazy("is no longer staff"),
    ("can_create_projects", True): gettext_lazy("can create projects"),
    ("can_create_projects", False): gettext_lazy("can't create projects"),
}


@sensitive_variables("password")
def change_password(*, user: User, password: str, revoke_keys: bool = False) -> None:
    """Every other session of this person ends, since sessions hold a hash of the password."""
    _check_password(password, user)
    user.set_password(password)
    with transaction.atomic():
        user.save(update_fields=["password"])
        if revoke_keys:
            revoke_all_keys(user=user)
        text = _("changed the password of the account")
        record_activity(project=None, actor=user, verb=Verb.CHANGE, target=user, text=text)


@sensitive_variables("key")
def create_token(
    *,
    user: User,
    name: str,
    scope: str = KeyScope.READ,
    days: int | None = None,
    maker: ApiToken | None = None,
) -> tuple[ApiToken, str]:
    """The stored token, and its key, which is not stored.

    `maker` is the key that asks for it, which the new one never outlives.
    """
    ends = [end for end in (end_after(days), maker.expires_at if maker else None) if end]
    count_attempt(kind=AttemptKind.KEY, account=user_key(user))
    key = TOKEN_PREFIX + secrets.token_urlsafe(32)
    prefix = key[: len(TOKEN_PREFIX) + 4]
    with transaction.atomic():
        token = ApiToken.objects.create(
            user=user,
            name=name,
            scope=scope,
            expires_at=min(ends, default=None),
            prefix=prefix,
            digest=ApiToken.digest_of(key),
        )
        text = _("created the key {name}").format(name=name)
        record_activity(project=None, actor=user, verb=Verb.CREATE, target=token, text=text)
    return token, key


def end_after(days: int | None) -> datetime | None:
    return clock.now() + timedelta(days=days) if days else None


def revoke_token(*, token: ApiToken) -> None:
    with transaction.atomic():
        text = _("revoked the key {token}").format(token=token.name)
        record_activity(project=None, verb=Verb.REVOKE, target=token, text=text)
        token.delete()


def revoke_tokens_of(user: User) -> None:
    for token in user.tokens.all():
        revoke_token(token=token)


KEY_REVOKERS.append(revoke_tokens_of)


def revoke_all_keys(*, user: User) -> None:
    """Keys of every kind: no script of this person gets in any more."""
    with transaction.atomic():
        for revoke in KEY_REVOKERS:
            revoke(user)


@receiver(post_save, sender=User)
def _end_with_account(*, instance: User, **__: Any) -> None:
    """Keys of a deactivated account are gone for good, and don't come back with it."""
    if not instance.is_active:
        revoke_all_keys(user=instance)


@sensitive_variables("password")
def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), _("Choose another password.")) from None
