"""Servers that are slow on purpose: each drips a byte now and then, and never comes to an end."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from itertools import chain, repeat

HEAD = b"HTTP/1.1 200 OK\r\nX-Slow: "
# What is dripped, and then an "a" for ever.
BEGINNINGS = {
    "status line": b"",
    "header": HEAD,
    "body": b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
    "greeting": b"220-",
    # Answers that end with their connection.
    "body to the end": b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
    "old body": b"HTTP/1.0 200 OK\r\n\r\n",
    "last chunks": (
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n"
    ),
}


class Dripping:
    """Sends its beginning at once and then a byte every `pause` seconds, to each who calls."""

    def __init__(self, beginning: bytes = b"", pause: float = 0.05) -> None:
        self.beginning, self.pause = beginning, pause
        self.calls = 0
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def stop(self) -> None:
        self._over.set()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while not self._over.is_set():
                connection, _ = self._listener.accept()
                self.calls += 1
                threading.Thread(target=self._drip, args=(connection,), daemon=True).start()

    def _drip(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            for piece in chain([self.beginning], repeat(b"a")):
                if piece:
                    connection.sendall(piece)
                if self._over.wait(self.pause):
                    return


@contextlib.contextmanager
def dripping(beginning: bytes = b"", pause: float = 0.05) -> Iterator[Dripping]:
    server = Dripping(beginning, pause)
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def answering(reply: Callable[[bytes], bytes]) -> Iterator[int]:
    """A server that answers each connection's first bytes with these, and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, contextlib.suppress(OSError):
                    connection.sendall(reply(connection.recv(65_536)))

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()
