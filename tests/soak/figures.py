"""What the answers amount to: percentiles by kind, alone and under load, and their ratio."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tests.soak.log import Answer, Loss

# Kinds of requests that somebody looks at while they wait. Jobs are begun, and exports downloaded.
INTERACTIVE = ("studio", "work", "page", "poll")
# A process that was killed takes its lines along, and those that come while nobody listens.
AFTER_A_KILL = 10.0


class Row(NamedTuple):
    """One kind of request: how many, and seconds."""

    kind: str
    requests: int
    p50: float
    p95: float
    longest: float
    alone: float | None

    @property
    def ratio(self) -> float | None:
        return self.p95 / self.alone if self.alone else None


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that so large a share of all do not exceed."""
    if not values:
        raise ValueError("no value, so no percentile")
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def is_interactive(kind: str) -> bool:
    return kind.partition(":")[0] in INTERACTIVE


def make_rows(answers: Iterable[Answer], alone: Iterable[Answer]) -> list[Row]:
    under_load, before = _by_kind(answers), _by_kind(alone)
    return [
        Row(
            kind,
            len(times),
            percentile(times, 0.5),
            percentile(times, 0.95),
            max(times),
            percentile(before[kind], 0.95) if kind in before else None,
        )
        for kind, times in sorted(under_load.items())
    ]


def _by_kind(answers: Iterable[Answer]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for answer in answers:
        found[answer.kind].append(answer.seconds)
    return dict(found)


def p95_of_mix(answers: Iterable[Answer], mix: Iterable[Answer]) -> float:
    """The p95 that `answers` would have if their kinds were as frequent as in `mix`.

    One client alone asks for every kind equally often; the lab does not. Kinds that only one of
    the two has are left out.
    """
    times, wanted = _by_kind(answers), _by_kind(mix)
    weighed = sorted(
        (seconds, len(wanted[kind]) / len(found))
        for kind, found in times.items()
        if kind in wanted
        for seconds in found
    )
    if not weighed:
        raise ValueError("the two have no kind in common")
    left = 0.95 * sum(weight for _, weight in weighed)
    for seconds, weight in weighed:
        left -= weight
        if left <= 1e-9:
            return seconds
    return weighed[-1][0]


def compare(answers: Iterable[Answer], alone: Iterable[Answer]) -> tuple[float, float]:
    """The p95 of interactive requests under load and alone, both of the load's mix."""
    load = [row for row in answers if is_interactive(row.kind)]
    before = [row for row in alone if is_interactive(row.kind)]
    return p95_of_mix(load, [row for row in load if _is_in(row.kind, before)]), p95_of_mix(
        before, load
    )


def _is_in(kind: str, answers: Sequence[Answer]) -> bool:
    return any(row.kind == kind for row in answers)


def count_statuses(answers: Iterable[Answer], least: int, below: int) -> int:
    return sum(least <= answer.status < below for answer in answers)


def list_unexplained(losses: Iterable[Loss], kills: Iterable[float]) -> list[Loss]:
    """Lines that broke when no web process had just been killed."""
    moments = list(kills)
    return [
        loss
        for loss in losses
        if not any(-1 <= loss.at - moment <= AFTER_A_KILL for moment in moments)
    ]
