"""Faults of what Giza stands on: Redis, the database, the disk, a worker's clock."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg

from tests.servers import Part, is_ready, start_redis
from tests.soak.staff import pack
from tests.soak.stage import Stage

AHEAD = 7200
# What clients and workers write; held as SQLite's one lock holds everything.
LOCKED = (
    "units_unit",
    "units_change",
    "crowd_marketassignment",
    "crowd_markethit",
    "crowd_workeraccount",
    "corpora_job",
)
ABANDONED = "SELECT count(*) FROM crowd_marketassignment WHERE status = 'Abandoned' OR is_late"
TAKEN_OVER = "SELECT count(*) FROM corpora_jobline WHERE text LIKE 'Resumed, attempt%%'"


def lose_redis(stage: Stage) -> None:
    """First it hangs, then it is dead; at the end another takes its place."""
    folder = stage.redis_socket.parent
    process = _find_redis(folder)
    process.suspend()
    stage.place.over.wait(stage.length / 2)
    process.kill()
    process.wait()
    stage.place.over.wait(stage.length / 2)
    stage.lab.parts["redis"] = start_redis(folder)
    stage.seen.append("Redis hung, was killed, and was started again without what it held")


def _find_redis(folder: Path) -> psutil.Process:
    """The one that was started with this folder for its data."""
    for process in psutil.process_iter(["name", "cwd"]):
        if "redis-server" in process.info["name"] and process.info["cwd"] == str(folder):
            return process
    raise ValueError(f"no Redis runs in {folder}")


def hold_lock(stage: Stage) -> None:
    """Nobody else writes into these tables; whoever reads them is not held up."""
    with stage.connect() as database:
        _take_lock(database)
        stage.hold()
        waiting = database.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        ).fetchone()
        stage.seen.append(f"{waiting[0] if waiting else 0} writers waited at its end")
        database.execute("ROLLBACK")


def _take_lock(database: psycopg.Connection[tuple[object, ...]]) -> None:
    """All tables or none: a lock that is waited for could be part of a deadlock."""
    statement = f"LOCK TABLE {', '.join(LOCKED)} IN EXCLUSIVE MODE NOWAIT"
    until = time.monotonic() + 60
    while True:
        database.execute("BEGIN")
        try:
            database.execute(statement.encode())
            return
        except psycopg.errors.LockNotAvailable:
            database.execute("ROLLBACK")
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def fill_disk(stage: Stage) -> None:
    """An upload is refused with a reason, a job waits, and goes on by itself."""
    if not os.path.ismount(stage.data_dir):
        stage.wrong.append("not tried: the data folder has no disk of its own (needs root)")
        return
    probe, seeded = stage.probe(), stage.place.seeded
    demo = "/api/v1/projects/demo/"
    with _filled(stage.data_dir):
        status, text = _upload(stage)
        stage.seen.append(f"an upload was answered with {status}: {text[:200]}")
        if not 400 <= status < 600 or status == 500:
            stage.wrong.append(f"an upload was answered with {status}")
        body = {"labels": seeded["demo"]["labels"], "name": "On a full disk"}
        made = probe.call("job: make gold", f"{demo}gold/", body)
        here = f"{demo}gold/{made['id']}/"
        stage.hold()
        job = probe.call("poll: a job", here).get("job") or {}
        stage.seen.append(f"the job said: {job.get('waiting') or job.get('state')}")
        if job.get("state") in ("failed", "running", "done"):
            stage.wrong.append(f"a job on a full disk says {job.get('state')}")
    stage.heals = lambda: bool(probe.call("poll: a job", here)["is_ready"])


@contextlib.contextmanager
def _filled(folder: Path) -> Iterator[None]:
    """Nothing is left of the disk; what others free meanwhile is taken, too."""
    path = folder / "filler"
    try:
        with path.open("wb") as filler, contextlib.suppress(OSError):
            while True:
                filler.write(bytes(2**16))
                filler.flush()
        yield
    finally:
        path.unlink()


def _upload(stage: Stage) -> tuple[int, str]:
    probe = stage.probe()
    headers = {
        **probe.headers,
        "Accept": "application/json",
        "Content-Type": "multipart/form-data; boundary=soak-boundary",
    }
    body = pack("large.jsonl", b"x" * 2**23)
    here = f"/api/v1/projects/{stage.place.seeded['warm']}/imports/"
    return probe.once("POST", here, body, headers)


def run_ahead(stage: Stage) -> None:
    """A third worker whose clock is two hours ahead."""
    abandoned, taken = stage.count(ABANDONED), stage.count(TAKEN_OVER)
    program = [sys.executable, "-m", "tests.soak.ahead"]
    log = stage.data_dir.parent / "worker-ahead.log"
    part = Part([str(AHEAD)], stage.lab.environment, log, program=program).start()
    try:
        part.wait_for(lambda: is_ready(stage.lab, part), "the worker with the wrong clock comes up")
        stage.hold()
    finally:
        _end(part)
    left = stage.count(ABANDONED) - abandoned
    stage.seen.append(f"{left} assignments were taken from workers")
    stage.seen.append(f"{stage.count(TAKEN_OVER) - taken} jobs were taken over")
    if left:
        stage.wrong.append(f"{left} assignments in progress were abandoned")


def _end(part: Part) -> None:
    """It may hold a job: that is taken up by the others."""
    process = psutil.Process(part.process.pid)
    for child in [*process.children(recursive=True), process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            child.send_signal(signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        part.process.wait(timeout=30)
