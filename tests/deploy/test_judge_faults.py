"""A run whose worker is killed again and again, and one in peace: the same bits in both."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from tests import servers
from tests.servers import Blank, Part, signal_all, wait_until

JUDGE = "lexical"
EXAMPLES, SYSTEMS, UNITS = 24, 6, 11
SUMMARIES = EXAMPLES * SYSTEMS
PAIRS = SUMMARIES * UNITS
NAMES = [f"system{number}" for number in range(SYSTEMS)]
KILLS = 3
HASTE = {"JOB_LEASE_SECONDS": 2, "JOB_SWEEP_SECONDS": 1, "CELERY_CONCURRENCY": 1}
SET_UP = """
from django.core.management import call_command
from annotation.units.models import UnitSet
from tests import factories
owner = factories.make_user("Owner")
folder = {folder!r}
call_command("import_corpus", folder, "--project", "faults", "--owner", owner.email)
call_command("import_units", folder + "/SCUs.txt", "--project", "faults", "--set", "SCUs")
factories.freeze(UnitSet.objects.get(project__slug="faults"), owner)
call_command("judge_summaries", *{arguments!r})
"""
RESULTS = """
SELECT e.key, s.name, p.presence::text, p.sentences::text, p.score
FROM evaluation_summarypresence p
JOIN corpora_summary y ON y.id = p.summary_id
JOIN corpora_example e ON e.id = y.example_id
JOIN corpora_system s ON s.id = y.system_id
WHERE p.run_id = {run} ORDER BY e.key, s.name
"""
CHUNKS = """
SELECT count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'claimed')
FROM evaluation_runchunk WHERE run_id = {run}
"""
RUN = """
SELECT r.is_ready, j.error, r.figures
FROM evaluation_judgerun r JOIN corpora_job j ON j.id = r.job_id WHERE r.id = {run}
"""


@dataclass
class Site:
    """PostgreSQL, Redis and workers that the test starts and kills."""

    environment: dict[str, str]
    folder: Path
    database: psycopg.Connection[Any]
    workers: list[Part] = field(default_factory=list)

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        return list(self.database.execute(statement.encode()).fetchall())

    def add_worker(self) -> Part:
        log = self.folder / f"worker-{len(self.workers)}.log"
        self.workers.append(Part(["worker"], self.environment, log).start())
        return self.workers[-1]

    def begin(self, *command: str) -> dict[str, Any]:
        """The run that this command began, as it told."""
        said = servers.run_to_end(self.environment, "manage.py", *command)
        told: dict[str, Any] = json.loads(said.splitlines()[-1])
        return told

    def finish(self, run: int) -> dict[str, Any]:
        """The run's figures, once it is ready; its error if it fails."""
        wait_until(lambda: any(self.query(RUN.format(run=run))[0][:2]), "it ends")
        is_ready, error, figures = self.query(RUN.format(run=run))[0]
        assert is_ready, error
        found: dict[str, Any] = figures
        return found


@pytest.fixture
def site(tmp_path: Path, blank: Blank, redis_socket: Path) -> Iterator[Site]:
    environment = servers.clean_environment(
        SECRET_KEY=servers.SECRET_KEY,
        DATA_DIR=tmp_path / "data",
        DATABASE_URL=blank.copy_to(tmp_path / "data", "giza_judge"),
        CELERY_BROKER_URL=f"redis+socket://{redis_socket}?virtual_host=9",
        **HASTE,
    )
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as database:
        made = Site(environment, tmp_path, database)
        yield made
    for part in made.workers:
        part.stop()


def judge(chunk_size: int, systems: Sequence[str]) -> list[str]:
    return [
        *("--project", "faults", "--unit-set", "SCUs", "--judge", JUDGE, "--json"),
        *("--chunk-size", str(chunk_size), "--systems", *systems),
    ]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Made-up texts in the layout in which REALSumm is published."""
    folder = tmp_path / "study"
    words = "dam river town council flood night bridge rain police road ferry coast".split()  # noqa: SIM905
    chance = random.Random(5)

    def sentence() -> str:
        return " ".join(chance.choices(words, k=9)).capitalize() + f" {chance.randrange(90)}."

    def write(name: str, lines: list[str]) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(lines))

    write("ids.txt", [f"e{number}" for number in range(EXAMPLES)])
    for name in ("documents.txt", "references.txt"):
        write(name, [f"{sentence()} {sentence()}" for _ in range(EXAMPLES)])
    write("SCUs.txt", ["\t".join(sentence() for _ in range(UNITS)) for _ in range(EXAMPLES)])
    for system in NAMES:
        texts = [f"{sentence()} {sentence()} {sentence()}" for _ in range(EXAMPLES)]
        write(f"summaries/{system}.summary", texts)
    return folder


def kill_in_the_middle(site: Site, worker: Part, run: int) -> None:
    """Kill the worker each time that it has done further chunks, with another one in hand.

    By turns the whole of it, which the test starts again, and the process in it that judges, in
    whose place Celery puts another.
    """
    seen = 0
    for number in range(KILLS):
        enough = seen
        wait_until(
            lambda enough=enough: chunks(site, run)[0] > enough,  # type: ignore[misc]
            "further chunks",
            longest_pause=0.05,
        )
        parent = psutil.Process(worker.process.pid)
        processes = [parent, *parent.children(recursive=True)]
        seen = stop_in_hand(site, run, processes)
        if number % 2:
            signal_all(processes, signal.SIGKILL)
            worker.process.wait()
            worker.start()
        else:
            signal_all(processes[1:], signal.SIGKILL)
            signal_all(processes[:1], signal.SIGCONT)


def stop_in_hand(site: Site, run: int, processes: list[psutil.Process]) -> int:
    """Have them stand still with a chunk in hand, so that what is seen stays so; chunks done."""
    while True:
        signal_all(processes, signal.SIGSTOP)
        done, held = chunks(site, run)
        assert not site.query(RUN.format(run=run))[0][0], "it was over before it was killed"
        if held:
            return done
        signal_all(processes, signal.SIGCONT)


def chunks(site: Site, run: int) -> tuple[int, int]:
    """How many are done, and how many in hand."""
    done, held = site.query(CHUNKS.format(run=run))[0]
    return done, held


def test_it_ends_complete_and_identical(site: Site, study: Path) -> None:
    code = SET_UP.format(folder=str(study), arguments=judge(4, NAMES))
    begun = site.begin("shell", "-v0", "-c", code)
    worker = site.add_worker()
    assert begun["counts"]["pairs"] == PAIRS
    kill_in_the_middle(site, worker, begun["run"])
    figures = site.finish(begun["run"])
    assert figures["counts"]["judged"] + figures["counts"]["stored"] == PAIRS
    rows = site.query(RESULTS.format(run=begun["run"]))
    assert len(rows) == SUMMARIES
    # Once more in peace, with nothing stored, in other parts and by two; every second system, for
    # the sake of the machine.
    systems = NAMES[::2]
    site.database.execute("DELETE FROM evaluation_storedverdict")
    site.add_worker()
    calm = site.begin("judge_summaries", *judge(7, systems))
    assert site.finish(calm["run"])["counts"]["summaries"] == len(systems) * EXAMPLES
    calm_rows = site.query(RESULTS.format(run=calm["run"]))
    assert calm_rows == [row for row in rows if row[1] in systems]
