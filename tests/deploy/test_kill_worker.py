"""A worker killed in the middle of an import, again and again: nothing is lost, nothing twice."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from tests import servers
from tests.servers import Blank, Part, Product, signal_all, wait_until

# Five steps: each kill takes one of them, and the others are for a machine that is slow to ask.
EXAMPLES = 4000
SYSTEMS = ("lead", "soup", "bart")
# One of whole workers and one of those in them that do the work.
KILLS = 2
OVER = ("done", "failed")
HASTE = {"JOB_LEASE_SECONDS": 2, "JOB_SWEEP_SECONDS": 1, "CELERY_CONCURRENCY": 1}
IMPORT = """
from annotation.corpora.imports.service import create_import
from annotation.corpora.imports.service import write_import
from annotation.corpora.models import Import
from annotation.corpora.projects.service import create_project
from tests.servers import wait_until
project = create_project(user=None, name="Kill", slug="kill")
made = create_import(project=project, user=None, name="big", path={path!r})
wait_until(lambda: Import.objects.get(pk=made.pk).state == "ready", "the check ends")
write_import(import_=Import.objects.get(pk=made.pk), user=None)
"""
JOB = """
SELECT j.state, j.done, j.error
FROM corpora_job j JOIN corpora_project p ON p.id = j.project_id
WHERE j.kind = '{kind}' AND p.slug = 'kill'
"""
TEXTS = """
SELECT e.key, e.position, d.text, r.text, s.name, y.text
FROM corpora_example e
JOIN corpora_project p ON p.id = e.project_id
JOIN corpora_document d ON d.example_id = e.id
JOIN corpora_reference r ON r.example_id = e.id
JOIN corpora_summary y ON y.example_id = e.id
JOIN corpora_system s ON s.id = y.system_id
WHERE p.slug = 'kill'
ORDER BY e.position, s.name
"""
REVIVALS = """
SELECT count(*) FROM corpora_jobline l
JOIN corpora_job j ON j.id = l.job_id
JOIN corpora_project p ON p.id = j.project_id
WHERE j.kind = 'write_import' AND p.slug = 'kill' AND l.text LIKE 'Resumed, attempt%'
"""
COUNTS = """
SELECT p.example_count, p.reference_count, p.system_count, p.summary_count, i.state
FROM corpora_project p JOIN corpora_import i ON i.project_id = p.id WHERE p.slug = 'kill'
"""
Row = tuple[Any, ...]


class Site(ABC):
    """Where the import runs: how to ask its database, and its workers."""

    environment: Mapping[str, str]

    @abstractmethod
    def query(self, statement: str) -> list[Row]: ...

    @abstractmethod
    def workers(self) -> tuple[list[psutil.Process], list[psutil.Process]]:
        """The workers that run, and the processes of their pools, which do the work."""

    @abstractmethod
    def revive(self) -> None:
        """Have the killed workers started again."""

    def job(self, kind: str) -> tuple[str, int, str]:
        rows = self.query(JOB.format(kind=kind))
        return rows[0] if rows else ("none", 0, "")

    def run(self, code: str) -> None:
        servers.run_to_end(self.environment, "manage.py", "shell", "-v0", "-c", code)


class OneMachine(Site):
    """`make run`: SQLite, the embedded broker, and a supervisor that starts the worker again."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.environment = product.part.environment

    def query(self, statement: str) -> list[Row]:
        address = f"file:{self.product.data_dir}/giza.sqlite3?mode=ro"
        with sqlite3.connect(address, uri=True, timeout=30) as database:
            return database.execute(statement).fetchall()

    def workers(self) -> tuple[list[psutil.Process], list[psutil.Process]]:
        parent, *pool = self.product.worker()
        return [parent], pool

    def revive(self) -> None:
        """The supervisor does."""


