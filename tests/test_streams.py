"""The parts of the tests: together all of them, and no failure goes unsaid."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import streams
from tests.streams import ROOT, Outcome, Stream, list_streams

SUMMARY = """
ERROR    django.request: a line that a report may hold
FAILED tests/a.py::test_it - assert 1 == 2
ERROR tests/b.py::test_it - no such file
2 failed in 3 s
"""


def is_in(path: Path, stream: Stream) -> bool:
    if streams.PYTEST[-1] not in stream.command:
        return False
    arguments = stream.command[stream.command.index(streams.PYTEST[-1]) + 1 :]
    given = [ROOT / argument for argument in arguments if not argument.startswith("--")]
    left_out = [
        ROOT / argument.removeprefix("--ignore=")
        for argument in arguments
        if argument.startswith("--ignore=")
    ]
    around = {path, *path.parents}
    return bool(around.intersection(given)) and not around.intersection(left_out)


def test_it_runs_every_test_once_and_some_again_on_postgresql():
    once = [stream for stream in list_streams() if stream.name != "PostgreSQL"]
    for path in (ROOT / "tests").rglob("test_*.py"):
        assert [stream.name for stream in once if is_in(path, stream)] != [], path
        assert len([stream for stream in once if is_in(path, stream)]) == 1, path
    assert len(once) == len(list_streams()) - 1


def test_it_checks_style_types_and_migrations_beside_them():
    (checks,) = (stream for stream in list_streams() if "make" in stream.command)
    assert checks.command[-2:] == ["lint", "migrations-check"]


def test_it_keeps_a_log_of_each():
    logs = {stream.log for stream in list_streams()}
    assert len(logs) == len(list_streams())
    assert {log.parent for log in logs} == {streams.LOGS}


@pytest.mark.parametrize(
    ("code", "printed", "failures"),
    [
        (0, SUMMARY, []),
        (5, "no tests ran", []),
        (1, SUMMARY, SUMMARY.splitlines()[2:4]),
        (
            2,
            "E501\nmake: *** [Makefile:36: lint] Error 1\n",
            ["make: *** [Makefile:36: lint] Error 1"],
        ),
        (4, "usage: pytest\npytest: error: no such option", ["pytest: error: no such option"]),
        (-9, "", []),
    ],
)
def test_it_names_what_failed(
    code: int,
    printed: str,
    failures: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(streams, "LOGS", tmp_path)
    outcome = Outcome(Stream("tests/a", []), code, 3.0, 2.0)
    outcome.stream.log.write_text(printed)
    assert outcome.failures == failures
    assert outcome.line.startswith("passed" if code in (0, 5) else "FAILED")


def test_it_tells_the_outcome_of_a_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "LOGS", tmp_path)
    # Nothing of ours is loaded before it finds out.
    wrong = [*streams.PYTEST, "--noconftest", "-pno:django", f"-c{os.devnull}", "--no-such-option"]
    (outcome,) = streams.run_all([Stream("wrong", wrong)])
    assert outcome.code == 4
    assert outcome.cpu_seconds > 0
    assert "unrecognized arguments: --no-such-option" in outcome.stream.log.read_text()


def test_it_lets_no_more_calculate_than_there_are_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(streams, "LOGS", tmp_path)
    monkeypatch.setattr(streams, "PROCESSORS", 1)
    command = ["sh", "-c", "date +%s.%N; sleep 0.1; date +%s.%N"]
    parts = [Stream(str(number), command, only_calculates=True) for number in range(3)]
    parts.append(Stream("lively", ["true"]))
    outcomes = [outcome.stream for outcome in streams.run_all(parts)]
    assert outcomes == [parts[3], *parts[:3]]
    times = [time for stream in outcomes for time in stream.log.read_text().split()]
    assert times == sorted(times)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """As main makes it, also where a shell has started the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_it_begins_nothing_more_once_it_is_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interruptible: None
):
    monkeypatch.setattr(streams, "LOGS", tmp_path)
    monkeypatch.setattr(streams, "PROCESSORS", 1)
    endless = [Stream(str(number), ["sleep", "600"], only_calculates=True) for number in range(3)]
    outcomes = streams.run_all([Stream("quick", ["true"]), *endless])
    assert next(outcomes).stream.name == "quick"
    outcomes.close()
    assert len(list(tmp_path.glob("[0-9].log"))) <= 1
