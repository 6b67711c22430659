"""Many workers at once over HTTP, in Giza's marketplace or in Turkle: accept, open, submit, go on.

`python -m tests.crowd_load` reads a plan from standard input and prints what happened as JSON. It
walks as a browser with full caches does: the page, the frame in it, the form of the frame.
"""

from __future__ import annotations

import html
import http.client
import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

CSRF = "c" * 32
TIMEOUT = 600
FRAME = re.compile(r'<iframe[^>]*?\ssrc="([^"]+)"', re.DOTALL)


class Reply(NamedTuple):
    status: int
    location: str
    body: str


@dataclass
class Plan:
    """Where the server is, whose sessions work there, and where accepting begins."""

    kind: str
    base_url: str
    start: str
    sessions: list[str]
    statements: int = 10


@dataclass
class Tally:
    """What all workers saw together."""

    pairs: int = 0
    seconds: float = 0.0
    statuses: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


class Browser:
    """One worker's browser: a connection that is kept, a session, a CSRF token."""

    def __init__(self, base_url: str, session: str) -> None:
        address = urlsplit(base_url)
        self.connection = http.client.HTTPConnection(
            address.hostname or "", address.port, timeout=TIMEOUT
        )
        self.cookies = f"sessionid={session}; csrftoken={CSRF}"
        self.statuses: Counter[str] = Counter()
        self.faults: list[str] = []

    def get(self, path: str) -> Reply:
        return self._send("GET", path, None, {"Cookie": self.cookies})

    def post(self, path: str, fields: Mapping[str, str], *, signed_in: bool = True) -> Reply:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if signed_in:
            headers |= {"Cookie": self.cookies, "X-CSRFToken": CSRF}
        return self._send("POST", path, urlencode(fields), headers)

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Reply:
        status, location, data = self.exchange(method, path, body, headers)
        text = data.decode()
        self.statuses[str(status)] += 1
        if status >= 500 or "database is locked" in text or "is busy" in text:
            self.faults.append(f"{method} {path}: {status} {text[:300]}")
        return Reply(status, location, text)

    def exchange(
        self, method: str, path: str, body: str | bytes | None, headers: dict[str, str]
    ) -> tuple[int, str, bytes]:
        """Status, where it leads, and what came."""
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        data = response.read()
        return response.status, response.headers.get("Location", ""), data


def frame_of(page: str) -> str:
    found = FRAME.search(page)
    return html.unescape(found[1]) if found else ""


def answers(count: int) -> dict[str, str]:
    return {f"s{number}": "present" if number % 3 else "absent" for number in range(count)}


def work_in_giza(browser: Browser, plan: Plan) -> int:
    pairs = 0
    here = browser.post(plan.start, {}).location
    while here.startswith("/work/assignments/"):
        browser.get(frame_of(browser.get(here).body))
        fields = {"assignmentId": here.split("/")[3], **answers(plan.statements)}
        if browser.post("/mturk/externalSubmit", fields, signed_in=False).status == 200:
            pairs += 1
        here = browser.post(f"{here}go-on/", {"next": "on"}).location
    return pairs


def work_in_turkle(browser: Browser, plan: Plan) -> int:
    pairs = 0
    here = browser.get(plan.start).location
    while here.startswith("/task/"):
        browser.get(frame_of(browser.get(here).body))
        if browser.post(here, answers(plan.statements)).status == 302:
            pairs += 1
        here = browser.get(plan.start).location
    return pairs


WALKS: dict[str, Callable[[Browser, Plan], int]] = {
    "giza": work_in_giza,
    "turkle": work_in_turkle,
}


def run(plan: Plan) -> Tally:
    """Everybody at once, until nothing is left for anybody."""
    tally, counts, lock = Tally(), Counter[str](), threading.Lock()
    starting = threading.Barrier(len(plan.sessions) + 1)

    def work(session: str) -> None:
        browser = Browser(plan.base_url, session)
        starting.wait()
        try:
            pairs = WALKS[plan.kind](browser, plan)
        except (OSError, http.client.HTTPException) as error:
            pairs = 0
            browser.faults.append(repr(error))
        with lock:
            tally.pairs += pairs
            tally.faults += browser.faults
            counts.update(browser.statuses)

    threads = [threading.Thread(target=work, args=[session]) for session in plan.sessions]
    for thread in threads:
        thread.start()
    starting.wait()
    begun = time.monotonic()
    for thread in threads:
        thread.join()
    tally.seconds = time.monotonic() - begun
    tally.statuses = dict(counts)
    return tally


if __name__ == "__main__":
    print(json.dumps(asdict(run(Plan(**json.load(sys.stdin))))))
