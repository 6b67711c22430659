"""Clients that send or read a byte a second, and come back when they are cut off."""

from __future__ import annotations

import contextlib
import http.client
import socket
import statistics
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

TICK = 1.0
# The largest file that everybody may read.
LARGE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"


def begin_header(port: int) -> bytes:
    return b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


def begin_body(port: int) -> bytes:
    return (
        b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\ncsrf="
    )


def begin_reading(port: int) -> bytes:
    return f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


KINDS = {"header": begin_header, "body": begin_body, "reader": begin_reading}


@dataclass
class SlowClients:
    """`number` of each kind, from entering to leaving."""

    port: int
    number: int
    kinds: tuple[str, ...] = tuple(KINDS)
    cut_off: int = 0
    _sockets: list[tuple[str, socket.socket | None]] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._sockets = [(kind, None) for kind in self.kinds for _ in range(self.number)]
        self._step()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        for _, one in self._sockets:
            if one is not None:
                one.close()

    def _run(self) -> None:
        while not self._stop.wait(TICK):
            self._step()

    def _step(self) -> None:
        self._sockets = [(kind, self._keep_up(kind, one)) for kind, one in self._sockets]

    def _keep_up(self, kind: str, one: socket.socket | None) -> socket.socket | None:
        if one is None:
            return self._begin(kind)
        try:
            if kind == "reader":
                is_open = bool(one.recv(1))
            else:
                is_open = one.send(b"x") == 1 and not _is_closed(one)
        except BlockingIOError:
            return one
        except OSError:
            is_open = False
        if not is_open:
            self.cut_off += 1
            one.close()
            return self._begin(kind)
        return one

    def _begin(self, kind: str) -> socket.socket | None:
        one = socket.socket()
        if kind == "reader":
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.settimeout(1)
        try:
            one.connect(("127.0.0.1", self.port))
            one.sendall(KINDS[kind](self.port))
        except OSError:  # its backlog is full: tried again at the next tick
            one.close()
            return None
        one.setblocking(False)
        return one


def _is_closed(one: socket.socket) -> bool:
    """Whether the server has ended the connection, or said that it will."""
    with contextlib.suppress(BlockingIOError):
        return one.recv(1, socket.MSG_PEEK) in (b"", b"H")
    return False


def visit(port: int, seconds: float, path: str = "/sign-in/") -> list[float]:
    """How long pages take, one after another, each on a connection of its own; inf for none."""
    times = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.perf_counter()
        times.append(time.perf_counter() - begun if _get(port, path) else float("inf"))
    return times


def _get(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
