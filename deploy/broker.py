"""Celery messages as files in a folder: the broker of a single machine, with no server.

kombu's own transport writes a message into a file that a reader may already take, and a reader
then finds it empty. Here a message appears under its name only once it is whole, and is taken by
a rename, which only one reader can win. docs/decisions.md has the figures.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from queue import Empty
from time import monotonic, monotonic_ns
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps, loads

IDLE_INTERVAL = 0.1
BUSY_INTERVAL = 0.01
WAIT = 0.5


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]
        """Write the message aside, then give it its name at once."""
        whole = Path(self.data_folder_out) / f"{monotonic_ns():020}_{uuid.uuid4()}.{queue}.msg"
        part = whole.with_suffix(".part")
        try:
            part.write_text(dumps(payload))
            part.rename(whole)
        except OSError:
            part.unlink(missing_ok=True)  # a full disk: the sweep sends it once there is room
            raise

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """Take the oldest message of a queue."""
        for name in sorted(os.listdir(self.data_folder_in)):
            if name.partition(".")[2] == f"{queue}.msg":
                body = take(Path(self.data_folder_in) / name)
                if body is not None:
                    return loads(body)
        raise Empty


class Transport(filesystem.Transport):
    """Looks into the folder ten times a second, and more often while messages keep coming."""

    Channel = Channel
    _delivered_at = 0.0

    def drain_events(  # type: ignore[override]
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Wait for a message. The wait is short, as a worker only notices in between to stop."""
        is_busy = monotonic() - self._delivered_at < WAIT
        self.polling_interval = BUSY_INTERVAL if is_busy else IDLE_INTERVAL
        super().drain_events(connection, timeout=min(timeout or WAIT, WAIT))
        self._delivered_at = monotonic()


def take(path: Path) -> str | None:
    """Read a message and remove it; None if another reader was quicker."""
    taken = path.with_suffix(".taken")
    try:
        path.rename(taken)
    except FileNotFoundError:
        return None
    body = taken.read_text()
    taken.unlink()
    return body


def register() -> None:
    """Make this what `filesystem://` stands for."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
