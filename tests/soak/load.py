"""How much is asked of the server: people, their pace, the sizes of jobs, when things happen."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

WEB_CHILD, WORKER, WORKER_CHILD = "web process", "worker", "worker's pool process"
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Load:
    """`Span`s are seconds between two actions of one person, drawn evenly."""

    seconds: float
    authors: int = 5
    workers: int = 50
    readers: int = 8
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
    # Memory is compared between these two stretches.
    warm: Span
    end: Span


def draw_schedule(load: Load) -> Schedule:
    """Kills at random moments, apart from each other; jobs begin just before what hits them."""
    rng = random.Random(load.seed)
    victims = list(load.victims)
    rng.shuffle(victims)
    third = 0.6 / max(1, len(victims))
    kills = tuple(
        (load.seconds * rng.uniform(0.25 + third * number, 0.25 + third * (number + 0.7)), victim)
        for number, victim in enumerate(victims)
    )
    moments = {victim: at for at, victim in kills}
    lead = min(load.seconds / 20, rng.uniform(3, 6))
    return Schedule(
        import_at=moments.get(WORKER, load.seconds * 0.3) - lead,
        run_at=moments.get(WORKER_CHILD, load.seconds * 0.5) - 2 * lead,
        gold_at=load.seconds * 0.6,
        kills=kills,
        warm=(load.seconds * 0.15, load.seconds * 0.25),
        end=(load.seconds * 0.9, load.seconds),
    )


def bounded(seconds: float) -> Load:
    """The load of a busy lab for so long; a short one has smaller jobs, so that they end in it."""
    share = min(1.0, seconds / 900)
    return Load(
        seconds,
        systems=max(5, round(25 * share)),
        import_examples=max(400, round(4000 * share)),
        alone=45 if seconds > 300 else 20,
    )
