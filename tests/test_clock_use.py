"""Who asks a machine for the time of day: nobody who decides anything by it.

What moves work or money goes by `annotation.clock.now()`, the database's time. Each use of another
clock stands below with its reason; a new one fails here until it uses that clock or is added.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest

from tests.style import FUNCTIONS
from tests.test_architecture import parse, python_files, read

# The last two names of what is called or handed on, and what may be imported by name.
CLOCKS = {
    *(("timezone", name) for name in ("now", "localdate", "localtime")),
    *(("datetime", name) for name in ("now", "utcnow", "today")),
    *(("date", "today"), ("time", "time"), ("time", "time_ns")),
}
IMPORTED = {"time": {"time", "time_ns"}, "django.utils.timezone": {"now", "localdate", "localtime"}}
NAMED = "names a file, or says in it when it was made"
ALLOWED = {
    "annotation/clock.py now": "the one clock: on SQLite, the machine that the database is on",
    "annotation/corpora/accounts/models.py User": "decides nothing, and checks have no database",
    "annotation/corpora/notifications/service.py name_day": "the day of a moment by the clock",
    "annotation/crowd/work/views.py work_assignment": "a deadline, shown in the server's time zone",
    "deploy/backup/making.py _goal": NAMED,
    "deploy/backup/making.py _write": NAMED,
}


def find_uses(path: PurePosixPath, source: str) -> list[str]:
    """Where a file asks for the time of day: its name, and the function or class around."""
    return list(dict.fromkeys(f"{path} {name}" for name in _walk(parse(source), "")))


def _walk(node: ast.AST, inside: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Attribute) and _ends(child) in CLOCKS:
            yield inside
        if isinstance(child, ast.ImportFrom):
            names = IMPORTED.get(child.module or "", set())
            yield from (inside for alias in child.names if alias.name in names)
        is_named = isinstance(child, (*FUNCTIONS, ast.ClassDef))
        yield from _walk(child, child.name if is_named else inside)  # type: ignore[attr-defined]


def _ends(node: ast.Attribute) -> tuple[str, str]:
    base = node.value
    name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
    return name, node.attr


def list_uses() -> list[str]:
    paths = python_files("annotation", "deploy")
    kept = [path for path in paths if "migrations" not in path.parts]
    return [use for path in kept for use in find_uses(path, read(path))]


def test_nothing_is_decided_by_the_clock_of_a_machine():
    found = set(list_uses())
    assert found - set(ALLOWED) == set(), "use annotation.clock.now(), or say in ALLOWED why not"
    assert set(ALLOWED) - found == set(), "an exception that nothing needs any more"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def f(): return timezone.now()", "f"),
        ("class Job:\n at = DateTimeField(default=timezone.now)", "Job"),
        ("def f(): return datetime.datetime.now(UTC)", "f"),
        ("def f():\n def g(): return time.time()", "g"),
        ("import x\nSTART = date.today()", ""),
        ("from time import time", ""),
        ("from django.utils.timezone import now", ""),
    ],
)
def test_it_notices_a_clock(source: str, name: str):
    assert find_uses(PurePosixPath("a.py"), source) == [f"a.py {name}"]


@pytest.mark.parametrize(
    "source",
    ["clock.now()", "time.monotonic()", "from time import monotonic", "datetime.fromisoformat(x)"],
)
def test_it_lets_others_pass(source: str):
    assert find_uses(PurePosixPath("a.py"), source) == []
