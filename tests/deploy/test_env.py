"""Readers of environment variables: what they take, and the sentence when they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deploy import env
from deploy.env import EnvError
from tests import servers

SECRET_HINT = 'Make one with: python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
DATABASE_HINT = "Use sqlite:///path or postgresql://user:password@host:5432/name."
FLAG_HINT = "Use 1 or 0, true or false, yes or no, on or off."
RATE_HINT = "Use a number and one of second, minute, hour, day: 600/minute."

ADDRESS_HINT = "Use an address such as https://giza.example.org."
ORIGIN_HINT = "Use addresses such as https://giza.example.org."
MAIL_HINT = "Use smtp://host:25, smtp+tls://user:password@host:587 or smtps://host:465."


def _text(name: str) -> Any:
    return env.text(name, expected="a long random text")


def _number(name: str) -> Any:
    return env.number(name, 5, least=1, most=10)


def _choice(name: str) -> Any:
    return env.choice(name, "INFO", ["DEBUG", "INFO"])


def _rate(name: str) -> Any:
    return env.rate(name, "600/minute")


def _home(name: str) -> Any:
    return env.address(name, "http://127.0.0.1:8000")


def _database(name: str) -> Any:
    return env.database(name, "sqlite:///giza.sqlite3")


def _time_zone(name: str) -> Any:
    return env.time_zone(name, "UTC")


def _sender(name: str) -> Any:
    return env.sender(name, needed=True)


UNDERSTOOD: list[tuple[Callable[[str], Any], str, Any]] = [
    (_text, " words ", "words"),
    (env.flag, "1", True),
    (env.flag, "Yes", True),
    (env.flag, "ON", True),
    (env.flag, "false", False),
    (env.flag, "", False),
    (_number, "", 5),
    (_number, "1", 1),
    (_number, "10", 10),
    (env.items, "", []),
    (env.items, "a, b,,c", ["a", "b", "c"]),
    (env.origins, "https://a.example.org,http://b:81", ["https://a.example.org", "http://b:81"]),
    (env.origins, "https://MÜNCHEN.example:443", ["https://xn--mnchen-3ya.example"]),
    (_home, "https://a.example.org/giza", "https://a.example.org/giza"),
    (_choice, "DEBUG", "DEBUG"),
    (_rate, "5/second", "5/second"),
    (env.broker, "", "filesystem://localhost"),
    (env.broker, "redis://r:6379/0", "redis://r:6379/0"),
    (env.broker, "redis+socket:///run/r.sock", "redis+socket:///run/r.sock"),
    (_time_zone, "Europe/Berlin", "Europe/Berlin"),
    (_sender, "giza@example.org", "giza@example.org"),
    (_sender, "Giza <giza@example.org>", "Giza <giza@example.org>"),
]

REFUSED: list[tuple[Callable[[str], Any], str, str]] = [
    (
        env.secret,
        "",
        "X is not set. Set it to a long random text, the same on every machine. " + SECRET_HINT,
    ),
    (
        env.secret,
        servers.SECRET_KEY[:49],
        f"X is too short: 49 of at least 50 characters. {SECRET_HINT}",
    ),
    (
        env.secret,
        "django-insecure-" + servers.SECRET_KEY,
        f"X is a published example that others know. {SECRET_HINT}",
    ),
    (
        env.secret,
        'python3 -c "import secrets; print(secrets.token_urlsafe(50))"',
        f"X is a published example that others know. {SECRET_HINT}",
    ),
    (env.secret, "abcdefg" * 10, f"X is easy to guess: it repeats itself. {SECRET_HINT}"),
    (
        env.secret,
        "correct-horse-battery-staple" * 2,
        f"X is easy to guess: it repeats itself. {SECRET_HINT}",
    ),
    (_text, "", "X is not set. Set it to a long random text."),
    (env.flag, "maybe", f"X: 'maybe' is not valid. {FLAG_HINT}"),
    (_number, "two", "X: 'two' is not valid. Use a whole number from 1 to 10."),
    (_number, "1.5", "X: '1.5' is not valid. Use a whole number from 1 to 10."),
    (_number, "11", "X: '11' is out of range. Use a whole number from 1 to 10."),
    (_number, "-1", "X: '-1' is out of range. Use a whole number from 1 to 10."),
    (
        env.origins,
        "giza.example.org",
        "X: 'giza.example.org' is not valid. Use addresses such as https://giza.example.org.",
    ),
    *[
        (env.origins, value, f"X: '{value}' is not valid. {ORIGIN_HINT}")
        for value in [
            "https://a.test;script-src",
            "https://*",
            "https://a.test/path",
            "https://me@a.test",
            "https://a..test",
        ]
    ],
    (
        _home,
        "https://a.test;script-src/x",
        f"X: 'https://a.test;script-src/x' is not valid. {ADDRESS_HINT}",
    ),
    (_choice, "info", "X: 'info' is not valid. Use one of DEBUG, INFO."),
    (_rate, "600", f"X: '600' is not valid. {RATE_HINT}"),
    (_rate, "0/minute", f"X: '0/minute' is not valid. {RATE_HINT}"),
    (_rate, "5/month", f"X: '5/month' is not valid. {RATE_HINT}"),
    (_database, "giza.sqlite3", f"X: 'giza.sqlite3' is not valid. {DATABASE_HINT}"),
    (_database, "sqlite://", f"X: 'sqlite://' is not valid. {DATABASE_HINT}"),
    (_database, "sqlite://a/b", f"X: 'sqlite://a/b' is not valid. {DATABASE_HINT}"),
    (
        _database,
        "mysql://u:secret@h/n",
        f"X: 'mysql://u:***@h/n' is not valid. {DATABASE_HINT}",
    ),
    (
        _database,
        "postgresql://u:secret@h:port/n",
        f"X: 'postgresql://u:***@h:port/n' is not valid. {DATABASE_HINT}",
    ),
    (
        _database,
        "postgresql://[::1/n",
        f"X: 'postgresql://[::1/n' is not valid. {DATABASE_HINT}",
    ),
    (_database, "postgresql://u@h", f"X: 'postgresql://u@h' is not valid. {DATABASE_HINT}"),
    (
        env.broker,
        "amqp://u:secret@h",
        "X: 'amqp://u:***@h' is not valid. Use filesystem:// or redis://host:6379/0.",
    ),
    (
        env.cache,
        "redis",
        "X: 'redis' is not valid. Use locmem:// or redis://host:6379/1.",
    ),
    (
        _time_zone,
        "Middle/Earth",
        "X: 'Middle/Earth' is not valid. Use a name such as UTC or Europe/Berlin.",
    ),
    (env.mail, "mail.example.org", f"X: 'mail.example.org' is not valid. {MAIL_HINT}"),
    (env.mail, "smtp://", f"X: 'smtp://' is not valid. {MAIL_HINT}"),
    (env.mail, "smtp://h:0", f"X: 'smtp://h:0' is not valid. {MAIL_HINT}"),
    (env.mail, "smtp://[::1", f"X: 'smtp://[::1' is not valid. {MAIL_HINT}"),
    (env.mail, "imap://u:secret@h", f"X: 'imap://u:***@h' is not valid. {MAIL_HINT}"),
    (
        _sender,
        "Giza",
        "X: 'Giza' is not valid. Use an address such as Giza <giza@example.org>.",
    ),
    (_sender, "", "X is not set. Set it to an address such as giza@example.org."),
]


@pytest.mark.parametrize(("reader", "value", "expected"), UNDERSTOOD)
def test_it_reads_what_it_understands(reader, value, expected, monkeypatch):
    monkeypatch.setenv("X", value)
    assert reader("X") == expected


@pytest.mark.parametrize(("reader", "value", "sentence"), REFUSED)
def test_it_refuses_the_rest_in_one_sentence(reader, value, sentence, monkeypatch):
    monkeypatch.setenv("X", value)
    with pytest.raises(EnvError) as caught:
        reader("X")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("password", ["p@:/#%?$ '\"w", "%40", "ü"])
def test_it_takes_any_password_beside_the_address(password, monkeypatch):
    monkeypatch.setenv("X", "postgresql://giza@db:5432/giza")
    monkeypatch.setenv("P", password)
    found = env.database("X", "", password=env.password("P"))
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("giza", password, "db")


@pytest.mark.parametrize("address", ["postgresql://u:one@h/n", "sqlite:///giza.sqlite3"])
def test_it_refuses_a_password_that_nothing_needs(address, monkeypatch):
    monkeypatch.setenv("X", address)
    with pytest.raises(EnvError, match="is for a PostgreSQL address in X without a password") as it:
        env.database("X", "", password="two-hush")
    assert "hush" not in str(it.value)


def test_it_reads_a_sqlite_address(monkeypatch, tmp_path):
    monkeypatch.setenv("X", f"sqlite:///{tmp_path}/a%20b.sqlite3")
    found = env.database("X", "")
    assert found["NAME"] == f"{tmp_path}/a b.sqlite3"
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in found["OPTIONS"]["init_command"]


@pytest.mark.parametrize(
    ("address", "host", "port", "password"),
    [
        ("postgresql://u:p%40ss@db:5433/giza", "db", "5433", "p@ss"),
        ("postgres://u:p@db/giza", "db", "", "p"),
        ("postgresql://u:p@[::1]:5432/giza", "::1", "5432", "p"),
        ("postgresql://u:@/giza?host=/run/pg", "/run/pg", "", ""),
    ],
)
def test_it_reads_a_postgresql_address(address, host, port, password, monkeypatch):
    monkeypatch.setenv("X", address)
    found = env.database("X", "")
    assert (found["HOST"], found["PORT"], found["PASSWORD"]) == (host, port, password)
    assert (found["NAME"], found["USER"]) == ("giza", "u")


@pytest.mark.parametrize(
    ("address", "port", "tls", "ssl"),
    [
        ("smtp://h", 25, False, False),
        ("smtp+tls://u:p%40ss@h", 587, True, False),
        ("smtps://u:p%40ss@h:4650", 4650, False, True),
    ],
)
def test_it_reads_where_mail_is_handed_in(address, port, tls, ssl, monkeypatch):
    monkeypatch.setenv("X", address)
    found = env.mail("X")
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == ("h", port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)
    assert found["EMAIL_HOST_PASSWORD"] == ("p@ss" if "@h" in address else "")


def test_it_mails_nothing_by_itself(monkeypatch):
    monkeypatch.delenv("X", raising=False)
    assert env.mail("X")["EMAIL_HOST"] == ""
    assert env.sender("X", needed=False) == ""


def test_it_passes_options_of_a_postgresql_address_on(monkeypatch):
    monkeypatch.setenv("X", "postgresql://u:p@db/giza?sslmode=require")
    assert env.database("X", "")["OPTIONS"]["sslmode"] == "require"


def test_it_makes_a_folder_with_what_belongs_inside(monkeypatch, tmp_path):
    monkeypatch.setenv("X", str(tmp_path / "a"))
    assert env.folder("X", tmp_path, inside=["b/c"]) == tmp_path / "a"
    assert (tmp_path / "a" / "b" / "c").is_dir()


def test_it_refuses_a_folder_that_is_a_file(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("X", str(tmp_path / "file"))
    with pytest.raises(EnvError, match=r"X: '.*file' can't be used \(File exists\)\. Use"):
        env.folder("X", tmp_path)


def test_it_refuses_a_misspelt_name(monkeypatch):
    monkeypatch.setenv("GIZA_DATE", "1")
    with pytest.raises(EnvError, match=r"GIZA_DATE is not a setting\. Settings with GIZA_: GIZA"):
        env.refuse_unknown("GIZA_", known=["GIZA_DATA"])


def test_it_lets_a_known_name_pass(monkeypatch):
    monkeypatch.setenv("GIZA_DATA", "/data")
    env.refuse_unknown("GIZA_", known=["GIZA_DATA"])


def test_it_ends_with_the_sentence_and_code_2(capsys):
    with pytest.raises(SystemExit) as caught, env.exit_with_sentence():
        raise EnvError("PORT: 'x' is not valid.")
    assert caught.value.code == 2
    assert capsys.readouterr().err == "PORT: 'x' is not valid.\n"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("redis://h:6379/0", "redis://h:6379/0"),
        ("redis://:secret@h/0", "redis://:***@h/0"),
        ("postgresql://u:a:b@h/n", "postgresql://u:***@h/n"),
        ("postgresql://u:se/cr@et@h/n", "postgresql://u:***@h/n"),
        ("postgresql://u@h/n", "postgresql://u@h/n"),
    ],
)
def test_it_hides_passwords(address, shown):
    assert env.without_password(address) == shown
