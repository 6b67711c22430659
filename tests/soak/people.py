"""Who works at the same time: authors in the studio, workers at the marketplace, readers."""

from __future__ import annotations

import json
import random
import re
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.crowd_load import frame_of
from tests.soak.load import Load, Span
from tests.soak.log import Log, Promises
from tests.soak.visitor import GaveUp, Visitor

FEED_EVERY = 2.0
UNITS_AT_ONCE = 4
WORDS = "dam river town council flood night bridge rain police road ferry coast".split()  # noqa: SIM905
STATE = re.compile(r'<script id="studio-state" type="application/json">(.*?)</script>', re.DOTALL)
STATEMENT = re.compile(r'name="(s\d+)"')
IN_HAND = "/work/assignments/"


@dataclass
class Place:
    """The server and what was seeded there; what is seen and promised; when it is over."""

    base_url: str
    seeded: Mapping[str, Any]
    load: Load
    log: Log = field(default_factory=Log)
    promises: Promises = field(default_factory=Promises)
    over: threading.Event = field(default_factory=threading.Event)

    def visitor(self, session: str) -> Visitor:
        return Visitor(self.base_url, session, self.log)

    @property
    def pages(self) -> str:
        return f"/p/{self.seeded['project']}/"

    @property
    def api(self) -> str:
        return f"/api/v1/projects/{self.seeded['project']}/"


class Person(ABC):
    """Does the same again and again, with pauses; without any when it is to be measured alone."""

    def __init__(self, place: Place, session: str, number: int, *, hurried: bool = False) -> None:
        self.place, self.number, self.hurried = place, number, hurried
        self.visitor = place.visitor(session)
        self.rng = random.Random(place.load.seed + 1000 * number)

    @abstractmethod
    def act(self) -> None:
        """One round."""

    def live(self) -> None:
        """Until it is over. Whatever was begun is brought to its end."""
        try:
            while not self.place.over.is_set():
                self.act()
        except (GaveUp, ValueError, KeyError, AttributeError) as error:
            self.place.promises.broken.append(f"{type(self).__name__} {self.number}: {error!r}")

    def pause(self, span: Span) -> None:
        if not self.hurried:
            self.place.over.wait(self.rng.uniform(*span))


class Author(Person):
    """Writes units as the studio's page does: opened, typed, saved, linted; others' changes read.

    Every second one shares examples with the one before, so that the feed has something to tell.
    """

    def __init__(self, place: Place, session: str, number: int, **kwargs: bool) -> None:
        super().__init__(place, session, number, **kwargs)
        self.at = number // 2
        self.last = 0

    def act(self) -> None:
        examples = self.place.seeded["examples"]
        example = examples[self.at % len(examples)]
        self.at += self.place.load.authors
        set_id = self.place.seeded["draft"]
        page = self.visitor.open(
            "studio: open", f"{self.place.pages}units/{set_id}/examples/{example}/"
        )
        state = read_state(page)
        self.last = state["change"]
        self.url = f"{self.place.api}unit-sets/{set_id}/examples/{example}/"
        for _ in range(1 if self.hurried else UNITS_AT_ONCE):
            if not self.place.over.is_set():
                self._write(state["references"][0])

    def _write(self, reference: dict[str, Any]) -> None:
        """One unit: a first save, and two more while it is typed on."""
        sentence = self.rng.choice(reference["sentences"])
        spans = [{"reference": reference["id"], "start": sentence["start"], "end": sentence["end"]}]
        text = self._words(4)
        made = {"action": "create", "unit": "new", "text": text, "spans": spans}
        unit = self._save("create", made)
        for _ in range(2):
            self._think()
            text = f"{text[:-1]} {self._words(2)}"
            self.visitor.call(
                "studio: lint", f"{self.url}lint/", {"text": text, "unit": unit["id"]}
            )
            change = {"action": "update", "unit": unit["id"], "revision": unit["revision"]}
            unit = self._save("update", {**change, "text": text, "seconds": 2.0})
        self._think()

    def _words(self, count: int) -> str:
        return " ".join(self.rng.choices(WORDS, k=count)).capitalize() + "."

    def _save(self, action: str, change: dict[str, Any]) -> dict[str, Any]:
        """Sent again under the same name until it is answered, as the studio does."""
        op = str(uuid.uuid4())
        body = {"op": op, "action": action, "changes": [change]}
        answer = self.visitor.call("studio: save", f"{self.url}ops/", body)
        # A new one has the highest number; one that it pushes on may be told of besides.
        key = change["unit"] if action == "update" else max(map(int, answer["change"]["units"]))
        unit = answer["change"]["units"][str(key)]
        self.place.promises.units[unit["id"]] = (unit["text"], unit["revision"])
        self.place.promises.ops.append(op)
        saved: dict[str, Any] = unit
        return saved

    def _think(self) -> None:
        """Meanwhile the page asks what others do."""
        until = time.monotonic() + (
            0 if self.hurried else self.rng.uniform(*self.place.load.saving)
        )
        while True:
            answer = self.visitor.call("studio: feed", f"{self.url}changes/?after={self.last}")
            self.last = answer["changes"][-1]["id"] if answer["changes"] else self.last
            left = until - time.monotonic()
            if left <= 0 or self.place.over.wait(min(left, FEED_EVERY)):
                return


