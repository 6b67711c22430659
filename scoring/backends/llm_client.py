"""Requests to a chat endpoint: paced, bounded in time and bytes, with a key that stays outside."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from scoring.errors import InputError
from scoring.judge.llm.endpoints import Endpoint
from scoring.outgoing import Bounds, Reply, exchange
from scoring.translation import gettext as _

PATH = "/chat/completions"
MOST_BYTES = 16_000_000
MOST_SAID = 200  # characters of an endpoint's message that are shown
PART = 6  # as many characters of a key are not shown
_PAUSE = 0.5  # seconds before a call is repeated for the first time, then twice as long each time


class ChatClient:
    """Sends bodies of requests. Reads the key from the environment for each, and keeps none."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._url = endpoint.url.rstrip("/") + PATH
        self._bounds = Bounds(float(endpoint.seconds), MOST_BYTES)
        self._key()

    def send(self, body: bytes) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := self._key():
            headers["Authorization"] = "Bearer " + key
        return exchange("POST", self._url, self._bounds, headers, body)

    def explain(self, reply: Reply) -> str:
        """What an endpoint says of its refusal; nothing if a part of the key is in it."""
        try:
            error = json.loads(reply.content)["error"]
            said = error["message"] if isinstance(error, dict) else error
        except (ValueError, LookupError, TypeError, RecursionError):
            return ""
        if not isinstance(said, str):
            return ""
        key = self._key()
        parts = {key[i : i + PART] for i in range(max(len(key) - PART, 0) + 1)} - {""}
        if any(part in said for part in parts):
            return ""
        return "".join(c if c.isprintable() else " " for c in said)[:MOST_SAID].strip()

    def _key(self) -> str:
        variable = self._endpoint.key_variable
        if not variable:
            return ""
        key = os.environ.get(variable, "").strip()
        if not key:
            raise InputError(
                _("Endpoint '{endpoint}' needs a key. Set {variable} in the environment.").format(
                    endpoint=self._endpoint.name, variable=variable
                )
            )
        if not key.isascii() or not key.isprintable():
            raise InputError(
                _("{variable} has characters that no key has.").format(variable=variable)
            )
        return key


class Pace:
    """Starts of requests: so many per minute, a few at once, and none before a moment.

    What several threads are told to wait for, all of them wait for.
    """

    def __init__(
        self,
        per_minute: int,
        burst: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self.stopped = threading.Event()
        self._interval = 60 / per_minute
        self._slack = self._interval * (min(burst, per_minute) - 1)
        self._clock = clock
        self._sleep = sleep or self.stopped.wait
        self._lock = threading.Lock()
        self._free = clock()
        self._not_before = clock()

    def wait(self) -> None:
        """Until the next request may start, or nobody wants it any longer."""
        with self._lock:
            start = max(self._free, self._clock() - self._slack)
            self._free = start + self._interval
        while not self.stopped.is_set():
            with self._lock:
                pause = max(start, self._not_before) - self._clock()
            if pause <= 0:
                return
            self._sleep(pause)

    def pause(self, seconds: float) -> None:
        """No request starts before so many seconds have passed."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)


def pause_after(attempt: int, longest: float) -> float:
    """Seconds before a call is repeated, where the endpoint doesn't say."""
    return min(_PAUSE * 2.0 ** min(attempt, 20), longest)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `Retry-After`: a number, or a date by the endpoint's own clock."""
    named = {name.lower(): value.strip() for name, value in headers.items()}
    said = named.get("retry-after", "")
    if said.isascii() and said.isdecimal() and len(said) < 10:
        return float(said)
    until = _read_date(said)
    if until is None:
        return None
    now = _read_date(named.get("date", "")) or datetime.now(UTC)
    return max((until - now).total_seconds(), 0.0)


def _read_date(said: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(said)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
