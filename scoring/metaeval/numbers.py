"""Numbers as a report keeps them: rounded, and null where nothing is known."""

from __future__ import annotations

import math
from collections.abc import Iterable

# Ten decimals are far beyond what any figure means, and hide how a machine adds up.
DECIMALS = 10


def kept(value: float) -> float | None:
    value = float(value)
    return round(value, DECIMALS) + 0.0 if math.isfinite(value) else None


def kept_all(values: Iterable[float]) -> list[float | None]:
    return [kept(value) for value in values]
