"""Readers of environment variables: typed, and plain about what is wrong with a value."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from annotation.origins import AddressError, read_origin, read_url

ROOT = Path(__file__).resolve().parent.parent
DATA_FOLDERS = ("imports", "tmp", "static", "run", "broker/messages", "broker/control")
TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
PERIODS = ("second", "minute", "hour", "day")
BROKERS = ("filesystem", "redis", "rediss", "redis+socket")
# What each way to hand mail in is spoken at, unless a port is named.
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
CACHES = ("locmem", "redis", "rediss", "unix")
# As long as Django's own check for servers wants it; with fewer characters it is no random text.
SECRET_LENGTH = 50
SECRET_VARIETY = 12
# What stands in examples, and never in a random text.
PLACEHOLDERS = ("django-insecure", "change-me", "changeme", "example", "token_urlsafe", "…")
MAKE_SECRET = 'Make one with: python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
# A broker that is away, or takes calls and answers none, must not hold up a request: the sweep
# sends what could not be sent.
REDIS_OPTIONS: dict[str, Any] = {
    "visibility_timeout": 3600,
    "max_retries": 1,
    "interval_start": 0,
    "socket_connect_timeout": 2,
    "socket_timeout": 3,
}
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
    "PRAGMA cache_size=-32768; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY"
)


class EnvError(ImproperlyConfigured):
    """A variable that is missing or not understood. Its text is one sentence for the operator."""


@contextmanager
def exit_with_sentence() -> Iterator[None]:
    """Turn an `EnvError` into its sentence on stderr and exit code 2."""
    try:
        yield
    except EnvError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


def text(name: str, default: str | None = None, *, expected: str = "a value") -> str:
    """Read a string. Without a default the variable must be set; empty counts as unset."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise EnvError(f"{name} is not set. Set it to {expected}.")
    return default


def secret(name: str) -> str:
    """Read a key that signs things: long and random. What it is never stands in a message."""
    value = text(name, "")
    weakness = _find_weakness(value)
    if weakness:
        raise EnvError(f"{name} {weakness}. {MAKE_SECRET}")
    return value


def flag(name: str, default: bool = False) -> bool:
    value = text(name, "yes" if default else "no").lower()
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise _refusal(name, value, "Use 1 or 0, true or false, yes or no, on or off.")


def number(name: str, default: int, *, least: int, most: int) -> int:
    value = text(name, str(default))
    expected = f"Use a whole number from {least} to {most}."
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", value):
        raise _refusal(name, value, expected)
    if not least <= int(value) <= most:
        raise _refusal(name, value, expected, verdict="is out of range")
    return int(value)


def items(name: str, default: Collection[str] = ()) -> list[str]:
    """Read a list separated by commas."""
    value = text(name, "")
    return [part.strip() for part in value.split(",") if part.strip()] or list(default)


def origins(name: str) -> list[str]:
    """Read a list of web addresses without a path, such as https://giza.example.org."""
    return [_origin(name, item) for item in items(name)]


def _origin(name: str, value: str) -> str:
    try:
        if re.fullmatch(r"https?://[^/?#]+", value):
            return str(read_origin(value))
    except AddressError:
        pass  # the sentence below says what is expected
    raise _refusal(name, value, "Use addresses such as https://giza.example.org.")


def address(name: str, default: str) -> str:
    """Read a web address; empty where the default is and nothing is set."""
    value = text(name, default)
    try:
        if not value or re.fullmatch(r"https?://[^/?#]+(/[^?#]*)?", value):
            return value and read_url(value)
    except AddressError:
        pass  # the sentence below says what is expected
    raise _refusal(name, value, "Use an address such as https://giza.example.org.")


def share(name: str, default: str) -> Decimal:
    """Read a part of one, such as 0.2 for a fifth."""
    value = text(name, default)
    if not re.fullmatch(r"[01](\.[0-9]{1,6})?", value) or Decimal(value) > 1:
        raise _refusal(name, value, "Use a number from 0 to 1, such as 0.2.")
    return Decimal(value)


def choice(name: str, default: str, options: Collection[str]) -> str:
    value = text(name, default)
    if value not in options:
        raise _refusal(name, value, f"Use one of {', '.join(options)}.")
    return value


def languages(folder: Path, ours: tuple[str, str]) -> list[tuple[str, str]]:
    """Our language, and those that have a folder: pt_BR is called pt-br."""
    names = [path.parent.name for path in sorted(folder.glob("*/LC_MESSAGES"))]
    return [ours, *((name.lower().replace("_", "-"), name) for name in names)]


def rate(name: str, default: str) -> str:
    """Read a number of calls in a period, such as 600/minute."""
    value = text(name, default)
    count, _, period = value.partition("/")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", count) or period not in PERIODS:
        raise _refusal(name, value, f"Use a number and one of {', '.join(PERIODS)}: {default}.")
    return value


def folder(name: str, default: Path, *, inside: Collection[str] = ()) -> Path:
    """Read a folder and make it, with the folders that must be inside it."""
    path = Path(text(name, str(default))).expanduser().absolute()
    try:
        for made in (path, *(path / part for part in inside)):
            made.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvError(
            f"{name}: {str(path)!r} can't be used ({error.strerror}). "
            "Use a folder that this account can write to."
        ) from error
    return path


def data_dir() -> Path:
    """The folder of everything that Giza writes: database, uploads, broker, static files."""
    return folder("DATA_DIR", default=ROOT / "var", inside=DATA_FOLDERS)


def password(name: str) -> str:
    """Read a password exactly as it is: any character may be part of it."""
    return os.environ.get(name, "")


