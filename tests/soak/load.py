"""How much is asked of the server: people, their pace, the sizes of jobs, when things happen."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WEB_CHILD, WORKER, WORKER_CHILD = "web process", "worker", "worker's pool process"
SLOW_CLIENTS, DRIP_WEBHOOK, REDIS_AWAY = "slow clients", "dripping webhook", "Redis away"
LOCK, FULL_DISK, CLOCK_AHEAD = "database locked", "full disk", "clock two hours ahead"
PUBLISHES, DOUBLE_SUBMITS = "eight publishes at once", "double submits"
# How long each fault lasts, in seconds; the last two end when they are done.
FAULTS = {
    SLOW_CLIENTS: 30.0,
    DRIP_WEBHOOK: 40.0,
    REDIS_AWAY: 20.0,
    LOCK: 35.0,
    FULL_DISK: 20.0,
    CLOCK_AHEAD: 45.0,
    PUBLISHES: 0.0,
    DOUBLE_SUBMITS: 0.0,
}
# Kills and faults come in this part of the load, each in a slot of its own.
FIRST_SLOT, LAST_SLOT = 0.26, 0.88
# Of a slot, what a fault may take; the rest is for healing.
MOST_OF_SLOT = 0.6
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Load:
    """`Span`s are seconds between two actions of one person, drawn evenly."""

    seconds: float
    authors: int = 5
    workers: int = 70
    readers: int = 24
    saving: Span = (2.0, 6.0)
    judging: Span = (20.0, 40.0)
    reading: Span = (4.0, 10.0)
    exporting: Span = (15.0, 30.0)
    # How often a page that waits for something asks.
    polling: float = 2.0
    # The study that is worked on: its examples, its systems, and how many of them people judge.
    examples: int = 100
    systems: int = 25
    judged_systems: int = 4
    units: int = 8
    judge: str = "embedded"
    # The study that is imported meanwhile.
    import_examples: int = 4000
    import_systems: int = 8
    # How often each kind of request is made by one client alone, and how many of those don't count.
    alone: int = 45
    alone_first: int = 5
    victims: tuple[str, ...] = (WEB_CHILD, WORKER, WORKER_CHILD)
    faults: tuple[str, ...] = tuple(FAULTS)
    seed: int = 20240517

    @property
    def hits(self) -> int:
        return self.examples * self.judged_systems

    @property
    def places(self) -> int:
        """Assignments of a HIT: more than the workers can do, so that none stands idle."""
        paced = self.workers * self.seconds / self.judging[0]
        wanted = paced + self.alone + self.workers
        return max(2, math.ceil(1.1 * wanted / self.hits))

    @property
    def least_saves(self) -> float:
        """Half of what the pace allows; with less, nothing would be proved."""
        return self.authors * self.seconds / self.saving[1] / 2

    @property
    def least_submitted(self) -> float:
        return self.workers * self.seconds / self.judging[1] / 2


@dataclass(frozen=True, slots=True)
class Schedule:
    """When things happen, in seconds from the start of the load."""

    import_at: float
    run_at: float
    gold_at: float
    kills: tuple[tuple[float, str], ...]
    faults: tuple[tuple[float, str], ...]
    # The longest that a fault lasts.
    longest: float
    # Memory is compared between these two stretches.
    warm: Span
    end: Span


def draw_schedule(load: Load) -> Schedule:
    """Kills and faults in an order drawn by the seed; jobs begin just before what hits them."""
    rng = random.Random(load.seed)
    events = [*load.victims, *load.faults]
    rng.shuffle(events)
    slot = (LAST_SLOT - FIRST_SLOT) * load.seconds / max(1, len(events))
    moments = {
        event: FIRST_SLOT * load.seconds + slot * (number + rng.uniform(0, 0.1))
        for number, event in enumerate(events)
    }
    lead = min(load.seconds / 20, rng.uniform(3, 6))
    return Schedule(
        import_at=moments.get(WORKER, load.seconds * 0.3) - lead,
        run_at=moments.get(WORKER_CHILD, load.seconds * 0.5) - 2 * lead,
        gold_at=load.seconds * 0.6,
        kills=_list_moments(moments, load.victims),
        faults=_list_moments(moments, load.faults),
        longest=MOST_OF_SLOT * slot,
        warm=(load.seconds * 0.15, load.seconds * 0.25),
        end=(load.seconds * 0.9, load.seconds),
    )


def _list_moments(
    moments: Mapping[str, float], events: Sequence[str]
) -> tuple[tuple[float, str], ...]:
    return tuple(sorted((moments[event], event) for event in events))


def bounded(seconds: float) -> Load:
    """The load of a busy lab for so long; a short one has smaller jobs, so that they end in it."""
    share = min(1.0, seconds / 900)
    return Load(
        seconds,
        systems=max(5, round(25 * share)),
        import_examples=max(400, round(4000 * share)),
        alone=45 if seconds > 300 else 20,
    )
