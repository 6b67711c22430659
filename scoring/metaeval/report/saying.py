"""Figures in words: how a number and its doubt are said, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.figures.axes import short

Estimate = Sequence[float | None]
# How high a correlation is called what, if its interval allows it.
STRONG, WEAK = 0.7, 0.3
WIDE_INTERVAL = 0.4
MOST_LISTED = 4


def told(estimate: Estimate) -> str:
    """.83 (.66 to .85)"""
    value, low, high = estimate
    if low is None or high is None:
        return short(value)
    return f"{short(value)} ({short(low)} to {short(high)})"


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """`a, b and c`; of many the first ones, and how many more there are."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} others"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def gap(value: float) -> str:
    """A difference of scores, to what can be told of it."""
    return f"{value:.2g}".replace("-", "−") if value else "0"


def includes_nought(estimate: Estimate) -> bool:
    _, low, high = estimate
    return low is not None and high is not None and low <= 0 <= high


def is_wide(estimate: Estimate) -> bool:
    _, low, high = estimate
    return low is not None and high is not None and high - low > WIDE_INTERVAL


def say_ranking(estimate: Estimate) -> str:
    """What a correlation at the system level says of a ranking, as far as its interval lets it."""
    value, low, _ = estimate
    if value is None:
        return "can’t be held against people’s ranking"
    if includes_nought(estimate):
        return "may rank systems no better than chance"
    if value < 0:
        return "ranks systems against people"
    if low is None:
        return "ranks these systems much as people do" if value >= STRONG else _say_weaker(value)
    return "ranks systems as people do" if value >= STRONG else _say_weaker(value)


def _say_weaker(value: float) -> str:
    if value >= WEAK:
        return "ranks systems somewhat as people do"
    return "ranks systems only faintly as people do"
