"""A child of the supervisor: started, listened to, started again when it dies, stopped."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

from deploy.processes import kill_group

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
STEADY_AFTER = 30.0


class Child:
    """One long-running command. `starts` counts how often it was started."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        say: Callable[[str], None],
        keep_open: Sequence[int] = (),
    ) -> None:
        self.name = name
        self.starts = 0
        self._command = list(command)
        self._say = say
        self._keep_open = tuple(keep_open)
        self._process: subprocess.Popen[str] | None = None
        self._started_at = 0.0
        self._pause = FIRST_PAUSE
        self._due = 0.0

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    def start(self) -> None:
        # A session of its own: Ctrl-C reaches the supervisor alone, which then stops its children.
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=self._keep_open,
            start_new_session=True,
        )
        self.starts += 1
        self._started_at = time.monotonic()
        threading.Thread(target=self._forward, args=[self._process], daemon=True).start()

    def revive(self) -> bool:
        """Start the command again if it has died and its pause is over. True if it was started."""
        if self._process is None or self._process.poll() is None:
            return False
        now = time.monotonic()
        if not self._due:
            self._note_death(now)
        if now < self._due:
            return False
        self._due = 0.0
        self.start()
        return True

    def ask_to_stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def wait(self, deadline: float) -> None:
        """Wait for the end until `deadline`, then kill what is left."""
        if self._process is None:
            return
        try:
            self._process.wait(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._say(f"{self.name} did not stop in time and will be killed.")
        kill_group(self._process.pid)
        self._process.wait()

    def _note_death(self, now: float) -> None:
        assert self._process is not None
        kill_group(self._process.pid)
        steady = now - self._started_at > STEADY_AFTER
        self._pause = FIRST_PAUSE if steady else self._pause
        self._due = now + self._pause
        why = describe_end(self._process.returncode)
        self._say(f"{self.name} {why}. It restarts in {self._pause:g} s.")
        self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _forward(self, process: subprocess.Popen[str]) -> None:
        """Pass on what the child prints, each line under its name."""
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self._say(f"{self.name:<6} | {line.rstrip()}")


def describe_end(code: int) -> str:
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"stopped with code {code}"
