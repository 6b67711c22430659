"""Connections of clients, which are cut off when nothing whole comes of them in time."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from deploy.web.bridge import CUT_OFF
from deploy.web.pace import HEADER_SECONDS

# How long an answered client may take to send the rest of what it was told is too much.
LINGER_SECONDS = 10.0
MOST_HEADER_BYTES = 32 * 1024
MOST_CONNECTIONS = 3000
MOST_PER_ADDRESS = 1000


# A chunk costs the loop as much as thousands of bytes, so they are no smaller than this on average.
LEAST_CHUNK = 256
FREE_CHUNKS = 100


class CountingConnection(h11.Connection):
    """h11's, which refuses a body in tiny chunks as it refuses one that is malformed."""

    _chunks = _bytes = 0

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = self._bytes = 0
        elif isinstance(event, h11.Data):
            self._chunks += event.chunk_start
            self._bytes += len(event.data)
            if self._chunks > FREE_CHUNKS and self._bytes < self._chunks * LEAST_CHUNK:
                raise h11.RemoteProtocolError("The chunks of the body are too small.")
        return event


class GuardedProtocol(H11Protocol):
    """uvicorn's, with a time by which the header of the next request must be whole."""

    # Those of this process, the oldest first.
    connections_open: ClassVar[dict[GuardedProtocol, None]] = {}
    # Behind a proxy all come from its address.
    is_behind_proxy: ClassVar[bool] = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = CountingConnection(h11.SERVER, MOST_HEADER_BYTES)
        # None while a request is answered: then the bridge looks at the time.
        self.deadline: float | None = None
        application = self.app

        async def with_way_out(scope: Any, receive: Any, send: Any) -> None:
            await application({**scope, CUT_OFF: self.cut_off}, receive, send)

        self.app = with_way_out

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.deadline = monotonic() + HEADER_SECONDS
        self.connections_open[self] = None
        make_room_for(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.connections_open.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self.deadline = None

    def on_response_complete(self) -> None:
        answered = self.cycle
        pause = LINGER_SECONDS if answered.more_body else self.timeout_keep_alive + HEADER_SECONDS
        self.deadline = monotonic() + pause
        super().on_response_complete()
        if self.cycle is not answered:
            # The next request had been sent already.
            self.deadline = None

    def send_400_response(self, msg: str) -> None:
        """Of a body that goes wrong after its answer was begun, nothing more can be said."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.cut_off()

    def _unsupported_upgrade_warning(self) -> None:
        """Anybody may ask for another protocol; it is answered in this one, without a line."""

    @property
    def is_waiting(self) -> bool:
        """For the client: to send a request, or the rest of one."""
        return self.deadline is not None or self.cycle.more_body

    def cut_off(self) -> None:
        self.transport.abort()


def cut_off_late() -> None:
    """Those whose time is over; called every second."""
    now = monotonic()
    for connection in list(GuardedProtocol.connections_open):
        if connection.deadline is not None and connection.deadline < now:
            connection.cut_off()


def make_room_for(new: GuardedProtocol) -> None:
    """Beyond the most that is held open, the one that has kept us waiting for longest goes."""
    connections = GuardedProtocol.connections_open
    same = (
        [one for one in connections if one.client and one.client[0] == new.client[0]]
        if (new.client and not GuardedProtocol.is_behind_proxy)
        else []
    )
    if len(connections) > MOST_CONNECTIONS:
        _cut_off_longest(list(connections))
    elif len(same) > MOST_PER_ADDRESS:
        _cut_off_longest(same)


def _cut_off_longest(connections: list[GuardedProtocol]) -> None:
    waiting = (one for one in connections if one.is_waiting)
    next(waiting, connections[-1]).cut_off()
