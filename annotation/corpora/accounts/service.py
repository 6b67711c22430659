"""Accounts, passwords and the keys for REST.

- Links that set a new password: by mail, or made by staff. Django signs and checks them.
- Accounts that are shut, with everything that would open them again.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from kombu.exceptions import OperationalError

from annotation import clock
from annotation.corpora.accounts.models import ApiToken, AttemptKind, KeyScope, User
from annotation.corpora.accounts.sign_in import (
    check_code,
    count_attempt,
    forgive_attempts,
    has_second_factor,
    user_key,
)
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.projects.models import Invitation
from annotation.errors import DomainError, Forbidden, Invalid, NotFound
from annotation.sessions import end_sessions
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


logger = logging.getLogger(__name__)


def request_reset(*, email: str, address: str) -> None:
    """Ask a worker to mail a link. What happens here is the same for every e-mail."""
    from annotation.corpora.tasks import send_reset_mail as task

    count_attempt(kind=AttemptKind.RESET, account=email, address=address)
    try:
        task.apply_async((email,), retry=False)
    except (OperationalError, OSError):
        logger.exception("a password link could not be queued; the person must request it again")


def send_reset_mail(*, email: str) -> None:
    """To an active account with this e-mail; nothing is sent to others."""
    form = PasswordResetForm({"email": email})
    if not form.is_valid():
        return
    site = urlsplit(settings.PUBLIC_URL)
    form.save(
        domain_override=site.netloc,
        use_https=site.scheme == "https",
        subject_template_name="corpora/reset_mail_subject.txt",
        email_template_name="corpora/reset_mail.txt",
        extra_email_context={"base": settings.PUBLIC_URL.rstrip("/")},
    )


def create_reset_link(*, email: str, maker: User | None = None) -> str:
    """For staff to pass on. `maker` is who asks for it on the page; a command has none."""
    user = User.objects.filter(email=User.objects.normalize_email(email), is_active=True).first()
    if user is None:
        raise NotFound(
            _("No active account has the e-mail address {email}.").format(email=email),
            _("Check the spelling."),
        )
    if maker is not None and user.is_staff and not maker.is_superuser:
        raise Forbidden(
            _("{email} is staff: only superusers can create a password link for staff.").format(
                email=user.email
            ),
            _("Ask a superuser, or run manage.py create_reset_link on the server."),
        )
    text = _("created a password link for {user}").format(user=user)
    record_activity(project=None, actor=maker, verb=Verb.CREATE, target=user, text=text)
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("corpora:new_password", args=[uid, default_token_generator.make_token(user)])
    return f"{settings.PUBLIC_URL.rstrip('/')}{path}"


# Later apps have links of their own, and add what withdraws those that a person made.
LINK_ENDERS: list[Callable[[User], None]] = []


def _end_invitations(user: User) -> None:
    Invitation.objects.filter(created_by=user, accepted_at=None).delete()


LINK_ENDERS.append(_end_invitations)


@transaction.atomic
def deactivate_account(*, email: str) -> User:
    """Keys, sessions and open links go for good; an account that is inactive already loses its."""
    user = _lock_account(email)
    user.is_active = False
    # Links that set a new password are signed with it, so they end as after a sign-in.
    user.last_login = clock.now()
    user.save(update_fields=["is_active", "last_login"])
    revoke_all_keys(user=user)
    end_sessions(user.pk)
    for end in LINK_ENDERS:
        end(user)
    text = _("deactivated {user}, and ended their sessions, keys and open links").format(user=user)
    record_activity(project=None, verb=Verb.CHANGE, target=user, text=text)
    return user


@transaction.atomic
def activate_account(*, email: str) -> User:
    user = _lock_account(email)
    user.is_active = True
    user.save(update_fields=["is_active"])
    text = _("activated {user}").format(user=user)
    record_activity(project=None, verb=Verb.CHANGE, target=user, text=text)
    return user


def _lock_account(email: str) -> User:
    email = User.objects.normalize_email(email)
    found = User.objects.select_for_update().filter(email=email).first()
    if found is None:
        raise NotFound(
            _("No account has the e-mail address {email}.").format(email=email),
            _("Check the spelling."),
        )
    return found
