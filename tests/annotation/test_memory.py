"""What a process keeps is made once for many threads, and stays within its bound."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from annotation.memory import Memory


def in_threads(number: int, work: Any) -> list[Any]:
    found: list[Any] = []
    together = threading.Barrier(number)

    def run() -> None:
        together.wait()
        try:
            found.append(work())
        except ZeroDivisionError as error:
            found.append(error)

    threads = [threading.Thread(target=run) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(found) == number
    return found


def test_it_makes_a_value_once_for_eight_threads():
    made: list[object] = []
    memory: Memory[object] = Memory(4)
    busy = threading.Event()

    def make() -> object:
        made.append(object())
        busy.wait(0.05)
        return made[-1]

    found = in_threads(8, lambda: memory.get("key", make))
    assert len(made) == 1
    assert {id(value) for value in found} == {id(made[0])}


def test_it_lets_the_next_thread_try_after_a_failure():
    tries: list[int] = []
    memory: Memory[int] = Memory(4)

    def make() -> int:
        tries.append(1)
        return 7 if len(tries) > 3 else 1 // 0

    found = in_threads(8, lambda: memory.get("key", make))
    assert sum(isinstance(value, ZeroDivisionError) for value in found) == 3
    assert found.count(7) == 5
    assert len(tries) == 4


def test_it_keeps_the_values_used_last():
    memory: Memory[int] = Memory(2)
    for key in (1, 2, 1, 3):
        memory.get(key, lambda key=key: key)  # type: ignore[misc]
    assert len(memory) == 2
    assert memory.get(1, lambda: -1) == 1
    assert memory.get(2, lambda: -1) == -1


def test_it_stays_within_its_bound_under_threads():
    memory: Memory[int] = Memory(3)
    turns = iter(range(10_000))
    in_threads(8, lambda: [memory.get(next(turns) % 11, lambda: 1) for _ in range(200)])
    assert len(memory) == 3
    assert memory._making == {}


def test_it_takes_no_value_of_another_database(monkeypatch: pytest.MonkeyPatch):
    memory: Memory[str] = Memory(4)
    assert memory.get("project 1", lambda: "here") == "here"
    monkeypatch.setitem(connection.settings_dict, "NAME", "elsewhere")
    assert memory.get("project 1", lambda: "there") == "there"
