"""The one process behind `make run`: it starts web and worker, and lets neither be lost."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from deploy import embedded, env, prepared, probe
from deploy.children import Child
from deploy.processes import birth_of, end_group

PATIENCE = 10.0
TICK = 0.1
STARTS_BEFORE_GIVING_UP = 5


class Supervisor:
    """Runs the children until it is told to stop. All children are started from this thread."""

    def __init__(self, run_folder: Path, listener: socket.socket) -> None:
        # No event: its lock can't be taken by a signal's handler that interrupts whoever holds it.
        self._is_stopping = False
        self._voice = threading.Lock()
        self._lost_lines = 0
        self._roll = run_folder / "children.json"
        descriptor = listener.fileno()
        self._children = [
            Child("web", serve_line("web", "--socket", str(descriptor)), self.say, [descriptor]),
            Child("worker", serve_line("worker"), self.say),
        ]

    def run(self, greeting: str) -> int:
        """Serve until a signal comes. The exit code: 0 after a stop, 1 if a child never got up."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        try:
            for child in self._children:
                child.start()
            self._write_roll()
            return self._watch(greeting)
        finally:
            self._stop_children()

    def say(self, line: str) -> None:
        """Print a line whole. When nobody reads us any more, stop."""
        try:
            with self._voice:
                print(line, flush=True)
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115
            self._stop()
        except OSError:
            # A log on a full disk loses lines. A child whose lines nobody takes would stand still.
            self._lost_lines += 1

    def _stop(self, *_: object) -> None:
        self._is_stopping = True

    def _watch(self, greeting: str) -> int:
        greeted = False
        while not self._is_stopping:
            time.sleep(TICK)
            revived = [child.revive() for child in self._children]
            if any(revived):
                self._write_roll()
            if not greeted and self._all_up():
                self.say(greeting)
                greeted = True
            if not greeted and self._is_hopeless():
                return 1
        return 0

    def _all_up(self) -> bool:
        return probe.worker_is_up(self._children[1].pid) and probe.web_is_up()

    def _is_hopeless(self) -> bool:
        for child in self._children:
            if child.starts > STARTS_BEFORE_GIVING_UP:
                self.say(f"{child.name} can't be started. See the lines above for the reason.")
                return True
        return False

    def _write_roll(self) -> None:
        """Note who our children are, for the next start to clean up should we be killed."""
        pids = [child.pid for child in self._children]
        aside = self._roll.with_suffix(".new")
        try:
            aside.write_text(json.dumps([[pid, birth_of(pid)] for pid in pids]))
            aside.replace(self._roll)
        except OSError as error:
            aside.unlink(missing_ok=True)
            self.say(f"The list of running processes can't be written ({error.strerror}).")

    def _stop_children(self) -> None:
        deadline = time.monotonic() + PATIENCE
        for child in self._children:
            child.ask_to_stop()
        for child in self._children:
            child.wait(deadline)
        self._roll.unlink(missing_ok=True)


def supervise() -> int:
    """Prepare and serve everything on this machine."""
    run_folder = env.data_dir() / "run"
    with (run_folder / "lock").open("w") as lock:
        hold(lock)
        end_left_over(run_folder / "children.json")
        probe.clear_ready_notes()
        clear_temporary(env.data_dir() / "tmp")
        with listen(embedded.host(), embedded.port()) as listener:
            if not prepared.is_prepared():
                code = subprocess.run(
                    serve_line("migrate", "--demo", "--staff"), check=False
                ).returncode
                if code:
                    return code
                prepared.note_prepared()
            return Supervisor(run_folder, listener).run(greeting())


def hold(lock: IO[str]) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise env.EnvError(
            f"DATA_DIR: {str(env.data_dir())!r} is used by a Giza that is running. "
            "Stop it, or use another folder."
        ) from error


def end_left_over(roll: Path) -> None:
    """End the children of a supervisor that was killed before it could."""
    if not roll.exists():
        return
    try:
        left = json.loads(roll.read_text())
    except ValueError:
        left = []  # cut short by a power failure, which no child survived either
    for pid, birth in left:
        if birth and birth_of(pid) == birth:
            end_group(pid, patience=PATIENCE)
    roll.unlink()


def clear_temporary(folder: Path) -> None:
    """What killed processes left there is nobody's: nobody else runs on this folder now."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(exist_ok=True)


def listen(host: str, port: int) -> socket.socket:
    """Open the port here: it stays ours, and callers wait in line, while web starts again."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(512)
    except OSError as error:
        listener.close()
        raise env.EnvError(
            f"PORT: {port} on HOST {host} can't be used ({error.strerror or error}). "
            "Set PORT to a free port."
        ) from error
    return listener


def serve_line(*arguments: str) -> Sequence[str]:
    return [sys.executable, "-m", "deploy.serve", *arguments, "--parent", str(os.getpid())]


def greeting() -> str:
    shown = embedded.bracketed(embedded.reachable(embedded.host()))
    return (
        f"\nGiza is at http://{shown}:{embedded.port()}\n"
        f"Sign in as {embedded.DEMO_EMAIL} with password {os.environ['DEMO_PASSWORD']}\n"
        "Press Ctrl-C to stop it.\n"
    )
