"""A child that dies is started again, at a slowing pace."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time

import pytest

from deploy import children
from deploy.children import Child, describe_end
from deploy.processes import birth_of
from deploy.supervisor import Supervisor
from tests.servers import wait_until

# More than a pipe holds.
CHATTY = """
from pathlib import Path
for _ in range(3000):
    print("x" * 100, flush=True)
Path("{0}").touch()
"""


def child_of(line, said):
    return Child("child", [sys.executable, "-c", line], said.append)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(children, "FIRST_PAUSE", 0.1)


@pytest.mark.parametrize(
    ("code", "expected"), [(0, "stopped with code 0"), (3, "stopped with code 3")]
)
def test_it_says_how_a_process_ended(code, expected):
    assert describe_end(code) == expected


def test_it_names_the_signal_that_ended_a_process():
    assert describe_end(-signal.SIGKILL) == "was ended by SIGKILL"


def test_it_passes_lines_on_under_its_name():
    said: list[str] = []
    child = child_of("print('one'); print('two')", said)
    child.start()
    wait_until(lambda: len(said) == 2, "both lines arrive")
    assert said == ["child  | one", "child  | two"]
    child.wait(time.monotonic() + 120)


def test_it_starts_again_after_longer_and_longer_pauses(quick):
    said: list[str] = []
    child = child_of("raise SystemExit(3)", said)
    child.start()
    wait_until(lambda: child.revive() and child.starts == 4, "the child starts again three times")
    child.wait(time.monotonic() + 120)
    assert said == [
        f"child stopped with code 3. It restarts in {pause} s." for pause in ("0.1", "0.2", "0.4")
    ]


def test_it_lets_a_living_child_be():
    child = child_of("import time; time.sleep(60)", [])
    child.start()
    assert child.revive() is False
    child.ask_to_stop()
    child.wait(time.monotonic() + 120)
    assert birth_of(child.pid) == ""


def test_it_kills_a_child_that_will_not_stop():
    said: list[str] = []
    child = child_of(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "print('deaf', flush=True); time.sleep(60)",
        said,
    )
    child.start()
    wait_until(lambda: bool(said), "the child is deaf to signals")
    child.ask_to_stop()
    child.wait(time.monotonic() + 0.3)
    assert said[-1] == "child did not stop in time and will be killed."
    assert birth_of(child.pid) == ""


def test_a_supervisor_whose_log_is_on_a_full_disk_goes_on(tmp_path, monkeypatch, disk):
    """A child whose lines nobody takes would stand still once the pipe is full."""
    full = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w")
    with socket.socket() as listener:
        supervisor = Supervisor(disk.folder, listener)
        monkeypatch.setattr(sys, "stdout", full)
        code = CHATTY.format(tmp_path / "end")
        child = Child("child", [sys.executable, "-c", code], supervisor.say)
        child.start()
        wait_until((tmp_path / "end").exists, "the child says all that it has to say", 60)
        disk.fill()
        supervisor._write_roll()
        monkeypatch.undo()
    with pytest.raises(OSError):
        full.close()
    assert [path.name for path in disk.folder.iterdir() if path.name != "ballast"] == []
