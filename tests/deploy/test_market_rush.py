"""Many workers at once over HTTP: every place is filled once, none beyond, whoever clicks twice."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests import crowd_load, servers
from tests.benchmarks.database import run_in
from tests.crowd_load import Reply
from tests.servers import Blank, Part, Product

WORKERS, HITS, PLACES = 48, 12, 4
PAIRS = 30
COUNTS = {
    "assignments": "SELECT count(*) FROM crowd_marketassignment",
    "submitted": """
        SELECT count(*) FROM crowd_marketassignment WHERE status = 'Submitted' AND answer <> ''
    """,
    "pairs": """
        SELECT count(*)
        FROM (SELECT DISTINCT hit_id, worker_id FROM crowd_marketassignment) AS taken
    """,
    "hits": "SELECT count(*) FROM crowd_markethit",
    "full hits": f"""
        SELECT count(*) FROM crowd_markethit
        WHERE available = 0 AND pending = 0 AND submitted = {PLACES} AND completed = 0
    """,
}


@pytest.fixture(params=["sqlite", "postgresql"])
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    settings = {
        "SECRET_KEY": servers.SECRET_KEY,
        "DATA_DIR": tmp_path / "data",
        "LOG_LEVEL": "ERROR",
        "PORT": servers.find_free_port(),
    }
    if request.param == "postgresql":
        blank: Blank = request.getfixturevalue("blank")
        address = blank.copy_to(tmp_path / "data", request.function.__name__)
        return servers.clean_environment(**settings, DATABASE_URL=address, WEB_CONCURRENCY=2)
    # The demo's campaign is no campaign of the marketplace.
    prepared: Product = request.getfixturevalue("prepared")
    prepared.copy_to(tmp_path / "data")
    return servers.clean_environment(**settings)


def test_it_fills_every_place_once(environment: dict[str, str], tmp_path: Path):
    seeded = run_in(environment, "tests.crowd_seed", str(WORKERS), str(HITS), str(PLACES))
    base_url = f"http://127.0.0.1:{environment['PORT']}"
    web = Part(["web"], environment, tmp_path / "web.log").start()
    try:
        web.wait_for(lambda: servers.answers(base_url), "the web server comes up")
        tally = crowd_load.run(crowd_load.Plan("giza", base_url, **seeded))
    finally:
        web.stop()
    wanted = HITS * PLACES
    assert tally.faults == []
    assert tally.pairs == wanted
    assert count_rows(environment) == {
        "assignments": wanted,
        "submitted": wanted,
        "pairs": wanted,
        "hits": HITS,
        "full hits": HITS,
    }


def count_rows(environment: dict[str, str]) -> dict[str, int]:
    with contextlib.closing(connect(environment)) as database:
        return {
            name: database.execute(statement).fetchone()[0] for name, statement in COUNTS.items()
        }


def connect(environment: dict[str, str]) -> Any:
    if "DATABASE_URL" in environment:
        return psycopg.connect(environment["DATABASE_URL"])
    return sqlite3.connect(f"{environment['DATA_DIR']}/giza.sqlite3")


def test_it_keeps_the_first_of_two_submits(environment: dict[str, str], tmp_path: Path):
    """Each worker presses the button twice, over two lines at once."""
    seeded = run_in(environment, "tests.crowd_seed", str(PAIRS), "1", str(PAIRS))
    base_url = f"http://127.0.0.1:{environment['PORT']}"
    web = Part(["web"], environment, tmp_path / "web.log").start()
    try:
        web.wait_for(lambda: servers.answers(base_url), "the web server comes up")
        replies = [submit_twice(base_url, seeded["start"], key) for key in seeded["sessions"]]
    finally:
        web.stop()
    assert [sorted(reply.status for reply in pair) for pair in replies] == [[200, 200]] * PAIRS
    assert [sorted(map(title_of, pair)) for pair in replies] == [
        ["Already submitted", "Submitted"]
    ] * PAIRS
    counts = count_rows(environment)
    assert (counts["assignments"], counts["submitted"], counts["pairs"]) == (PAIRS,) * 3


def submit_twice(base_url: str, start: str, session: str) -> list[Reply]:
    """Accept a HIT, and send its form over two connections that are both open."""
    browser = crowd_load.Browser(base_url, session)
    fields = {
        "assignmentId": browser.post(start, {}).location.split("/")[3],
        **crowd_load.answers(10),
    }
    ready = threading.Barrier(2)

    def submit(_: int) -> Reply:
        line = crowd_load.Browser(base_url, session)
        line.connection.connect()
        ready.wait()
        return line.post("/mturk/externalSubmit", fields, signed_in=False)

    with ThreadPoolExecutor(2) as both:
        return list(both.map(submit, range(2)))


def title_of(reply: Reply) -> str:
    found = re.search(r"<title>(.*?)</title>", reply.body, re.DOTALL)
    return found[1].strip() if found else reply.body[:200]
