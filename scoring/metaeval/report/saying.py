"""Figures in words: how a number and its uncertainty are written, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.figures.axes import short
from scoring.translation import gettext as _
from scoring.translation import ngettext

Estimate = Sequence[float | None]
MOST_LISTED = 4


def estimated(estimate: Estimate) -> str:
    """.83 (.66 to .85)"""
    value, low, high = estimate
    if low is None or high is None:
        return short(value)
    return _("{short} ({short_2} to {short_3})").format(
        short=short(value), short_2=short(low), short_3=short(high)
    )


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """`a, b and c`; of many the first ones, and how many more there are."""
    if len(names) > most + 1:
        return _("{names} and {names_2} others").format(
            names=", ".join(names[:most]), names_2=len(names) - most
        )
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {names_2}").format(names=", ".join(names[:-1]), names_2=names[-1])


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {ngettext(one, many, number)}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def gap(value: float) -> str:
    """A difference of scores, in two digits."""
    return f"{value:.2g}".replace("-", "−") if value else "0"
