"""Values that a process keeps: for threads, bounded, and each for its own database."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from django.db import connection

V = TypeVar("V")


def name_database() -> tuple[str, str, str]:
    """Which database rows and their ids are of."""
    found = connection.settings_dict
    return str(found["HOST"]), str(found["PORT"]), str(found["NAME"])


class Memory(Generic[V]):
    """The values used last. Threads that want the same one wait for the first to make it.

    Everybody gets the same object, so it must not be changed.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        key = (name_database(), key)
        while True:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key]
                turn = self._making.setdefault(key, threading.Lock())
                if mine := turn.acquire(blocking=False):
                    break
            with turn:  # until whoever makes it is done, or has failed
                continue
        assert mine
        try:
            made = make()
            self._store(key, made)
        finally:
            with self._lock:
                del self._making[key]
                turn.release()
        return made

    def find(self, key: Hashable) -> V | None:
        """What is there, without making it."""
        with self._lock:
            return self._values.get((name_database(), key))

    def _store(self, key: Hashable, made: V) -> None:
        with self._lock:
            self._values[key] = made
            while len(self._values) > self.size:
                self._values.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)
