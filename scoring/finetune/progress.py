"""How far a training is, how fast it goes, and how long it will take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Progress:
    """`loss` is the mean of the last steps, None where none is told; pairs are units read with
    their summary, and only those count that were read now, not those remembered.

    `stage` is the fold that is held out, or `all` for the judge itself; `share` is how much of the
    whole run is done, and `seconds_left` is of the whole run, None as long as nothing can be said.
    """

    step: int
    steps: int
    loss: float | None
    pairs_per_second: float
    stage: str = ""
    seconds_left: float | None = None
    share: float = 0.0

    def __str__(self) -> str:
        loss = "" if self.loss is None else f"loss {self.loss:.4f} · "
        rate = f"{self.pairs_per_second:,.0f} pairs/s · " if self.pairs_per_second else ""
        return (
            f"{self.stage}: step {self.step:,} of {self.steps:,} · {loss}{rate}"
            f"{_time(self.seconds_left)}"
        )


Tell = Callable[[Progress], None]


class Meter:
    """Adds up the parts of a run by what each costs, and tells of the whole.

    What an earlier process has done counts as done, but says nothing about this one's pace.
    """

    def __init__(self, costs: Mapping[str, float], tell: Tell) -> None:
        self._costs = dict(costs)
        self._tell = tell
        self._done = self._before = 0.0
        self._began = time.monotonic()

    def skip(self, part: str) -> None:
        """It was done by an earlier process."""
        self._done += self._costs[part]
        self._before += self._costs[part]

    def finish(self, part: str) -> None:
        self._done += self._costs[part]

    def tell(self, part: str, stage: str, found: Progress) -> None:
        total = sum(self._costs.values())
        done = self._done + self._costs[part] * found.step / found.steps
        made, elapsed = done - self._before, time.monotonic() - self._began
        left = elapsed * (total - done) / made if made > 0 else None
        share = done / total if total else 1.0
        self._tell(replace(found, stage=stage, share=share, seconds_left=left))


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "…"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min left"
    return f"{minutes} min {rest} s left" if minutes else f"{rest} s left"
