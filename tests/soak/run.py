"""One soak on a running lab: seed, warm up, measure alone, load with kills, drain, prove."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import psycopg

from tests.servers import ROOT, Lab, wait_until
from tests.soak.faults import cause
from tests.soak.kills import Kill, kill
from tests.soak.load import Load, Schedule, draw_schedule
from tests.soak.log import Answer
from tests.soak.memory import Memory, Trees, with_children
from tests.soak.people import Author, Person, Place, Reader, Worker, list_pages
from tests.soak.proof import Books, count_differing_files
from tests.soak.seed import describe, write_files
from tests.soak.staff import Staff
from tests.soak.stage import Fault
from tests.soak.visitor import GaveUp

HIT_TYPE = """
SELECT t.hit_type_id FROM crowd_campaign c JOIN crowd_hit h ON h.campaign_id = c.id
JOIN crowd_markethit m ON m.hit_id = h.provider_id
JOIN crowd_markethittype t ON t.id = m.hit_type_id
WHERE c.id = %s AND c.state = 'live' LIMIT 1
"""
LOOKS = 200
# On a machine that does much else; a quiet one needs seconds.
DRAIN_PATIENCE = 600.0


@dataclass
class Outcome:
    """All that was seen, for the table."""

    load: Load
    schedule: Schedule
    place: Place
    alone: list[Answer]
    memory: Memory
    books: Books
    kills: list[Kill] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    failed_jobs: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass
class Soak:
    """`others` are the processes that the lab does not start itself, by role."""

    lab: Lab
    load: Load
    folder: Path
    others: Mapping[str, list[psutil.Process]] = field(default_factory=dict)
    say: Callable[[str], None] = print
    threads: list[threading.Thread] = field(default_factory=list)

    def run(self) -> Outcome:
        started = time.monotonic()
        files = write_files(self.folder, self.load)
        place = self._seed(files["study"])
        owner = Staff(place)
        self.say("Warming up.")
        owner.warm_up(Path(files["warm"]))
        self.say("One client alone.")
        alone = measure_alone(place)
        outcome = Outcome(
            self.load,
            draw_schedule(self.load),
            place,
            alone,
            Memory(self._trees, lambda: place.log.now),
            Books(self.lab.environment["DATABASE_URL"], place.seeded, place.promises),
        )
        outcome.seconds["set-up"] = time.monotonic() - started
        self._load(outcome, Path(files["other"]))
        started = time.monotonic()
        self._drain(outcome)
        self._prove(outcome, Path(files["other"]))
        outcome.seconds["end"] = time.monotonic() - started
        return outcome

    def _seed(self, study: str) -> Place:
        self.say("Making people, a study and a campaign.")
        done = subprocess.run(
            [sys.executable, "-m", "tests.soak.seed"],
            cwd=ROOT,
            env=self.lab.environment,
            input=describe(self.load, study),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        seeded = json.loads(done.stdout.splitlines()[-1])
        seeded["hit_type"] = self._wait_for_hits(seeded["campaign"])
        return Place(self.lab.base_url, seeded, self.load)

    def _wait_for_hits(self, campaign: int) -> str:
        """Publishing is a job of the lab's workers."""
        found: list[tuple[Any, ...]] = []

        def is_live() -> bool:
            with psycopg.connect(self.lab.environment["DATABASE_URL"]) as database:
                found[:] = database.execute(HIT_TYPE.encode(), [campaign]).fetchall()
            return bool(found)

        wait_until(is_live, "the campaign is published")
        return str(found[0][0])

    def _trees(self) -> Trees:
        ours = {
            "web": [psutil.Process(self.lab.parts["web"].process.pid)],
            "workers": [
                psutil.Process(part.process.pid)
                for name, part in self.lab.parts.items()
                if name.startswith("worker") and part.process.poll() is None
            ],
        }
        return {role: with_children(rows) for role, rows in {**ours, **self.others}.items()}

    def _load(self, outcome: Outcome, archive: Path) -> None:
        place, schedule = outcome.place, outcome.schedule
        self.say(f"{self.load.seconds / 60:g} minutes of load.")
        place.log.restart()
        with self._finishing(place):
            for person in list_people(place):
                self._start(place, _spread(person))
            self._start(place, Staff(place).export_on)
            self._start_at(place, schedule.import_at, lambda: Staff(place).import_study(archive))
            self._start_at(place, schedule.run_at, Staff(place).run_judge)
            self._start_at(place, schedule.gold_at, Staff(place).make_gold)
            for at, victim in schedule.kills:
                self._start_at(place, at, partial(self._kill, outcome, victim))
            for at, fault in schedule.faults:
                self._start_at(place, at, partial(self._cause, outcome, fault))
            every = max(1.0, self.load.seconds / LOOKS)
            self._start(place, lambda: outcome.memory.watch(every, place.over))
            place.over.wait(self.load.seconds)
            outcome.memory.look()
            outcome.seconds["load"] = place.log.now

    @contextmanager
    def _finishing(self, place: Place) -> Iterator[None]:
        """Whatever happens, nobody goes on; after a good end, everybody has ended what they did."""
        try:
            yield
        finally:
            place.over.set()
        deadline = time.monotonic() + DRAIN_PATIENCE
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                place.promises.broken.append(f"{thread.name} did not come to its end")

    def _start(self, place: Place, act: Callable[[], None], after: float = 0.0) -> None:
        def run() -> None:
            failed = f"{act} broke off; the traceback is above"
            try:
                if after <= 0 or not place.over.wait(after):
                    act()
                failed = ""
            except (GaveUp, ValueError, KeyError, OSError, psutil.Error) as error:
                failed = repr(error)
            finally:
                place.promises.broken += [failed] if failed else []

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        self.threads.append(thread)

    def _start_at(self, place: Place, at: float, act: Callable[[], None]) -> None:
        self._start(place, act, max(0.01, at))

    def _kill(self, outcome: Outcome, victim: str) -> None:
        at = outcome.place.log.now
        self.say(f"{at:4.0f} s: a {victim} is killed.")
        outcome.kills.append(kill(self.lab, victim, at))

    def _cause(self, outcome: Outcome, name: str) -> None:
        self.say(f"{outcome.place.log.now:4.0f} s: {name}.")
        fault = cause(self.lab, outcome.place, name, outcome.schedule.longest)
        outcome.faults.append(fault)

    def _drain(self, outcome: Outcome) -> None:
        """The owner has the last answers fetched; then everybody is paid."""
        self.say("Everybody has gone home; the last answers are fetched.")
        owner = Staff(outcome.place)
        deadline = time.monotonic() + DRAIN_PATIENCE
        while outcome.books.count_unpaid() and time.monotonic() < deadline:
            owner.fetch_answers()

    def _prove(self, outcome: Outcome, archive: Path) -> None:
        self.say("Looking whether all is there.")
        books, promises = outcome.books, outcome.place.promises
        owner = Staff(outcome.place)
        for name, path in owner.list_exports().items():
            owner.export(name, path)
        here = f"/api/v1/projects/{outcome.place.seeded['imported']}/export/folder/"
        exported = owner.visitor.ask("export: corpus", "GET", here)[2]
        outcome.failed_jobs = books.list_failed_jobs()
        outcome.counts = {
            "saves": len(promises.ops),
            "submitted": len(set(promises.submitted)),
            "exports": sum(map(len, promises.exports.values())),
            "taken up": books.count_taken_up(),
            "lost saves": books.count_lost_saves(),
            "wrong work": books.count_wrong_work(),
            "unpromised work": books.count_unpromised_work(),
            "differing files": count_differing_files(exported, archive),
            "missing presence": books.count_missing_presence(),
            "differing exports": books.count_differing_exports(),
            "failed jobs": len(outcome.failed_jobs),
        }


def list_people(place: Place) -> list[Person]:
    kinds: list[tuple[type[Person], str]] = [
        (Author, "authors"),
        (Worker, "workers"),
        (Reader, "readers"),
    ]
    return [
        kind(place, session, number)
        for kind, name in kinds
        for number, session in enumerate(place.seeded[name])
    ]


def _spread(person: Person) -> Callable[[], None]:
    """People come one after the other, not all at the stroke of a bell."""

    def live() -> None:
        share = min(30.0, person.place.load.seconds / 20)
        if not person.place.over.wait(person.rng.uniform(0, share)):
            person.live()

    return live


def measure_alone(place: Place) -> list[Answer]:
    """One client that does everything in turn, without a pause; its first rounds don't count."""
    seeded, load = place.seeded, place.load
    author = Author(place, seeded["authors"][0], 0, hurried=True)
    worker = Worker(place, seeded["workers"][0], 0, hurried=True)
    reader = Reader(place, seeded["readers"][0], 0, hurried=True)
    for number in range(load.alone):
        if number == load.alone_first:
            place.log.restart()
        author.act()
        worker.here = ""
        worker.act()
        worker.act()
        for kind in list_pages(place, reader.rng):
            reader.read(kind)
    return place.log.answers
