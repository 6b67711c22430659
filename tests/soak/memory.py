"""Memory of the server's processes by role, sampled while they run, and how much it has grown.

Counted is the proportional share of each process (PSS), in which what several share is counted
once, without what PostgreSQL's processes share as a buffer: that fills up to its fixed size.
"""

from __future__ import annotations

import contextlib
import re
import statistics
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.soak.load import Span

FIELD = re.compile(r"^(Pss|Pss_Shmem):\s+(\d+) kB$", re.MULTILINE)
Trees = Mapping[str, list[psutil.Process]]


class Size(NamedTuple):
    """One process at one moment, in megabytes."""

    at: float
    role: str
    pid: int
    megabytes: float


@dataclass
class Memory:
    """Looks at all processes now and then. `trees` gives those of the moment, by role."""

    trees: Callable[[], Trees]
    clock: Callable[[], float]
    sizes: list[Size] = field(default_factory=list)

    def watch(self, every: float, over: threading.Event) -> None:
        while not over.wait(every):
            self.look()

    def look(self) -> None:
        at = self.clock()
        for role, processes in self.trees().items():
            for process in processes:
                with contextlib.suppress(psutil.NoSuchProcess, OSError):
                    self.sizes.append(Size(at, role, process.pid, measure(process.pid)))


def measure(pid: int) -> float:
    fields = FIELD.findall(Path(f"/proc/{pid}/smaps_rollup").read_text())
    found = {name: int(number) for name, number in fields}
    return (found["Pss"] - found.get("Pss_Shmem", 0)) / 1024


def with_children(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    found = []
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            found += [process, *process.children(recursive=True)]
    return found


class Growth(NamedTuple):
    """Of a role, or of those of its processes that lived through: before, after, in megabytes."""

    before: float
    after: float

    @property
    def percent(self) -> float:
        return 100 * (self.after / self.before - 1) if self.before else 0.0


def find_growth(sizes: Iterable[Size], warm: Span, end: Span) -> dict[str, Growth]:
    """By role: the median of the sum of its processes in either stretch."""
    sizes = list(sizes)
    before, after = (_sums(_within(sizes, span)) for span in (warm, end))
    return {role: Growth(before[role], after.get(role, 0.0)) for role in before}


def find_growth_of_survivors(sizes: Iterable[Size], warm: Span, end: Span) -> dict[str, Growth]:
    """The same of the processes alone that are there in both: a kill must not hide a growth."""
    sizes = list(sizes)
    lived = {row.pid for row in _within(sizes, warm)} & {row.pid for row in _within(sizes, end)}
    return find_growth([row for row in sizes if row.pid in lived], warm, end)


def _within(sizes: Iterable[Size], span: Span) -> list[Size]:
    return [row for row in sizes if span[0] <= row.at <= span[1]]


def _sums(sizes: Iterable[Size]) -> dict[str, float]:
    moments: dict[str, dict[float, float]] = defaultdict(lambda: defaultdict(float))
    for row in sizes:
        moments[row.role][row.at] += row.megabytes
    return {role: statistics.median(sums.values()) for role, sums in moments.items()}
