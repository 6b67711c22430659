"""How often something may be tried: counted in the database, for all processes together."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils.crypto import salted_hmac

from annotation import clock
from annotation.corpora.models import Attempt, AttemptKind, User
from annotation.errors import TooMany
from annotation.translation import gettext as _
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
