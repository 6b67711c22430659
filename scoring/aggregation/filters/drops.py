"""What a rule decides: to leave out an assignment, with the reason and the figures behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Drop:
    """An assignment that a rule leaves out. Nothing is deleted: whoever aggregates may overrule."""

    assignment: int
    worker: int
    rule: str
    reason: str
    figures: Mapping[str, float] = field(default_factory=dict)
