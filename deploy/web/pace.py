"""How long a client may take for what it sends or reads."""

from __future__ import annotations

from time import monotonic

# A request begins and its header arrives within this time.
HEADER_SECONDS = 10.0
# A body arrives, and an answer is read, at this rate after a first grace: a poor line is faster.
GRACE_SECONDS = 15.0
LEAST_RATE = 16 * 1024
# However fast it was before, nobody is waited for longer than this.
LONGEST_SILENCE = 30.0


class TooSlow(Exception):
    """The client holds up its own request; it is cut off."""


class Pace:
    """Measured over all that came so far, so that a byte now and then does not help."""

    def __init__(self) -> None:
        self._begun = monotonic()

    def seconds_left(self, size: int) -> float:
        """How long the next piece may take, after so many bytes."""
        due = self._begun + GRACE_SECONDS + size / LEAST_RATE
        return min(LONGEST_SILENCE, due - monotonic())
