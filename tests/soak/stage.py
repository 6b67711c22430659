"""What a fault works on, what it reports, and how its healing is measured."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.servers import Lab
from tests.soak.log import Log
from tests.soak.people import Place
from tests.soak.visitor import Visitor

# An answer that takes longer doesn't count as healed.
PROMPT = 1.0
MOST_HEALING = 180.0


class Probe(Visitor):
    """A client that a fault is meant to hit: nothing is retried, and nothing counts as load."""

    def __init__(self, place: Place, session: str) -> None:
        super().__init__(place.base_url, session, Log())

    def once(
        self,
        method: str,
        path: str,
        body: str | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str]:
        """Status and text; 0 if there was no answer."""
        found = self._try("probe", method, path, body, headers or self.headers)
        return (found[0], found[2].decode(errors="replace")) if found else (0, "")

    def is_prompt(self, path: str) -> bool:
        begun = time.monotonic()
        status, _ = self.once("GET", path)
        return status == http.client.OK and time.monotonic() - begun < PROMPT


@dataclass
class Stage:
    """The running lab. `hold` waits as long as the fault is to last."""

    lab: Lab
    place: Place
    length: float
    seen: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    # Holds once what the fault stopped goes on.
    heals: Callable[[], bool] = lambda: True

    def hold(self) -> None:
        self.place.over.wait(self.length)

    def probe(self, session: str = "") -> Probe:
        return Probe(self.place, session or self.place.seeded["owner"])

    @property
    def data_dir(self) -> Path:
        return Path(self.lab.environment["DATA_DIR"])

    @property
    def redis_socket(self) -> Path:
        address = self.lab.environment["CELERY_BROKER_URL"]
        return Path(address.removeprefix("redis+socket://").partition("?")[0])

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(self.lab.environment["DATABASE_URL"], autocommit=True)

    def count(self, statement: str, **values: Any) -> int:
        with self.connect() as database:
            row = database.execute(statement.encode(), values).fetchone()
        return int(row[0]) if row else 0


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault that happened: what was seen, what was wrong, and how long it took to heal."""

    name: str
    at: float
    lasted: float
    healed_after: float | None
    seen: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def end(self) -> float:
        return self.at + self.lasted + (self.healed_after or MOST_HEALING)

    def overlaps(self, begun: float, seconds: float) -> bool:
        return begun < self.end and begun + seconds > self.at


def strike(stage: Stage, name: str, act: Callable[[Stage], None]) -> Fault:
    """Let it happen, then wait until pages, REST and what it stopped answer as before."""
    clock = stage.place.log
    at = clock.now
    act(stage)
    over = clock.now
    healed = _wait_for_healing(stage)
    if healed is None:
        stage.wrong.append(f"has not healed within {MOST_HEALING:g} s")
    return Fault(name, at, over - at, healed, tuple(stage.seen), tuple(stage.wrong))


def _wait_for_healing(stage: Stage) -> float | None:
    begun = time.monotonic()
    probe = stage.probe()
    pages = ("/healthz", stage.place.pages, f"{stage.place.api}jobs/")
    while time.monotonic() - begun < MOST_HEALING:
        if stage.heals() and all(probe.is_prompt(path) for path in pages):
            return time.monotonic() - begun
        time.sleep(0.25)
    return None
