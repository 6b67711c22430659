"""How far a training is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """`loss` is the mean of the last steps, None where none is told; pairs are units met with
    their summary.

    `stage` is the fold that is held out, or `all` for the judge itself; `seconds_left` is of the
    whole run, and None as long as nothing can be said.
    """

    step: int
    steps: int
    loss: float | None
    pairs_per_second: float
    stage: str = ""
    seconds_left: float | None = None

    def __str__(self) -> str:
        loss = "" if self.loss is None else f"loss {self.loss:.4f} · "
        return (
            f"{self.stage}: step {self.step:,} of {self.steps:,} · {loss}"
            f"{self.pairs_per_second:,.0f} pairs/s · {_time(self.seconds_left)}"
        )


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "…"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min left"
    return f"{minutes} min {rest} s left" if minutes else f"{rest} s left"
