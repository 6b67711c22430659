"""What clients saw, and what they were promised: every answer, every lost line, every receipt."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple


class Answer(NamedTuple):
    """One request that was answered, when it was sent and how long it took."""

    at: float
    kind: str
    seconds: float
    status: int


class Loss(NamedTuple):
    """A request whose line broke, or that nobody answered."""

    at: float
    kind: str
    why: str


@dataclass
class Log:
    """Filled by all clients at once; a list takes an item whole."""

    begun: float = field(default_factory=time.monotonic)
    answers: list[Answer] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    # What answers with a fault said, to look into it.
    faults: list[str] = field(default_factory=list)

    @property
    def now(self) -> float:
        return time.monotonic() - self.begun

    def restart(self) -> None:
        """The clock, and all that was seen, from here."""
        self.begun = time.monotonic()
        self.answers, self.losses, self.faults = [], [], []


@dataclass
class Promises:
    """What the server said is kept; after the end each is looked for in its database."""

    # The last acknowledged text and revision of each unit, and every acknowledged action.
    units: dict[int, tuple[str, int]] = field(default_factory=dict)
    ops: list[str] = field(default_factory=list)
    submitted: list[str] = field(default_factory=list)
    # By what was exported: a digest for each time.
    exports: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    # Numbers of the import, the run and the gold version that were begun.
    made: dict[str, int] = field(default_factory=dict)
    # What somebody could not bring to its end.
    broken: list[str] = field(default_factory=list)
