"""An answer on its way from the thread that makes it to the loop that sends it.

What the client has not read yet is kept aside, in memory at first and then on disk, so that the
thread is free as soon as the answer is made. A fast client gets each piece as it is made.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from time import monotonic
from typing import Any

IN_MEMORY = 2**20
# Of all answers of a process; beyond it, small ones go to disk as well.
MOST_IN_MEMORY = 2**27
PIECE = 2**16
# The beginning of every answer, and so every page, is kept aside without waiting for room.
AT_ONCE = 2**20
# What one process keeps aside for all its clients, and for one of them. Beyond it, a thread waits.
MOST_ASIDE = 2 * 2**30
MOST_OF_ONE = 2**28
# How long a thread waits for room, over the whole of an answer.
LONGEST_WAIT = 120.0


class Gone(Exception):
    """The client is away, or too slow to be waited for any longer."""


class NotKept(Gone):
    """The disk did not take the answer."""


class Shelf:
    """The room for answers that wait for their clients, shared by a process.

    Only `waiters` threads at a time wait for room, so that the others can answer.
    """

    def __init__(
        self, room: int = MOST_ASIDE, waiters: int = 1, memory: int = MOST_IN_MEMORY
    ) -> None:
        self._room = room
        self._memory = memory
        self._waiters = waiters
        self._changed = threading.Condition()

    def take(self, size: int) -> None:
        """Without asking whether there is room."""
        with self._changed:
            self._room -= size

    def wait_and_take(self, size: int, seconds: float, may_take: Callable[[], bool]) -> float:
        """Once there is room and `may_take` agrees; how many seconds that took."""
        with self._changed:

            def has_room() -> bool:
                return self._room >= size and may_take()

            waited = 0.0 if has_room() else self._wait(has_room, seconds)
            self._room -= size
        return waited

    def _wait(self, has_room: Callable[[], bool], seconds: float) -> float:
        if not self._waiters:
            raise Gone("Too many answers wait for room already.")
        begun = monotonic()
        self._waiters -= 1
        try:
            if not self._changed.wait_for(has_room, max(seconds, 0)):
                raise Gone("Answers that nobody reads have taken all the room.")
        finally:
            self._waiters += 1
        return monotonic() - begun

    def take_memory(self, size: int) -> bool:
        """If there is so much of it left."""
        with self._changed:
            has_room = size <= self._memory
            self._memory -= size if has_room else 0
        return has_room

    def give_back_memory(self, size: int) -> None:
        with self._changed:
            self._memory += size

    def give_back(self, size: int) -> None:
        with self._changed:
            self._room += size
            self._changed.notify_all()


class Outbox:
    """`begin`, `write` and `end` are called by the thread, the rest by the loop."""

    def __init__(self, shelf: Shelf, folder: Path) -> None:
        self.start: dict[str, Any] = {}
        self._shelf = shelf
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._lock = threading.Lock()
        # In memory until it is moved to disk.
        self._file = tempfile.SpooledTemporaryFile(dir=str(folder))  # noqa: SIM115
        self._in_memory, self._is_on_disk = 0, False
        self._written = self._read = self._made = 0
        self._patience = LONGEST_WAIT
        self._is_over = self._is_whole = self._is_closed = self._is_announced = False

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.start = {"type": "http.response.start", "status": status, "headers": headers}

    def write(self, piece: bytes) -> None:
        for begin in range(0, len(piece), AT_ONCE):
            part = piece[begin : begin + AT_ONCE]
            self._take_room(len(part))
            try:
                self._put(part)
            except BaseException:
                self._shelf.give_back(len(part))
                raise
            self._announce()

    def _take_room(self, size: int) -> None:
        self._made += size
        if self._made <= AT_ONCE:
            self._shelf.take(size)
            return

        def may_take() -> bool:
            if self._is_closed:
                raise Gone("The client is gone.")
            return self._written - self._read + size <= MOST_OF_ONE

        self._patience -= self._shelf.wait_and_take(size, self._patience, may_take)

    def _put(self, part: bytes) -> None:
        with self._lock:
            if self._is_closed:
                raise Gone("The client is gone.")
            try:
                self._make_place(len(part))
                self._file.seek(self._written)
                self._file.write(part)
            except OSError as error:
                raise NotKept(f"The answer could not be written to disk: {error}") from error
            self._written += len(part)

    def _make_place(self, size: int) -> None:
        """In memory while there is room for it, and else on disk with all of the answer."""
        if self._is_on_disk:
            return
        if self._written + size <= IN_MEMORY and self._shelf.take_memory(size):
            self._in_memory += size
            return
        self._file.rollover()
        self._is_on_disk = True
        self._leave_memory()

    def _leave_memory(self) -> None:
        self._shelf.give_back_memory(self._in_memory)
        self._in_memory = 0

    def end(self, *, is_whole: bool) -> None:
        """Nothing more is written. What is not whole must not look as if it were."""
        self._is_whole, self._is_over = is_whole, True
        self._announce()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Everything that is written, as soon as it is; `start` is set before the first."""
        while True:
            self._news.clear()
            self._is_announced = False
            # Looked at before the file is: whatever is written after that is announced again.
            is_over = self._is_over
            while piece := self._take_piece():
                yield piece
            if is_over:
                break
            await self._news.wait()
        if not self._is_whole:
            raise Gone("The answer broke off.")

    def close(self) -> None:
        """Nobody reads on. The thread learns of it when it writes next."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._shelf.give_back(self._written - self._read)
                self._leave_memory()
                with contextlib.suppress(OSError):  # a full disk: what is still buffered is lost
                    self._file.close()
        self._news.set()

    def _take_piece(self) -> bytes:
        with self._lock:
            if self._is_closed:
                raise Gone("The client is gone.")
            try:
                piece = self._read_piece()
            except OSError as error:
                raise NotKept(f"The answer could not be written to disk: {error}") from error
        if piece:
            self._shelf.give_back(len(piece))
        return piece

    def _read_piece(self) -> bytes:
        self._file.seek(self._read)
        piece = self._file.read(min(PIECE, self._written - self._read))
        self._read += len(piece)
        if self._read == self._written and self._written > PIECE:
            # All of it is read: its room is free before more is written.
            self._written = self._read = 0
            self._file.seek(0)
            self._file.truncate()
            self._leave_memory()
        return piece

    def _announce(self) -> None:
        if not self._is_announced:
            self._is_announced = True
            self._loop.call_soon_threadsafe(self._news.set)
