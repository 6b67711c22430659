"""The second factor: codes of an authenticator app (TOTP), and recovery codes for when it is lost.

django-otp stores the devices and checks codes; a code that was accepted is never accepted again.
"""

from __future__ import annotations

from django.db import transaction
from django.views.decorators.debug import sensitive_variables
from django_otp import match_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from annotation.corpora.models import AttemptKind, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.attempts import count_attempt, forgive_attempts, user_key
from annotation.errors import DomainError, Invalid, NotFound
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

RECOVERY_CODES = 10
NAME = gettext_lazy("authenticator app")


class WrongCode(Invalid):
    """Not a code of this person's app, or one that was used already."""


def has_second_factor(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def count_recovery_codes(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


@sensitive_variables("key", "code")
def enable_second_factor(*, user: User, key: str, code: str) -> list[str]:
    """Take the app that knows `key`, once it shows the right code. The recovery codes, once."""
    count_attempt(kind=AttemptKind.CODE, account=user_key(user))
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if has_second_factor(user):
            raise DomainError(_("You already have a second factor."), _("Disable it first."))
        TOTPDevice.objects.filter(user=user).delete()
        device = TOTPDevice.objects.create(user=user, name=NAME, key=key, confirmed=True)
        if not device.verify_token(_clean(code)):
            raise _wrong()
        codes = _make_recovery_codes(user)
        text = _("enabled a second factor for the account")
        record_activity(project=None, actor=user, verb=Verb.CHANGE, target=user, text=text)
    forgive_attempts(kind=AttemptKind.CODE, account=user_key(user))
    return codes


@sensitive_variables("code")
def check_code(*, user: User, code: str) -> None:
    """Of the app, or a recovery code; raises `WrongCode`. Tries are counted until one succeeds."""
    count_attempt(kind=AttemptKind.CODE, account=user_key(user))
    if match_token(user, _clean(code)) is None:
        raise _wrong()
    forgive_attempts(kind=AttemptKind.CODE, account=user_key(user))


@sensitive_variables("code")
def renew_recovery_codes(*, user: User, code: str) -> list[str]:
    check_code(user=user, code=code)
    with transaction.atomic():
        text = _("created new recovery codes for the account")
        record_activity(project=None, actor=user, verb=Verb.CHANGE, target=user, text=text)
        return _make_recovery_codes(user)


@sensitive_variables("code")
def disable_second_factor(*, user: User, code: str) -> None:
    """The caller has asked for the password."""
    check_code(user=user, code=code)
    with transaction.atomic():
        _remove(user)
        text = _("disabled the second factor of the account")
        record_activity(project=None, actor=user, verb=Verb.CHANGE, target=user, text=text)


def reset_second_factor(*, email: str) -> User:
    """For the people who run the server, when somebody has lost the app and the recovery codes."""
    user = User.objects.filter(email=User.objects.normalize_email(email)).first()
    if user is None:
        raise NotFound(
            _("No account has the e-mail address {email}.").format(email=email),
            _("Check the spelling."),
        )
    if not has_second_factor(user):
        raise DomainError(_("The account {email} has no second factor.").format(email=user.email))
    with transaction.atomic():
        _remove(user)
        text = _("removed the second factor of {user}").format(user=user)
        record_activity(project=None, verb=Verb.CHANGE, target=user, text=text)
    return user


def _make_recovery_codes(user: User) -> list[str]:
    """In place of all that there were."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=_("recovery codes"), confirmed=True)
    codes = [StaticToken.random_token() for __ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def _remove(user: User) -> None:
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _clean(code: str) -> str:
    """As people type it: in groups, or in capitals."""
    return "".join(code.split()).replace("-", "").lower()


def _wrong() -> WrongCode:
    return WrongCode(_("This code is wrong or was already used. Wait for the next one."))
