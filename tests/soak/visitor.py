"""A browser that notes how long each answer took, and comes back when the server was away."""

from __future__ import annotations

import http.client
import json
import select
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.crowd_load import CSRF, Browser
from tests.soak.log import Answer, Log, Loss

# As the studio does it: half a second, then twice as long each time, at most ten.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
PATIENCE = 90.0
FORM = "application/x-www-form-urlencoded"


class GaveUp(Exception):
    """The server was away for longer than anybody waits."""


class Visitor(Browser):
    """One person's browser. `kind` is the row of the table that a request counts in."""

    def __init__(self, base_url: str, session: str, log: Log) -> None:
        super().__init__(base_url, session)
        self.log = log
        self.headers = {"Cookie": self.cookies, "X-CSRFToken": CSRF}

    def open(self, kind: str, address: str) -> str:
        """A page or a frame, whoever names its address."""
        parts = urlsplit(address)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        return self.ask(kind, "GET", path)[2].decode()

    def send_form(
        self, kind: str, path: str, fields: Mapping[str, str], *, signed_in: bool = True
    ) -> tuple[int, str]:
        """Status, and where it leads."""
        own = self.headers if signed_in else {}
        headers = {**own, "Content-Type": FORM}
        status, location, _ = self.ask(kind, "POST", path, urlencode(fields), headers)
        return status, location

    def call(self, kind: str, path: str, body: Any = None) -> Any:
        """REST, as the pages' scripts call it."""
        headers = {**self.headers, "Accept": "application/json"}
        if body is None:
            status, _, data = self.ask(kind, "GET", path, None, headers)
        else:
            headers["Content-Type"] = "application/json"
            status, _, data = self.ask(kind, "POST", path, json.dumps(body), headers)
        if status >= http.client.BAD_REQUEST:
            raise ValueError(f"{path}: {status} {data[:300].decode(errors='replace')}")
        return json.loads(data)

    def ask(
        self,
        kind: str,
        method: str,
        path: str,
        body: str | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str, bytes]:
        """Ask until the server answers with something else than a fault of its own."""
        pause, deadline = FIRST_PAUSE, time.monotonic() + PATIENCE
        while True:
            found = self._try(kind, method, path, body, headers or self.headers)
            if found is not None and found[0] < http.client.INTERNAL_SERVER_ERROR:
                return found
            if time.monotonic() > deadline:
                raise GaveUp(f"{method} {path}: no answer for {PATIENCE:g} s")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _try(
        self, kind: str, method: str, path: str, body: str | bytes | None, headers: dict[str, str]
    ) -> tuple[int, str, bytes] | None:
        self._drop_if_closed()
        at, begun = self.log.now, time.monotonic()
        try:
            status, location, data = self.exchange(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            self.log.losses.append(Loss(at, kind, repr(error)))
            return None
        self.log.answers.append(Answer(at, kind, time.monotonic() - begun, status))
        if status >= http.client.BAD_REQUEST:
            said = data[:300].decode(errors="replace")
            self.log.faults.append(f"{at:.0f} s: {method} {path}: {status} {said}")
        return status, location, data

    def _drop_if_closed(self) -> None:
        """A server closes a line that was quiet for long. A browser sees that before it sends."""
        sock = self.connection.sock
        if sock is None:
            return
        # Not `select`, which can't look at a file descriptor above 1,023.
        line = select.poll()
        line.register(sock, select.POLLIN)
        if line.poll(0):
            self.connection.close()
