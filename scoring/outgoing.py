"""Requests to servers elsewhere, bounded in time, in bytes and in where they may go.

A timeout of a socket starts again with each byte, so that a server that drips one now and then is
never too slow for it. Here the whole exchange has one deadline: name, connection, TLS, request and
answer. When it has passed, the connection is cut from outside. Redirects are never followed, and
a connection goes to the very address that was checked, whatever the name resolves to later.
"""

from __future__ import annotations

import http.client
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from scoring.translation import gettext as _

logger = logging.getLogger(__name__)

# No server is waited for longer than this until it takes the connection.
CONNECT_SECONDS = 5.0
CUT_EVERY = 0.1


class OutgoingError(OSError):
    """There is no answer; says why."""


class NotSent(OutgoingError):
    """The request did not reach the server."""


class NoReply(OutgoingError):
    """The request may have reached the server; no whole answer came in time."""


class Deadline:
    """A moment by which something must be over."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds

    @property
    def has_passed(self) -> bool:
        return time.monotonic() >= self._ends

    def left(self) -> float:
        """More than zero, which a socket would take as: don't wait at all."""
        return max(self._ends - time.monotonic(), 0.001)


class Cutoff:
    """Cuts a connection off when its deadline has passed, until somebody stops it."""

    def __init__(self, find_socket: Callable[[], socket.socket | None], deadline: Deadline) -> None:
        self._find_socket = find_socket
        self._deadline = deadline
        self._over = threading.Event()
        threading.Thread(target=self._watch, name="deadline", daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def _watch(self) -> None:
        pause = self._deadline.left()
        while not self._over.wait(pause):
            pause = CUT_EVERY
            found = self._find_socket()
            if found is not None:
                with suppress(OSError):
                    # Not the method of an SSL socket: that one changes what a reader is using.
                    socket.socket.shutdown(found, socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class Bounds:
    """`is_public_only` for addresses that somebody else chose: nothing inside this network."""

    seconds: float
    most_bytes: int
    is_public_only: bool = False


def exchange(
    method: str, url: str, bounds: Bounds, headers: Mapping[str, str], body: bytes | None = None
) -> Reply:
    """Send one request and read its answer, whatever its status."""
    deadline = Deadline(bounds.seconds)
    parts = urlsplit(url)
    # The host only: paths and queries of others hold keys.
    logger.debug("%s to %s", method, parts.hostname)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _make_connection(parts, bounds, deadline)
    # The connection forgets its socket when the answer is to close it, and reads on from it.
    opened: list[socket.socket] = []
    cutoff = Cutoff(lambda: opened[0] if opened else connection.sock, deadline)
    try:
        with _naming(NotSent, deadline):
            connection.connect()
            opened.append(connection.sock)
        with _naming(NoReply, deadline):
            connection.request(method, target, body, dict(headers))
            reply = _read(connection.getresponse(), bounds)
            if deadline.has_passed:
                # Cut off, it looks like an answer that came to its end.
                raise NoReply(_too_late(deadline))
            return reply
    finally:
        cutoff.stop()
        connection.close()


@contextmanager
def _naming(kind: type[OutgoingError], deadline: Deadline) -> Iterator[None]:
    try:
        yield
    except OutgoingError:
        raise
    except (OSError, http.client.HTTPException, ValueError) as error:
        if deadline.has_passed:
            raise kind(_too_late(deadline)) from error
        raise kind(str(error) or type(error).__name__) from error


def _too_late(deadline: Deadline) -> str:
    return _("no complete answer within {seconds:g} s").format(seconds=deadline.seconds)


def _read(response: http.client.HTTPResponse, bounds: Bounds) -> Reply:
    content = response.read(bounds.most_bytes + 1)
    if len(content) > bounds.most_bytes:
        raise NoReply(
            _("the answer is larger than {most_bytes:,} bytes").format(most_bytes=bounds.most_bytes)
        )
    if response.length:
        raise http.client.IncompleteRead(content, response.length)
    return Reply(response.status, dict(response.headers.items()), content)


def _make_connection(
    parts: SplitResult, bounds: Bounds, deadline: Deadline
) -> http.client.HTTPConnection:
    host = parts.hostname or ""
    is_secure = parts.scheme == "https"
    port = parts.port or (443 if is_secure else 80)
    proxy = None if bounds.is_public_only else _find_proxy(parts.scheme, host)
    first = (proxy.hostname or "", proxy.port or 3128) if proxy else (host, port)
    connection: http.client.HTTPConnection
    if is_secure:
        connection = http.client.HTTPSConnection(*first, context=ssl.create_default_context())
    else:
        connection = http.client.HTTPConnection(*first)
    if proxy:
        connection.set_tunnel(host, port)
    # http.client has this one seam: how it opens its socket.
    connection._create_connection = (  # type: ignore[attr-defined]
        lambda address, *__: _connect(address[0], address[1], bounds, deadline)
    )
    return connection


def _find_proxy(scheme: str, host: str) -> SplitResult | None:
    """HTTPS_PROXY, as other programs of this machine use it."""
    address = getproxies().get(scheme) if scheme == "https" else None
    return urlsplit(address) if address and not proxy_bypass(host) else None


def _connect(host: str, port: int, bounds: Bounds, deadline: Deadline) -> socket.socket:
    """Connected to an address that was checked; what follows has the time that is left."""
    failure: OSError | None = None
    for address in _look_up(host, port, bounds, deadline):
        try:
            made = socket.create_connection((address, port), min(CONNECT_SECONDS, deadline.left()))
        except OSError as error:
            failure = error
            continue
        made.settimeout(deadline.left())
        return made
    raise NotSent(str(failure) or _("{host} has no address").format(host=host))


def _look_up(host: str, port: int, bounds: Bounds, deadline: Deadline) -> list[str]:
    """All addresses of a name. One inside this network spoils the name."""
    found: Future[list[str]] = Future()
    threading.Thread(target=_resolve, args=(host, port, found), name="names", daemon=True).start()
    try:
        addresses = found.result(timeout=deadline.left())
    except TimeoutError:
        raise NotSent(
            _("{host} was not resolved within {seconds:g} s").format(
                host=host, seconds=deadline.seconds
            )
        ) from None
    inside = [address for address in addresses if not is_public(address)]
    if inside and bounds.is_public_only:
        raise NotSent(
            _("{host} is an address inside this network ({inside})").format(
                host=host, inside=inside[0]
            )
        )
    return addresses


def _resolve(host: str, port: int, found: Future[list[str]]) -> None:
    """In a thread of its own: nothing else bounds the wait for a name server."""
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found.set_result(list(dict.fromkeys(str(row[4][0]) for row in rows)))
    except (OSError, UnicodeError) as error:
        found.set_exception(
            NotSent(_("{host} can't be found: {error}").format(host=host, error=error))
        )


def is_public(text: str) -> bool:
    """Whether an address is outside, also where an IPv6 address carries one of IPv4."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.is_site_local or any(address in network for network in CARRYING):
            return False
        carried = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in NAT64:
            carried.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if not all(inner.is_global for inner in carried if inner is not None):
            return False
    return address.is_global and not address.is_multicast


# IPv4 addresses in forms that nobody outside is reached by.
CARRYING = (ipaddress.IPv6Network("::/96"), ipaddress.IPv6Network("::ffff:0:0:0/96"))
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
