"""Headers that carry values: the only place that writes them, so that no value adds a directive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

POLICY = "Content-Security-Policy"
DIRECTIVE = re.compile(r"[a-z][a-z-]*")
# One keyword, hash, scheme or origin: what a policy separates by is not in it, nor is a wildcard.
SOURCE = re.compile(r"'[a-zA-Z0-9+/=-]+'|(https?|wss|data|blob):|https?://[a-zA-Z0-9.:/\[\]_-]+")
TOKENS = re.compile(r"[a-z-]+( [a-z-]+)*")


class UnsafeHeader(Exception):
    """A value that would change the header around it."""


def write_policy(directives: Mapping[str, Iterable[str]], *, sandbox: str = "") -> str:
    """A Content-Security-Policy with exactly these directives, each with exactly these sources."""
    parts = [f"sandbox {_check(TOKENS, sandbox)}"] if sandbox else []
    for name, sources in directives.items():
        checked = [_check(SOURCE, source) for source in sources]
        parts.append(" ".join([_check(DIRECTIVE, name), *(checked or ["'none'"])]))
    return "; ".join(parts)


def _check(pattern: re.Pattern[str], value: str) -> str:
    if not pattern.fullmatch(value):
        raise UnsafeHeader(f"{value!r} can't be part of a Content-Security-Policy")
    return value


def set_policy(response: HttpResponseBase, policy: str) -> None:
    response.headers[POLICY] = policy


def set_default_policy(response: HttpResponseBase, policy: str) -> None:
    """For pages that have none of their own."""
    response.headers.setdefault(POLICY, policy)


def attach_as(response: HttpResponseBase, name: str) -> None:
    """Have browsers save the response under this name, whatever characters it has."""
    value = content_disposition_header(as_attachment=True, filename=_plain(name))
    assert value is not None
    response.headers["Content-Disposition"] = value


def _plain(name: str) -> str:
    """Without what a header or a file system reads as something else."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f/\\\ud800-\udfff]", "-", name) or "download"
