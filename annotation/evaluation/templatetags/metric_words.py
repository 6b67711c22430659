"""How pages about metrics put numbers and options into words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

register = template.Library()

NOTHING = "–"
LARGE = 100


@register.filter
def measure(value: float | None) -> str:
    """A number of any size, as long as the page needs it; a true minus."""
    if value is None:
        return NOTHING
    return f"{value:,.{1 if abs(value) >= LARGE else 4}f}".replace("-", "−")


@register.filter
def option_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


@register.filter
def yesno_words(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


@register.filter
def percents(shares: Sequence[float]) -> str:
    """Shares as a list of percentages: 10, 20 and 30 %."""
    told = [f"{100 * share:g}" for share in shares]
    return f"{' and '.join([', '.join(told[:-1]), told[-1]] if told[1:] else told)} %"


@register.filter
def lost(value: float | None) -> str:
    """A share that may be below 0, in percent; a true minus."""
    return NOTHING if value is None else f"{100 * value:.1f} %".replace("-", "−")