class TwoWorkers(Site):
    """PostgreSQL, Redis and two workers, which the test itself starts again."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self.environment = environment
        self.parts = [Part(["worker"], environment, folder / f"{n}.log") for n in (1, 2)]
        self.database = psycopg.connect(environment["DATABASE_URL"], autocommit=True)

    def query(self, statement: str) -> list[Row]:
        return list(self.database.execute(statement.encode()).fetchall())

    def workers(self) -> tuple[list[psutil.Process], list[psutil.Process]]:
        parents = [psutil.Process(part.process.pid) for part in self.parts]
        return parents, [child for one in parents for child in one.children(recursive=True)]

    def revive(self) -> None:
        for part in self.parts:
            part.process.wait()
            part.start()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    words = "dam river town council flood night bridge rain police road".split()  # noqa: SIM905
    chance = random.Random(7)
    path = tmp_path / "big.jsonl"
    with path.open("w") as file:
        for number in range(EXAMPLES):
            text = " ".join(chance.choices(words, k=30))
            line = {
                "id": f"e{number}",
                "documents": [text],
                "references": [f"Number {number} was seen. {text.capitalize()}."],
                "summaries": {system: f"{system} {number} {text[:40]}" for system in SYSTEMS},
            }
            file.write(json.dumps(line) + "\n")
    return path


def expected_texts(path: Path) -> Iterator[Row]:
    with path.open() as file:
        for position, line in enumerate(file):
            data = json.loads(line)
            (document,), (reference,) = data["documents"], data["references"]
            for system in sorted(SYSTEMS):
                text = data["summaries"][system]
                yield data["id"], position, document, reference, system, text


def kill_in_the_middle(site: Site) -> int:
    """Kill each time that a further step was committed; the number of kills.

    By turns all processes of all workers, and those that do the work, in whose place Celery puts
    others.
    """
    killed, seen = 0, 0
    while killed < KILLS:
        wait_for_more(site, seen, killed)
        parents, pools = site.workers()
        # First they stand still, wherever they are, so that what is seen now stays so.
        signal_all([*parents, *pools], signal.SIGSTOP)
        state, seen, _ = site.job("write_import")
        assert state == "running", f"it was {state} after {killed} kills"
        assert site.query(COUNTS) == [(0, 0, 0, 0, "writing")], "the half is not counted"
        signal_all(pools, signal.SIGKILL)
        if killed % 2:
            signal_all(parents, signal.SIGCONT)
        else:
            signal_all(parents, signal.SIGKILL)
            site.revive()
        killed += 1
    return killed


def wait_for_more(site: Site, seen: int, killed: int) -> None:
    """By who has taken it up: a step that the killed one sent may still be committed after it."""

    def is_further() -> bool:
        return site.query(REVIVALS)[0][0] >= killed and site.job("write_import")[1] > seen

    wait_until(is_further, "a further step", longest_pause=0.05)


def assert_it_survives(site: Site, corpus: Path) -> None:
    # Beside the killing: on a busy machine the import could be over before the command is.
    asking = threading.Thread(target=site.run, args=[IMPORT.format(path=str(corpus))])
    asking.start()
    assert kill_in_the_middle(site) == KILLS
    asking.join()
    wait_until(lambda: site.job("write_import")[0] in OVER, "the import ends by itself")
    assert site.job("write_import") == ("done", EXAMPLES, "")
    assert site.query(REVIVALS)[0][0] >= KILLS
    assert site.query(COUNTS) == [
        (EXAMPLES, EXAMPLES, len(SYSTEMS), EXAMPLES * len(SYSTEMS), "done")
    ]
    assert site.query(TEXTS) == list(expected_texts(corpus))
    (sentences,) = site.query(
        "SELECT count(*) FROM corpora_sentence s"
        " JOIN corpora_reference r ON r.id = s.reference_id"
        " JOIN corpora_example e ON e.id = r.example_id"
        " JOIN corpora_project p ON p.id = e.project_id WHERE p.slug = 'kill'"
    )
    assert sentences == (EXAMPLES * 2,)


def test_it_finishes_the_import_on_one_machine(
    prepared: Product, tmp_path: Path, corpus: Path
) -> None:
    product = prepared.copy_to(tmp_path / "var", **HASTE).start()
    try:
        assert_it_survives(OneMachine(product), corpus)
    finally:
        product.stop()


def test_it_finishes_the_import_with_two_workers(
    tmp_path: Path, corpus: Path, blank: Blank, redis_socket: Path
) -> None:
    environment = servers.clean_environment(
        SECRET_KEY=servers.SECRET_KEY,
        DATA_DIR=tmp_path / "data",
        DATABASE_URL=blank.copy_to(tmp_path / "data", "giza_kill"),
        CELERY_BROKER_URL=f"redis+socket://{redis_socket}?virtual_host=7",
        **HASTE,
    )
    site = TwoWorkers(environment, tmp_path)
    for part in site.parts:
        part.start()
    try:
        assert_it_survives(site, corpus)
    finally:
        for part in site.parts:
            part.stop()