def database(name: str, default: str, password: str = "") -> dict[str, Any]:
    """Read a database address as Django's settings for it; the password may stand apart."""
    value = text(name, default)
    readers = {"sqlite": _sqlite, "postgresql": _postgresql, "postgres": _postgresql}
    reader = readers.get(_scheme(value), lambda _: None)
    try:
        settings = reader(value)
    except ValueError:  # brackets that do not close
        settings = None
    if settings is None:
        raise _refusal(
            name,
            value,
            "Use sqlite:///path or postgresql://user:password@host:5432/name.",
        )
    return _with_password(name, settings, password) if password else settings


def broker(name: str) -> str:
    value = _address(name, "filesystem://", BROKERS, "Use filesystem:// or redis://host:6379/0.")
    # kombu warns about an address without a host, although the folder has none.
    return "filesystem://localhost" if value.startswith("filesystem:") else value


def cache(name: str, default: str = "locmem://") -> dict[str, Any]:
    """Read a cache address as Django's settings for it."""
    value = _address(name, default, CACHES, "Use locmem:// or redis://host:6379/1.")
    if _scheme(value) == "locmem":
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    return {"BACKEND": "deploy.cache.SteadyRedisCache", "LOCATION": value}


def mail(name: str) -> dict[str, Any]:
    """Read where mail is handed in, as Django's settings for it; nothing set is no mail."""
    value = text(name, "")
    try:
        parts = urlsplit(value or "smtp://")
    except ValueError:  # brackets that do not close
        parts = urlsplit("")
    port = _port(parts.netloc)
    if parts.scheme not in MAIL_PORTS or port is None or (value and not parts.hostname):
        expected = "Use smtp://host:25, smtp+tls://user:password@host:587 or smtps://host:465."
        raise _refusal(name, value, expected)
    return {
        "EMAIL_HOST": parts.hostname or "",
        "EMAIL_PORT": int(port or MAIL_PORTS[parts.scheme]),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }


def sender(name: str, *, needed: bool) -> str:
    """Read the address that mail comes from, with or without a name before it."""
    value = text(name, None if needed else "", expected="an address such as giza@example.org")
    found = parseaddr(value)[1]
    if value and not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", found):
        raise _refusal(name, value, "Use an address such as Giza <giza@example.org>.")
    return value


def time_zone(name: str, default: str) -> str:
    from zoneinfo import available_timezones

    value = text(name, default)
    # The full list is slow to read, so only a name that is not the default is looked up.
    if value != default and value not in available_timezones():
        raise _refusal(name, value, "Use a name such as UTC or Europe/Berlin.")
    return value


def refuse_unknown(prefix: str, known: Collection[str]) -> None:
    """Refuse variables with our prefix that nothing reads: a typo must not pass in silence."""
    for name in sorted(os.environ):
        if name.startswith(prefix) and name not in known:
            raise EnvError(f"{name} is not a setting. Settings with {prefix}: {', '.join(known)}.")


def without_password(address: str) -> str:
    """The same address with *** in place of its password, safe to print."""
    return re.sub(r"(://[^:/@]*):.*@", r"\1:***@", address)


def _find_weakness(value: str) -> str:
    """What is wrong with a secret, "" if nothing is."""
    if not value:
        return "is not set. Set it to a long random text, the same on every machine"
    if len(value) < SECRET_LENGTH:
        return f"is too short: {len(value)} of at least {SECRET_LENGTH} characters"
    if any(part in value.lower() for part in PLACEHOLDERS):
        return "is a published example that others know"
    repeats = value in (value + value)[1:-1]
    if repeats or len(set(value)) < SECRET_VARIETY:
        return "is easy to guess: it repeats itself"
    return ""


def _scheme(address: str) -> str:
    scheme, mark, _ = address.partition("://")
    return scheme if mark else ""


def _address(name: str, default: str, schemes: Collection[str], expected: str) -> str:
    value = text(name, default)
    if _scheme(value) not in schemes:
        raise _refusal(name, value, expected)
    return value


def _refusal(name: str, value: str, expected: str, *, verdict: str = "is not valid") -> EnvError:
    return EnvError(f"{name}: {without_password(value)!r} {verdict}. {expected}")


def _sqlite(value: str) -> dict[str, Any] | None:
    parts = urlsplit(value)
    path = unquote(parts.path.removeprefix("/"))
    if parts.netloc or not path:
        return None
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path if path == ":memory:" else str(Path(path).expanduser().absolute()),
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": SQLITE_PRAGMAS,
        },
    }


def _postgresql(value: str) -> dict[str, Any] | None:
    parts = urlsplit(value)
    port = _port(parts.netloc)
    options: Mapping[str, list[str]] = parse_qs(parts.query)
    name = unquote(parts.path.removeprefix("/"))
    host = options.get("host", [parts.hostname or ""])[0]
    if not name or not host or port is None:
        return None
    return {
        "ENGINE": "deploy.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": port,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"prepare_threshold": 1} | {k: v[0] for k, v in options.items() if k != "host"},
    }


def _with_password(name: str, settings: dict[str, Any], password: str) -> dict[str, Any]:
    if settings.get("PASSWORD", "none") != "":
        raise EnvError(
            f"DATABASE_PASSWORD is for a PostgreSQL address in {name} without a password. "
            "Use only one of the two."
        )
    return settings | {"PASSWORD": password}


def _port(netloc: str) -> str | None:
    """The port of an address, "" when it names none, None when it is not a port."""
    tail = netloc.rpartition("@")[2].rpartition("]")[2]
    _, colon, port = tail.rpartition(":")
    if not colon:
        return ""
    return port if port.isdigit() and 0 < int(port) < 65536 else None