def read_state(page: str) -> dict[str, Any]:
    found = STATE.search(page)
    if found is None:
        raise ValueError(f"the studio's page holds no state: {page[:200]}")
    state: dict[str, Any] = json.loads(found[1])
    return state


class Worker(Person):
    """Takes a HIT, looks at it, answers, submits, and goes on to the next."""

    def __init__(self, place: Place, session: str, number: int, **kwargs: bool) -> None:
        super().__init__(place, session, number, **kwargs)
        self.here = ""

    def act(self) -> None:
        if not self.here.startswith(IN_HAND):
            self.pause((1, 3))
            self.here = self._accept()
            return
        page = self.visitor.open("work: page", self.here)
        task = self.visitor.open("work: task", frame_of(page))
        self.pause(self.place.load.judging)
        self._submit(sorted(set(STATEMENT.findall(task))))
        if not self.place.over.is_set():
            path = f"{self.here}go-on/"
            _, self.here = self.visitor.send_form("work: go on", path, {"next": "on"})

    def _accept(self) -> str:
        self.visitor.open("work: list", "/work/")
        start = f"/work/types/{self.place.seeded['hit_type']}/next/"
        return self.visitor.send_form("work: accept", start, {})[1]

    def _submit(self, statements: Sequence[str]) -> None:
        """What is in hand is submitted even when all others have gone home."""
        assignment = self.here.split("/")[3]
        answers = {name: self.rng.choice(["present", "absent"]) for name in statements}
        fields = {"assignmentId": assignment, "giza_seconds": "20", **answers}
        path = "/mturk/externalSubmit"
        status, _ = self.visitor.send_form("work: submit", path, fields, signed_in=False)
        if status == 200:
            self.place.promises.submitted.append(assignment)


class Reader(Person):
    """Opens pages here and there, and lets some of them ask for news."""

    def act(self) -> None:
        kind = self.rng.choice(list(list_pages(self.place, self.rng)))
        self.read(kind)
        self.pause(self.place.load.reading)

    def read(self, kind: str) -> None:
        self.visitor.open(kind, list_pages(self.place, self.rng)[kind])


def list_pages(place: Place, rng: random.Random) -> dict[str, str]:
    """A page of each kind, by kind."""
    seeded, here = place.seeded, place.pages
    word = rng.choice(["ka", "mo", "ri", "te"])
    return {
        "page: projects": "/",
        "page: overview": here,
        "page: examples": f"{here}examples/?page={rng.randint(1, 2)}",
        "page: search": f"{here}examples/?q={word}&where=reference",
        "page: example": f"{here}examples/{rng.choice(seeded['examples'])}/",
        "page: units": f"{here}units/{seeded['frozen']}/",
        "page: campaign": f"{here}crowd/{seeded['campaign']}/",
        "page: jobs": f"{here}jobs/",
        "page: gold": f"{here}gold/",
        "page: what if": "/p/demo/gold/what-if/?summary=on",
        "poll: jobs": f"{place.api}jobs/",
        "poll: campaign": f"{place.api}campaigns/{seeded['campaign']}/",
    }
