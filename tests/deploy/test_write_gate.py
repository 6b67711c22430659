"""Which statements wait for SQLite's lock, and how many of a process's threads may."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connections, transaction
from pytest_django import DjangoDbBlocker

from annotation.faults import if_free
from deploy import write_gate
from deploy.write_gate import WriteGate, count_places, takes_lock
from tests.deploy.homes import attached


@pytest.mark.parametrize(
    "sql, is_in_transaction, takes",
    [
        ("BEGIN IMMEDIATE", False, True),
        ("INSERT INTO x VALUES (1)", False, True),
        ("UPDATE x SET y = 1", False, True),
        ("UPDATE x SET y = 1", True, False),
        ("DELETE FROM x", False, True),
        ("SELECT 1", False, False),
        ("SAVEPOINT s", True, False),
        ("PRAGMA busy_timeout = 1", False, False),
    ],
)
def test_it_knows_what_waits(sql: str, is_in_transaction: bool, takes: bool) -> None:
    assert takes_lock(sql, is_in_transaction=is_in_transaction) is takes


@pytest.mark.parametrize("threads, places", [(1, 1), (2, 1), (4, 3), (8, 5), (16, 10)])
def test_it_leaves_threads_to_readers(threads: int, places: int) -> None:
    assert count_places(threads) == places


@pytest.fixture
def held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """A database whose lock somebody else holds, behind a gate for two threads."""
    monkeypatch.setattr(write_gate, "WAIT_SECONDS", 1.0)
    path = tmp_path / "held.sqlite3"
    gate = WriteGate(3)
    with (
        django_db_blocker.unblock(),
        attached("held", f"sqlite:///{path}", tmp_path),
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        connections["held"].cursor().execute("CREATE TABLE x (y)")
        gate._meet(connections["held"])
        gate._meet(connections["held"])
        assert connections["held"].execute_wrappers == [gate], "once for each connection"
        other.execute("BEGIN IMMEDIATE")
        yield "held"


def write(alias: str) -> float:
    """How long it took to be refused."""
    began = time.monotonic()
    with pytest.raises(OperationalError, match="database is locked"), transaction.atomic(alias):
        pass
    return time.monotonic() - began


def test_it_waits_for_a_while_and_no_longer(held: str) -> None:
    assert 0.9 < write(held) < 3


def test_it_refuses_at_once_whoever_comes_on_top(held: str) -> None:
    gate = connections[held].execute_wrappers[0]
    assert isinstance(gate, WriteGate)
    places = [gate._place() for _ in range(count_places(3))]
    with contextlib.ExitStack() as stack:
        for place in places:
            stack.enter_context(place)
        assert write(held) < 0.8


def test_what_is_nice_to_have_waits_for_nobody(held: str) -> None:
    began = time.monotonic()
    with if_free():
        connections[held].cursor().execute("INSERT INTO x VALUES (1)")
    assert time.monotonic() - began < 0.8
    assert 0.9 < write(held) < 3, "and what matters waits as before"


def test_what_is_nice_to_have_hides_no_bug() -> None:
    with pytest.raises(OperationalError), if_free():
        raise OperationalError("no such table: x")


def test_it_lets_readers_by(held: str) -> None:
    began = time.monotonic()
    assert connections[held].cursor().execute("SELECT count(*) FROM x").fetchone() == (0,)
    assert time.monotonic() - began < 0.5
