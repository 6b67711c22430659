"""Every test, in parts that run side by side: `python -m tests.streams`.

Style, types and migrations are checked beside them. More parts run at a time than there are
processors, the long ones first: those with servers and browsers wait a good deal. Of the others,
which only calculate and let those go before, there are no more than processors, since they take
each other's place in its caches: four on two processors need a seventh more of their time than two.
Each part prints what it has to say when it is over, and the last lines name every failure of every
part.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from tests.servers import SHARED

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
LOGS = ROOT / "build" / "tests"
PROCESSORS = os.cpu_count() or 2
LANES = PROCESSORS + 1
BROWSER, DEPLOY = "tests/browser", "tests/deploy"
# These wait for long at a time.
FAULTS, CROWD = "tests/deploy/test_crowd_faults.py", "tests/annotation/crowd"
# The longest of those in a browser: as long together as all others, on one product.
PAGES = ("tests/browser/test_every_page.py", "tests/browser/test_story.py")
# Those that load models, which takes long enough for one process.
MODELS = (
    *(f"tests/scoring/{name}" for name in ("backends", "easiness", "finetune", "metrics", "stu")),
    *(f"tests/scoring/test_cli_{name}.py" for name in ("finetune", "soft_metrics")),
    "tests/annotation/evaluation/test_real_judges.py",
)
PYTEST = [sys.executable, "-m", "pytest"]
SCHEMA = "tests/annotation/schema"
# Takes two seconds to load, and only the tests of the schema need it.
UNNEEDED = "-pno:schemathesis"
# Everything is set up by now, so that make needs not look.
CHECKS = ["make", "--old-file=.venv/dev.stamp", "lint", "migrations-check"]
# Of the folders of tests/annotation, the longest first.
LONG = ("evaluation", "corpora")
# A little: other programs on this machine should not hold them up altogether.
GIVING_WAY = ["nice", "-n", "3"]
# Threads of a library that wait for each other spin, and there is more to do than processors.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# What pytest ends with where nothing failed, and where it found no test.
PASSED = (0, 5)
# How lines begin in which pytest, or make, names what failed.
NAMING = ("FAILED tests", "ERROR tests", "make: ***")
running: list[subprocess.Popen[bytes]] = []


@dataclass(frozen=True, slots=True)
class Stream:
    """A part of the tests, by its command."""

    name: str
    command: list[str]
    only_calculates: bool = False

    @property
    def log(self) -> Path:
        return LOGS / f"{self.name.lower().replace('/', '-').replace(' ', '-')}.log"


@dataclass(frozen=True, slots=True)
class Outcome:
    stream: Stream
    code: int
    seconds: float
    cpu_seconds: float

    @property
    def line(self) -> str:
        verdict = "passed" if self.code in PASSED else "FAILED"
        return (
            f"{verdict}  {self.seconds:4.0f} s, {self.cpu_seconds:4.0f} s of processor time:"
            f" {self.stream.name}"
        )

    @property
    def failures(self) -> list[str]:
        """The lines in which pytest names what failed; the last one, if it could not even start."""
        lines = self.stream.log.read_text(errors="replace").splitlines()
        named = [line for line in lines if line.startswith(NAMING)]
        return [] if self.code in PASSED else named or lines[-1:]


def list_streams() -> list[Stream]:
    """The long ones first. Whatever has no stream of its own is among all others."""
    apps = list_apps()
    return [
        _lively("Every page and the story", *PAGES),
        _lively(DEPLOY, DEPLOY, *_without(FAULTS)),
        _lively("Faults of the crowd", FAULTS),
        _lively(BROWSER, BROWSER, *_without(*PAGES)),
        _lively(CROWD, CROWD),
        _lively("PostgreSQL", "tests/annotation", "--database=postgresql"),
        _quiet("All others", "tests", *_without(BROWSER, DEPLOY, CROWD, *apps, *MODELS)),
        _quiet("Models", *MODELS),
        *(_quiet(name, name, *_without(*MODELS)) for name in apps),
        Stream("Style, types and migrations", [*GIVING_WAY, *CHECKS]),
    ]


def list_apps() -> list[str]:
    """Other folders of tests/annotation that have tests; the longest first, then by name."""
    folders = sorted(path for path in (TESTS / "annotation").iterdir() if path.is_dir())
    tested = [path for path in folders if any(path.rglob("test_*.py")) and _name(path) != CROWD]
    order = {name: number for number, name in enumerate(LONG)}
    return [_name(path) for path in sorted(tested, key=lambda path: order.get(path.name, 9))]


def _without(*names: str) -> list[str]:
    return [f"--ignore={name}" for name in names]


def _lively(name: str, *arguments: str) -> Stream:
    """One with servers, or that waits for the clock."""
    return Stream(name, [*PYTEST, *arguments, UNNEEDED])


def _quiet(name: str, *arguments: str) -> Stream:
    """One without servers, whose tests no other process waits for."""
    lean = [] if name == SCHEMA else [UNNEEDED]
    return Stream(name, [*GIVING_WAY, *PYTEST, *arguments, *lean], only_calculates=True)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run(stream: Stream, is_over: Callable[[], bool]) -> Outcome:
    """Run it to its end, with what it prints in its log; if all is over by now, not for long."""
    started = time.monotonic()
    with stream.log.open("wb") as output:
        process = subprocess.Popen(
            stream.command,
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD, SHARED: str(LOGS / "prepared")},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        running.append(process)
        if is_over():
            process.send_signal(signal.SIGINT)
        # Unlike Popen.wait, this tells the processor time of the stream and all it started.
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu_seconds = used.ru_utime + used.ru_stime
    return Outcome(stream, process.returncode, time.monotonic() - started, cpu_seconds)


class Queue:
    """Streams in their order, but that none which only calculates begins where too many do."""

    def __init__(self, streams: list[Stream]) -> None:
        self._waiting = list(streams)
        self._calculating = 0
        self._is_closed = False
        self._changed = threading.Condition()

    def run_next(self) -> Outcome:
        stream = self._take()
        try:
            return run(stream, lambda: self._is_closed)
        finally:
            self._leave(stream)

    def _take(self) -> Stream:
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._find() is not None)
            if self._is_closed:
                raise CancelledError
            stream = self._waiting.pop(self._find() or 0)
            self._calculating += stream.only_calculates
            return stream

    def _find(self) -> int | None:
        """The place of the first that may begin."""
        is_full = self._calculating >= PROCESSORS
        allowed = (
            place
            for place, stream in enumerate(self._waiting)
            if not (is_full and stream.only_calculates)
        )
        return next(allowed, None)

    def close(self) -> None:
        """Nothing more begins."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _leave(self, stream: Stream) -> None:
        with self._changed:
            self._calculating -= stream.only_calculates
            self._changed.notify_all()


def run_all(streams: list[Stream]) -> Generator[Outcome]:
    """Give each outcome as soon as it is there."""
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    queue = Queue(streams)
    lanes = ThreadPoolExecutor(LANES)
    try:
        for future in as_completed([lanes.submit(queue.run_next) for _ in streams]):
            yield future.result()
    finally:
        queue.close()
        stop_what_runs()
        lanes.shutdown(cancel_futures=True)


def stop_what_runs() -> None:
    """Whoever breaks off leaves no server and no browser behind: pytest puts its own away."""
    for process in running:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)


def show(outcome: Outcome) -> None:
    print(f"== {outcome.stream.name}", flush=True)
    print(outcome.stream.log.read_text(errors="replace"), flush=True)


def main() -> int:
    # A shell lets what it starts in the background ignore interrupts, and the streams inherit that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    outcomes = []
    for outcome in run_all(list_streams()):
        show(outcome)
        outcomes.append(outcome)
    print("== Everything that was tested")
    print(*(outcome.line for outcome in outcomes), sep="\n")
    print(*(failure for outcome in outcomes for failure in outcome.failures), sep="\n")
    return int(any(outcome.code not in PASSED for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
