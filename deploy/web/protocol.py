"""Connections of clients, which are cut off when nothing whole comes of them in time."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from deploy.web.bridge import CUT_OFF
from deploy.web.pace import HEADER_SECONDS

# How long an answered client may take to send the rest of what it was told is too much.
LINGER_SECONDS = 10.0
MOST_CONNECTIONS = 3000
MOST_PER_ADDRESS = 1000


class GuardedProtocol(H11Protocol):
    """uvicorn's, with a time by which the header of the next request must be whole."""

    # Those of this process, the oldest first.
    connections_open: ClassVar[dict[GuardedProtocol, None]] = {}
    # Behind a proxy all come from its address.
    is_behind_proxy: ClassVar[bool] = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
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
