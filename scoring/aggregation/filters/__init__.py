"""Rules that leave out assignments, by name. A rule decides; it never deletes."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping

from scoring.aggregation.answers import Answers, Mask
from scoring.aggregation.filters import fast, gold, per_summary, per_worker, straight_lining
from scoring.aggregation.filters.drops import Drop
from scoring.errors import InputError
from scoring.translation import gettext as _

FILTERS: dict[str, Callable[..., list[Drop]]] = {
    rule.NAME: rule.find_drops for rule in (per_summary, per_worker, gold, fast, straight_lining)
}


def default_options(name: str) -> dict[str, float]:
    """The thresholds of a rule and what they are unless told."""
    if name not in FILTERS:
        raise InputError(
            _("There is no filter '{name}'. Use one of {filters}.").format(
                name=name, filters=", ".join(FILTERS)
            )
        )
    parameters = inspect.signature(FILTERS[name]).parameters.values()
    return {item.name: item.default for item in parameters if item.kind is item.KEYWORD_ONLY}


def complete_options(name: str, options: Mapping[str, float]) -> dict[str, float]:
    """The options of a rule with the defaults filled in; an unknown or negative one is an error."""
    known = default_options(name)
    for option, value in options.items():
        if option not in known:
            listed = ", ".join(known) or "none"
            raise InputError(
                _("Filter '{name}' has no option '{option}'. Options: {listed}.").format(
                    name=name, option=option, listed=listed
                )
            )
        if not math.isfinite(value) or value < 0:
            raise InputError(
                _("Filter '{name}': {option} is {value}. Expected a number of at least 0.").format(
                    name=name, option=option, value=value
                )
            )
    return known | dict(options)


def find_drops(
    answers: Answers, name: str, kept: Mask | None = None, **options: float
) -> list[Drop]:
    """What the rule called *name* would leave out of the kept assignments."""
    chosen = complete_options(name, options)
    return FILTERS[name](answers, answers.everyone() if kept is None else kept, **chosen)


__all__ = ["FILTERS", "Drop", "complete_options", "default_options", "find_drops"]
