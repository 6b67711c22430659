"""100 workers at once: accept and submit in Giza and in Turkle, on one PostgreSQL, in one run.

Both are served by gunicorn with two processes. The workers are in a process of their own. What is
counted is a pair of accept and submit, with the page and the frame that a browser opens between.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from tests import servers
from tests.benchmarks.database import run_in
from tests.benchmarks.report import Figure
from tests.crowd_load import Plan

WORKERS, HITS, PLACES = 100, 200, 4
ROUNDS = 2
TURKLE = ["turkle==3.1.0", "gunicorn==27.0.0", "psycopg[binary]==3.3.8"]
SITE = Path(__file__).parent / "turkle_site"
LEAST_RATE, MOST_CPU = 2.5, 0.4


@dataclass
class Rush:
    """What one server did with the crowd."""

    pairs: int
    seconds: float
    web_cpu: float
    database_cpu: float
    faults: int
    refused: int

    @property
    def rate(self) -> float:
        return self.pairs / self.seconds

    @property
    def cpu_ms(self) -> float:
        return 1000 * (self.web_cpu + self.database_cpu) / self.pairs


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="giza-bench-") as name:
        folder = Path(name)
        with servers.running_postgres(folder / "pg") as address:
            database = _postmaster(folder / "pg")
            ours, theirs = [], []
            for number in range(ROUNDS):
                theirs.append(rush_turkle(folder, address, database, number))
                ours.append(rush_giza(folder, address, database, number))
        on_sqlite = rush_giza(folder, "", None, ROUNDS)
    return _figures(_best(ours), _best(theirs), on_sqlite)


def _best(rushes: Sequence[Rush]) -> Rush:
    """The round that other work on the machine hindered least."""
    return max(rushes, key=lambda rush: rush.rate)


def _figures(ours: Rush, theirs: Rush, on_sqlite: Rush) -> list[Figure]:
    wanted = HITS * PLACES
    return [
        Figure("Turkle 3.1: pairs", theirs.pairs),
        Figure("Turkle 3.1: accept and submit", theirs.rate, "/s"),
        Figure("Turkle 3.1: web server's CPU a pair", 1000 * theirs.web_cpu / theirs.pairs, "ms"),
        Figure("Turkle 3.1: server CPU a pair, database too", theirs.cpu_ms, "ms"),
        Figure("Giza: pairs", ours.pairs, "", wanted, wanted),
        Figure("Giza: accept and submit", ours.rate, "/s"),
        Figure("Giza: web server's CPU a pair", 1000 * ours.web_cpu / ours.pairs, "ms"),
        Figure("Giza: server CPU a pair, database too", ours.cpu_ms, "ms"),
        Figure("Giza: faults seen by workers", ours.faults, "", None, 0),
        Figure("rate, Giza to Turkle", ours.rate / theirs.rate, "x", LEAST_RATE),
        Figure("CPU a pair, Giza to Turkle", ours.cpu_ms / theirs.cpu_ms, "x", None, MOST_CPU),
        Figure("Giza on SQLite: pairs", on_sqlite.pairs, "", wanted, wanted),
        Figure("Giza on SQLite: accept and submit", on_sqlite.rate, "/s"),
        Figure("Giza on SQLite: faults seen by workers", on_sqlite.faults, "", None, 0),
    ]


def rush_giza(folder: Path, address: str, database: psutil.Process | None, number: int) -> Rush:
    port = servers.find_free_port()
    settings: dict[str, Any] = {
        "SECRET_KEY": servers.SECRET_KEY,
        "DATA_DIR": folder / f"giza-{number}",
        "PORT": port,
        "LOG_LEVEL": "ERROR",
    }
    if address:
        url = servers.new_database(address, f"giza_{number}")
        settings |= {"DATABASE_URL": url, "WEB_CONCURRENCY": 2}
    environment = servers.clean_environment(**settings)
    servers.run_serve(environment, "migrate")
    seeded = run_in(environment, "tests.crowd_seed", *map(str, (WORKERS, HITS, PLACES)))
    command = [sys.executable, "-m", "deploy.serve", "web"]
    with serving(command, environment, servers.ROOT, port) as web:
        return rush(Plan("giza", f"http://127.0.0.1:{port}", **seeded), web, database)


def rush_turkle(folder: Path, address: str, database: psutil.Process, number: int) -> Rush:
    python = install_turkle()
    port = servers.find_free_port()
    environment = servers.clean_environment(
        TURKLE_DATABASE_URL=servers.new_database(address, f"turkle_{number}"),
        DJANGO_SETTINGS_MODULE="settings",
        PYTHONPATH=f"{SITE}{os.pathsep}{servers.ROOT}",
    )
    _run([python, "-m", "django", "migrate", "--verbosity", "0"], environment)
    numbers = map(str, (WORKERS, HITS, PLACES))
    seeded = _run([python, str(SITE / "seed.py"), *numbers], environment)
    command = [python, "-m", "gunicorn", "wsgi:application", "--bind", f"127.0.0.1:{port}"]
    command += ["--worker-class", "gthread", "--workers", "2", "--threads", "8"]
    command += ["--keep-alive", "15", "--log-level", "error"]
    plan = Plan("turkle", f"http://127.0.0.1:{port}", **json.loads(seeded.splitlines()[-1]))
    with serving(command, environment, SITE, port, "/help/") as web:
        return rush(plan, web, database)


def _run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=SITE, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def install_turkle() -> str:
    """Turkle in a virtual environment of its own, made at the first run."""
    home = servers.ROOT / "build" / "turkle"
    python = home / "bin" / "python"
    stamp = home / "installed"
    if not stamp.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *TURKLE], check=True)
        stamp.touch()
    return str(python)


@contextlib.contextmanager
def serving(
    command: list[str], environment: dict[str, str], folder: Path, port: int, path: str = "/healthz"
) -> Iterator[psutil.Process]:
    server = subprocess.Popen(command, cwd=folder, env=environment)
    try:
        base_url = f"http://127.0.0.1:{port}"
        servers.wait_until(lambda: servers.answers(base_url, path), f"{command[2]} comes up")
        yield psutil.Process(server.pid)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)


def rush(plan: Plan, web: psutil.Process, database: psutil.Process | None) -> Rush:
    before = cpu_of(web), cpu_of(database)
    done = subprocess.run(
        [sys.executable, "-m", "tests.crowd_load"],
        cwd=servers.ROOT,
        input=json.dumps(asdict(plan)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    tally = json.loads(done.stdout)
    return Rush(
        tally["pairs"],
        tally["seconds"],
        cpu_of(web) - before[0],
        cpu_of(database) - before[1],
        len(tally["faults"]),
        tally["statuses"].get("409", 0),
    )


def cpu_of(process: psutil.Process | None) -> float:
    """CPU seconds of a process, its living children, and those that it has buried."""
    if process is None:
        return 0.0
    own = process.cpu_times()
    buried: float = own.children_user + own.children_system
    alive = [child.cpu_times() for child in process.children(recursive=True)]
    return buried + sum(times.user + times.system for times in [own, *alive])


def _postmaster(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "postmaster.pid").read_text().splitlines()[0]))
