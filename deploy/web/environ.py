"""An ASGI scope as the environment that WSGI asks for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, MutableMapping
from typing import IO, Any
from urllib.parse import unquote_to_bytes, urlsplit

Scope = MutableMapping[str, Any]
Environ = dict[str, Any]
LONGEST_PATH = 200
UNPREFIXED = {"CONTENT_LENGTH", "CONTENT_TYPE"}


class NoTarget(Exception):
    """What was asked for is no address."""


def name_of(environ: Environ) -> str:
    """A request in a line of the log, which a visitor can neither break nor fill."""
    path = repr(environ["PATH_INFO"][:LONGEST_PATH])[:LONGEST_PATH]
    return f"{environ['REQUEST_METHOD'][:20]} {path}"


def environ_of(scope: Scope, body: IO[bytes]) -> Environ:
    host, port = scope["server"] or ("localhost", 80)
    return {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": _path_of(scope["raw_path"]),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        # Who really called. Whom a proxy speaks for is the product's to decide (PROXIES).
        "REMOTE_ADDR": (scope["client"] or ("", 0))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **_headers_of(scope["headers"]),
    }


def _path_of(raw: bytes) -> str:
    """The path as its bytes; a proxy's way to ask names scheme and host before it."""
    if not raw.startswith(b"/"):
        try:
            raw = urlsplit(raw).path or b"/"
        except ValueError as error:
            raise NoTarget(raw) from error
    return unquote_to_bytes(raw).decode("latin-1")


def _headers_of(headers: Iterable[tuple[bytes, bytes]]) -> Environ:
    found: dict[str, list[str]] = {}
    for name, value in headers:
        # X_Forwarded_For would pass for X-Forwarded-For, which proxies have cleaned.
        if b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in UNPREFIXED else f"HTTP_{key}"
        found.setdefault(key, []).append(value.decode("latin-1"))
    return {
        key: ("; " if key == "HTTP_COOKIE" else ",").join(values) for key, values in found.items()
    }
