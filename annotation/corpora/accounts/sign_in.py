"""How often something may be tried: counted in the database, for all processes together.

- Signing in is bounded: by account, whether there is one or not, and by address.
- The second factor: codes of an authenticator app (TOTP), and recovery codes for when it is
  lost.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django_otp import match_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from annotation import clock
from annotation.corpora.accounts.models import Attempt, AttemptKind, User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.errors import DomainError, Invalid, NotFound, TooMany
from annotation.sessions import PENDING
from annotation.translation import gettext_lazy
from annotation.wording import a_while

SALT = "annotation.attempts"
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}


def count_attempt(*, kind: AttemptKind, account: str = "", address: str = "") -> None:
    """Count a try before it is made; raises `TooMany` where the account or the address had enough.

    Of tries made at once, each sees those that were counted before it, so that never more than
    the limit pass. One that is refused does not count: the wait does not begin anew with it.
    """
    now = clock.now()
    limits = settings.ATTEMPT_LIMITS[kind]
    longest = max(_window(rate) for rate in limits.values())
    Attempt.objects.filter(kind=kind, at__lt=now - longest).delete()
    by = {"account": digest(account), "address": digest(address)}
    made = Attempt.objects.create(kind=kind, at=now, **by)
    waits = [_wait(kind, name, by[name], rate, now) for name, rate in limits.items() if by[name]]
    if (wait := max(waits, default=timedelta())) > timedelta():
        made.delete()
        raise TooMany(
            _("Too many attempts. Try again in {a_while}.").format(a_while=a_while(wait)),
            retry_after=wait,
        )


def forgive_attempts(*, kind: AttemptKind, account: str) -> None:
    """Whoever got in has shown that the account is theirs: what they mistyped no longer counts."""
    Attempt.objects.filter(kind=kind, account=digest(account)).delete()


def user_key(user: User) -> str:
    """What counts a person who is signed in: unlike the e-mail, they can't change it."""
    return f"user:{user.pk}"


def digest(text: str) -> str:
    """Of an address of any spelling; nothing of nothing."""
    text = text.strip().lower()
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest() if text else ""


def _wait(kind: str, name: str, value: str, rate: str, now: datetime) -> timedelta:
    """Until the oldest of as many tries as are allowed no longer counts."""
    most, window = int(rate.partition("/")[0]), _window(rate)
    times = Attempt.objects.filter(kind=kind, at__gte=now - window, **{name: value})
    newest_first = times.order_by("-at", "-pk").values_list("at", flat=True)
    # The try that is being counted comes on top of those that are allowed.
    oldest = newest_first[most : most + 1].first()
    return timedelta() if oldest is None else oldest + window - now


def _window(rate: str) -> timedelta:
    return timedelta(seconds=SECONDS[rate.partition("/")[2]])


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


BACKEND = "django.contrib.auth.backends.ModelBackend"
PENDING_FOR = timedelta(minutes=10)


class SignInLimit:
    """Stands before the backend that knows passwords, and knows nobody itself."""

    @sensitive_variables("password")
    def authenticate(
        self, request: HttpRequest | None, username: str = "", password: str = ""
    ) -> None:
        """Every try counts until it succeeds, so that tries made at once can't slip through."""
        address = address_of(request) if request is not None else ""
        count_attempt(kind=AttemptKind.SIGN_IN, account=username, address=address)


@receiver(user_logged_in)
def _forgive(*, user: User, **__: Any) -> None:
    forgive_attempts(kind=AttemptKind.SIGN_IN, account=user.email)


def address_of(request: HttpRequest) -> str:
    """The visitor's, as the last proxy that we trust saw it."""
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if settings.PROXIES and seen != [""]:
        return seen[-min(settings.PROXIES, len(seen))]
    return str(request.META.get("REMOTE_ADDR", ""))


def begin_sign_in(request: HttpRequest, user: User) -> bool:
    """Sign in somebody whose password was right; False where a code is needed first.

    Every page that signs people in goes through this, and nothing else calls Django's `login`.
    """
    if not has_second_factor(user):
        login(request, user, backend=BACKEND)
        return True
    request.session.cycle_key()
    request.session[PENDING] = {
        "user": user.pk,
        "hash": user.get_session_auth_hash(),
        "until": (clock.now() + PENDING_FOR).isoformat(),
    }
    return False


def find_pending(request: HttpRequest) -> User | None:
    """Who has typed the password, and not yet the code; a new password ends that, too."""
    pending = request.session.get(PENDING)
    if not pending or datetime.fromisoformat(pending["until"]) < clock.now():
        return None
    user = User.objects.filter(pk=pending["user"], is_active=True).first()
    if user is None or not constant_time_compare(pending["hash"], user.get_session_auth_hash()):
        return None
    return user


def complete_sign_in(request: HttpRequest, user: User, *, code: str) -> None:
    """Raises `WrongCode`, or `TooMany` after too many of them."""
    check_code(user=user, code=code)
    request.session.pop(PENDING, None)
    login(request, user, backend=BACKEND)
