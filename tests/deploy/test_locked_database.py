"""Somebody holds SQLite's lock: readers don't notice, writers are told, and a job waits."""

from __future__ import annotations

import contextlib
import http.client
import json
import sqlite3
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from tests import factories
from tests.servers import Product, wait_until

# Longer than a request waits for the lock.
LOCKED_SECONDS = 16.0
WRITERS = READERS = 20
EXAMPLES = 6000
PAGES = ("/", "/p/locked/", "/p/locked/jobs/", "/api/v1/projects/", "/account/")
SET_UP = """
import json
from annotation.corpora.accounts.service import create_token
from annotation.corpora.models import Project
from tests import factories
from tests.crowd_seed import sign_in
owner = factories.make_user("Owner")
owner.is_staff = True
owner.save()
project = factories.make_project(owner, "locked")
key = create_token(user=owner, name="x", scope="publish")[1]
print(json.dumps({"session": sign_in(owner), "key": key}))
"""
IMPORT = """
from annotation.corpora.imports.service import create_import
from annotation.corpora.imports.service import write_import
from annotation.corpora.models import Import, Project
from tests.servers import wait_until
project = Project.objects.get(slug="locked")
made = create_import(project=project, user=None, name="big", path={path!r})
wait_until(lambda: Import.objects.get(pk=made.pk).state == "ready", "the check ends")
print(write_import(import_=Import.objects.get(pk=made.pk), user=None).pk)
"""


class Answer(NamedTuple):
    status: int
    seconds: float
    headers: http.client.HTTPMessage
    text: str


@dataclass
class Browser:
    """Signed in; each request on a line of its own, as of different people."""

    port: int
    session: str
    key: str

    def ask(self, method: str, path: str, **fields: str) -> Answer:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={'c' * 32}",
            "X-CSRFToken": "c" * 32,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        if path.startswith("/api/"):
            headers = {"Authorization": f"Bearer {self.key}"}
        began = time.monotonic()
        with contextlib.closing(line):
            line.request(method, path, urlencode(fields), headers)
            answer = line.getresponse()
            text = answer.read().decode()
            return Answer(answer.status, time.monotonic() - began, answer.headers, text)


@dataclass
class Site:
    product: Product
    browser: Browser
    folder: Path

    @property
    def database(self) -> Path:
        return self.product.data_dir / "giza.sqlite3"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """By another program, as of an administrator who looks into it."""
        with contextlib.closing(sqlite3.connect(self.database, isolation_level=None)) as other:
            # Between two steps of a job there is hardly any time: SQLite's own waiting, which looks
            # less and less often, would go on until the job is done.
            other.execute("PRAGMA busy_timeout = 0")
            wait_until(lambda: has_begun(other), "the lock is free", longest_pause=0.001)
            try:
                yield
            finally:
                other.execute("ROLLBACK")

    def query(self, statement: str, *values: Any) -> list[Any]:
        address = f"file:{self.database}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
            return database.execute(statement, values).fetchall()


@pytest.fixture
def site(tmp_path: Path, prepared: Product) -> Iterator[Site]:
    haste = {"JOB_LEASE_SECONDS": 2, "JOB_SWEEP_SECONDS": 1, "WEB_THREADS": 8}
    product = prepared.copy_to(tmp_path / "data", **haste)
    made = json.loads(product.manage("shell", "-v0", "-c", SET_UP).splitlines()[-1])
    product.start()
    try:
        yield Site(product, Browser(product.port, made["session"], made["key"]), tmp_path)
    finally:
        product.stop()


def has_begun(database: sqlite3.Connection) -> bool:
    try:
        database.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        return False
    return True


@dataclass
class Seen:
    """What clients met: of readers the times, of writers how often each was told to come back."""

    reads: list[float] = field(default_factory=list)
    statuses: set[int] = field(default_factory=set)
    told: list[int] = field(default_factory=list)


def read_on(site: Site, number: int, over: threading.Event, seen: Seen) -> None:
    for turn in range(10_000):
        if over.is_set():
            return
        path = PAGES[(number + turn) % len(PAGES)]
        status, seconds, _, text = site.browser.ask("GET", path)
        assert status == 200, (path, text)
        seen.reads.append(seconds)
        over.wait(0.5)


def write_once(site: Site, number: int, seen: Seen) -> int:
    """As a page does that keeps what was typed: again, as soon as it is told to."""
    fields = {"name": f"Number {number}", "slug": f"number-{number}", "description": ""}
    times = 0
    while True:
        status, _, headers, text = site.browser.ask("POST", "/projects/new/", **fields)
        seen.statuses.add(status)
        if status != 503:
            seen.told.append(times)
            return status
        assert "The database is busy" in text
        assert f"Number {number}" in text, "the page keeps what was typed"
        times += 1
        time.sleep(float(headers["Retry-After"]))


def test_readers_do_not_notice_and_every_write_is_kept(site: Site) -> None:
    over, seen = threading.Event(), Seen()
    for path in PAGES:
        assert site.browser.ask("GET", path)[0] == 200
    with ThreadPoolExecutor(WRITERS + READERS) as pool:
        with site.locked():
            writers = [pool.submit(write_once, site, number, seen) for number in range(WRITERS)]
            readers = [pool.submit(read_on, site, n, over, seen) for n in range(READERS)]
            time.sleep(LOCKED_SECONDS)
            over.set()
        assert [future.result() for future in writers] == [302] * WRITERS
        for future in readers:
            future.result()
    print(f"reads: {len(seen.reads)}, median {statistics.median(seen.reads):.3f}, ", end="")
    print(f"p95 {statistics.quantiles(seen.reads, n=20)[-1]:.3f}, most {max(seen.reads):.3f}")
    print(f"writers were told to come back {sorted(seen.told)} times")
    assert seen.statuses == {302, 503}
    assert len(seen.reads) > READERS * 5
    assert statistics.quantiles(seen.reads, n=20)[-1] < 1.0
    made = site.query("SELECT slug FROM corpora_project WHERE slug LIKE 'number-%'")
    assert sorted(made) == sorted((f"number-{number}",) for number in range(WRITERS))
    assert " 500 " not in site.product.part.printed()


def test_a_job_says_that_it_waits_and_goes_on_by_itself(site: Site) -> None:
    lines = [factories.example(f"e{number}") for number in range(EXAMPLES)]
    path = factories.write_jsonl(site.folder / "big.jsonl", lines)
    printed = site.product.manage("shell", "-v0", "-c", IMPORT.format(path=str(path)))
    job = int(printed.split()[-1])

    def states() -> tuple[str, int]:
        return site.query("SELECT state, done FROM corpora_job WHERE id = ?", job)[0]

    wait_until(lambda: states()[1] > 0, "the first step is committed", longest_pause=0.05)
    with site.locked():
        before = states()
        assert before[0] == "running"
        page = f"/p/locked/jobs/{job}/"
        wait_until(
            lambda: "Waiting for the database" in site.browser.ask("GET", page)[3],
            "the page says what the job waits for",
            patience=40,
        )
        told = json.loads(site.browser.ask("GET", f"/api/v1/projects/locked/jobs/{job}/")[3])
        assert told["waiting"] == "Waiting for the database"
    wait_until(lambda: states()[0] == "done", "the job goes on by itself", patience=120)
    count = "SELECT count(*) FROM corpora_example e JOIN corpora_project p ON p.id = e.project_id"
    assert site.query(f"{count} WHERE p.slug = 'locked'") == [(EXAMPLES,)]
