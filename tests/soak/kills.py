"""Killing processes of a running lab, as the kernel kills one that takes too much memory."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psutil

from tests.servers import Lab, Part, answers, is_ready, signal_all, wait_until
from tests.soak.load import WEB_CHILD, WORKER, WORKER_CHILD

PATIENCE = 120.0
WATCHED = 0.5
Killed = tuple[int, Callable[[], bool]]


@dataclass(frozen=True, slots=True)
class Kill:
    """Who was killed when, and after how many seconds there was another in their place."""

    at: float
    victim: str
    pid: int
    back_after: float | None


def kill(lab: Lab, victim: str, at: float) -> Kill:
    """Kill one, and wait for what comes back: by gunicorn, by Celery, by who runs containers."""
    pid, is_back = VICTIMS[victim](lab)
    begun = time.monotonic()
    try:
        wait_until(is_back, f"there is another {victim}", PATIENCE)
    except AssertionError:
        return Kill(at, victim, pid, None)
    return Kill(at, victim, pid, time.monotonic() - begun)


def kill_web_child(lab: Lab) -> Killed:
    """One of gunicorn's processes; what it had in hand is lost to whoever asked for it."""
    parent = psutil.Process(lab.parts["web"].process.pid)
    number = len(parent.children())
    pid = _kill_busiest(parent.children())
    return pid, lambda: _is_replaced(parent, pid, number) and answers(lab.base_url)


def kill_worker(lab: Lab) -> Killed:
    """The whole of the worker that works most, with its sweeper; then started as compose does."""
    part = max(_workers(lab), key=lambda part: _cpu_of(_pool(part)))
    pid = part.process.pid
    signal_all([psutil.Process(pid), *_pool(part)], signal.SIGKILL)
    part.process.wait()
    part.start()
    return pid, lambda: is_ready(lab, part)


def kill_worker_child(lab: Lab) -> Killed:
    """The process in which a worker runs jobs, the busiest of all; Celery puts another there."""
    busy = max(_workers(lab), key=lambda part: _cpu_of(_pool(part)))
    parent = psutil.Process(busy.process.pid)
    number = len(parent.children())
    pid = _kill_busiest(parent.children())
    return pid, lambda: _is_replaced(parent, pid, number)


def end_workers(lab: Lab) -> None:
    """At the end of all. A worker that is only asked finishes its job first, which may be long."""
    for part in _workers(lab):
        if part.process.poll() is None:
            signal_all([psutil.Process(part.process.pid), *_pool(part)], signal.SIGKILL)


VICTIMS: dict[str, Callable[[Lab], Killed]] = {
    WEB_CHILD: kill_web_child,
    WORKER: kill_worker,
    WORKER_CHILD: kill_worker_child,
}


def _workers(lab: Lab) -> list[Part]:
    return [part for name, part in lab.parts.items() if name.startswith("worker")]


def _pool(part: Part) -> list[psutil.Process]:
    return list(psutil.Process(part.process.pid).children(recursive=True))


def _kill_busiest(processes: Sequence[psutil.Process]) -> int:
    victim = max(processes, key=lambda process: _cpu_of([process]))
    victim.kill()
    return int(victim.pid)


def _cpu_of(processes: Sequence[psutil.Process]) -> float:
    """What they use of a processor, looked at for a moment."""
    found = 0.0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            found += process.cpu_percent(WATCHED)
    return found


def _is_replaced(parent: psutil.Process, killed: int, number: int) -> bool:
    alive = [row.pid for row in parent.children() if _is_alive(row)]
    return len(alive) >= number and killed not in alive


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
