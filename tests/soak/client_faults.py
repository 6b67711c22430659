"""Faults that come over the network: slow clients, a webhook that drips, clients in a hurry."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from tests.soak.people import Place, Worker
from tests.soak.stage import Stage

TRICKLING = 200
DRIP_EVERY = 3.0
# Answers are collected once a minute, and paid then.
MOST_UNTIL_PAID = 120.0
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = (
    b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)
REWARDS = "SELECT count(*) FROM crowd_marketentry WHERE kind = 'reward'"
NOTIFY = """
from annotation.crowd.models import MarketHitType
print(MarketHitType.objects.filter(hit_type_id={kind!r}).update(
    notification={notification!r}, notification_active={active}))
"""


def trickle(stage: Stage) -> None:
    """Connections that send a byte a second: half of them headers, half of them bodies."""
    address = urlsplit(stage.place.base_url)
    with contextlib.ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection((address.hostname or "", address.port)))
            for _ in range(TRICKLING)
        ]
        for number, line in enumerate(lines):
            line.sendall(BODY if number % 2 else HEAD)
        until = time.monotonic() + stage.length
        while time.monotonic() < until and not stage.place.over.wait(1.0):
            lines = [line for line in lines if _send_byte(line)]
    stage.seen.append(f"{TRICKLING - len(lines)} of {TRICKLING} slow connections were closed")


def _send_byte(line: socket.socket) -> bool:
    try:
        line.sendall(b"a")
    except OSError:
        return False
    return True


class Dripping:
    """A web server that answers each request with a byte every three seconds, without an end."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.requests = 0
        self.over = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/"

    def close(self) -> None:
        self.over.set()
        self.listener.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):  # closed at the end
            while True:
                line, _ = self.listener.accept()
                self.requests += 1
                threading.Thread(target=self._drip, args=[line], daemon=True).start()

    def _drip(self, line: socket.socket) -> None:
        with line, contextlib.suppress(OSError):
            line.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not self.over.wait(DRIP_EVERY):
                line.sendall(b"a")


@contextlib.contextmanager
def subscribed(stage: Stage) -> Iterator[Dripping]:
    """The campaign's events go to a dripping server."""
    server = Dripping()
    notification = {
        "Destination": server.address,
        "Transport": "SQS",
        "Version": "2014-08-15",
        "EventTypes": ["AssignmentSubmitted", "AssignmentAccepted"],
    }
    kind = stage.place.seeded["hit_type"]
    try:
        stage.lab.manage(
            "shell", "-c", NOTIFY.format(kind=kind, notification=notification, active=True)
        )
        yield server
    finally:
        server.close()
        stage.lab.manage("shell", "-c", NOTIFY.format(kind=kind, notification={}, active=False))


def drip(stage: Stage) -> None:
    """While deliveries hang, workers are paid as before."""
    with subscribed(stage) as server:
        begun, paid = time.monotonic(), stage.count(REWARDS)
        stage.hold()
        while stage.count(REWARDS) <= paid and not stage.place.over.wait(0.5):
            if time.monotonic() - begun > MOST_UNTIL_PAID:
                stage.wrong.append(f"nobody was paid for {MOST_UNTIL_PAID:g} s")
                return
        stage.seen.append(f"{stage.count(REWARDS) - paid} paid meanwhile")
        stage.seen.append(f"{server.requests} deliveries were tried")
        if not server.requests:
            stage.wrong.append("nothing was sent to the webhook")


def publish_at_once(stage: Stage) -> None:
    """Every draft by a client of its own, and each has to be live."""
    drafts = stage.place.seeded["drafts"]
    threads = [threading.Thread(target=_publish, args=[stage, pk]) for pk in drafts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stage.seen.append(f"{len(drafts)} campaigns published")


def _publish(stage: Stage, pk: int) -> None:
    place = stage.place
    visitor = place.visitor(place.seeded["owner"])
    here = f"{place.api}campaigns/{pk}/"
    visitor.call("job: publish", f"{here}publish/", {})
    until = time.monotonic() + MOST_UNTIL_PAID
    while visitor.call("poll: campaign", here)["state"] != "live":
        if time.monotonic() > until:
            stage.wrong.append(f"campaign {pk} isn't live after {MOST_UNTIL_PAID:g} s")
            return
        time.sleep(place.load.polling)


class Doubler(Worker):
    """A worker whose browser sends each answer twice at the same moment."""

    def __init__(self, place: Place, session: str, number: int) -> None:
        super().__init__(place, session, number, hurried=True)
        self.statuses: list[tuple[int, ...]] = []

    def _submit(self, statements: Sequence[str]) -> None:
        assignment = self.here.split("/")[3]
        answers = {name: self.rng.choice(["present", "absent"]) for name in statements}
        fields = {"assignmentId": assignment, "giza_seconds": "20", **answers}
        together, found = threading.Barrier(2), list[int]()

        def send() -> None:
            visitor = self.place.visitor("")
            together.wait()
            path = "/mturk/externalSubmit"
            found.append(visitor.send_form("work: submit", path, fields, signed_in=False)[0])

        threads = [threading.Thread(target=send) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.statuses.append(tuple(found))
        self.place.promises.submitted.append(assignment)


def submit_twice(stage: Stage) -> None:
    """Each doubler does three HITs: accept, then answer twice at once."""
    people = [
        Doubler(stage.place, session, number)
        for number, session in enumerate(stage.place.seeded["doublers"])
    ]
    for person in people:
        for _ in range(3):
            person.here = ""
            person.act()
            person.act()
    pairs = [pair for person in people for pair in person.statuses]
    stage.seen.append(f"{len(pairs)} pairs, answered {json.dumps(sorted(set(pairs)))}")
    if set(pairs) != {(200, 200)}:
        stage.wrong.append(f"pairs were answered {sorted(set(pairs))}")
