"""Processes: which one is it, does it live, and how it is told to go with its parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Ask the kernel to stop this process when its parent dies. Kept across exec; Linux only."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise SystemExit("The supervisor has already stopped.")


def birth_of(pid: int) -> str:
    """When a process was started, "" if there is none. With the number it names one process."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return "" if Path("/proc/self").exists() else _birth_by_ps(pid)
    state, *rest = status.rpartition(")")[2].split()
    return "" if state == "Z" else rest[18]


def end_group(leader: int, *, patience: float) -> None:
    """Stop a process and its group: politely first, then, after `patience` seconds, for good."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(leader, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while birth_of(leader) and time.monotonic() < deadline:
        time.sleep(0.05)
    kill_group(leader)


def kill_group(leader: int) -> None:
    """Kill whatever is left of a group: a pool process may outlive the one that started it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _birth_by_ps(pid: int) -> str:
    found = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return found.stdout.strip()
