"""An answer on its way from the thread that makes it to the loop that sends it.

What the client has not read yet is kept aside, in memory at first and then on disk, so that the
thread is free as soon as the answer is made. A fast client gets each piece as it is made.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

IN_MEMORY = 2**20
PIECE = 2**16
# What one process keeps aside for all its clients. Beyond it, a thread waits for its own client.
MOST_ASIDE = 2 * 2**30
LONGEST_WAIT = 30.0


class Gone(Exception):
    """The client is away, or too slow to be waited for any longer."""


class Shelf:
    """The room for answers that wait for their clients, shared by a process."""

    def __init__(self, room: int = MOST_ASIDE) -> None:
        self._room = room
        self._changed = threading.Condition()

    def take(self, size: int) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._room >= size, LONGEST_WAIT):
                raise Gone("Answers that nobody reads have taken all the room.")
            self._room -= size

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
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(folder))  # noqa: SIM115
        self._written = self._read = 0
        self._is_over = self._is_whole = self._is_closed = self._is_announced = False

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.start = {"type": "http.response.start", "status": status, "headers": headers}

    def write(self, piece: bytes) -> None:
        if not piece:
            return
        self._shelf.take(len(piece))
        with self._lock:
            if self._is_closed:
                self._shelf.give_back(len(piece))
                raise Gone("The client is gone.")
            self._file.seek(self._written)
            self._file.write(piece)
            self._written += len(piece)
        self._announce()

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
                self._file.close()
        self._news.set()

    def _take_piece(self) -> bytes:
        with self._lock:
            if self._is_closed:
                raise Gone("The client is gone.")
            self._file.seek(self._read)
            piece = self._file.read(PIECE)
            self._read += len(piece)
            if self._read == self._written and self._written > PIECE:
                # All of it is read: its room is free before more is written.
                self._file.seek(0)
                self._file.truncate()
                self._written = self._read = 0
        if piece:
            self._shelf.give_back(len(piece))
        return piece

    def _announce(self) -> None:
        if not self._is_announced:
            self._is_announced = True
            self._loop.call_soon_threadsafe(self._news.set)
