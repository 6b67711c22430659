"""Whether everything is as the last preparation left it: asked at each start, without Django.

Preparing takes more than a second even when there is nothing to do. A stamp over all that it
depends on tells that in milliseconds. It is used with the embedded database alone; another may
have been changed from elsewhere.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from deploy import embedded, env

WATCHED = ("annotation/*/migrations/*.py", "annotation/*/demo/*", "frontend/static/**/*")
SINGLE = (
    "requirements.lock",
    "deploy/settings.py",
    "deploy/static.py",
    "annotation/append_only.py",
    "annotation/change_marks.py",
)


def stamp_path() -> Path:
    return env.data_dir() / "run" / "prepared.stamp"


def is_prepared() -> bool:
    stamp, now = stamp_path(), fingerprint()
    return now is not None and stamp.exists() and stamp.read_text() == now


def note_prepared() -> None:
    now = fingerprint()
    if now is not None:
        stamp_path().write_text(now)


def fingerprint() -> str | None:
    """A digest of files, settings and rows; None where it could not be relied on."""
    if env.text("DATABASE_URL", "") or not (env.data_dir() / "static").is_dir():
        return None
    rows = list(_rows(env.data_dir() / "giza.sqlite3"))
    if not rows:
        return None
    settings = [env.flag("DEBUG"), env.text("DEMO_PASSWORD", "")]
    return hashlib.sha256(repr([settings, rows, list(_files())]).encode()).hexdigest()


def _files() -> Iterator[tuple[str, int, int]]:
    for pattern in (*WATCHED, *SINGLE):
        for path in sorted(env.ROOT.glob(pattern)):
            status = path.stat()
            yield path.name, status.st_size, status.st_mtime_ns


def _rows(database: Path) -> Iterator[tuple[str, str]]:
    """The migrations that were run, and the demo's password as it is stored."""
    if not database.exists():
        return
    connection = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    try:
        yield from connection.execute("SELECT app, name FROM django_migrations ORDER BY id")
        demo = (embedded.DEMO_EMAIL,)
        yield from connection.execute(
            "SELECT email, password FROM corpora_user WHERE email = ?", demo
        )
    except sqlite3.OperationalError:
        return  # a database without tables is one to prepare
    finally:
        connection.close()
