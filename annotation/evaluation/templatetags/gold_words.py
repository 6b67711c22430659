"""How pages about labels put figures, rules and states into words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from annotation.evaluation.labels.wording import RULE_NAMES, TIE_NAMES, VOTE_NAMES, tell_recipe

register = template.Library()

NOTHING = "–"


@register.filter
def figure(value: float | None, digits: int = 3) -> str:
    """A figure between -1 and 1 as papers print it, with a true minus; a dash for none."""
    return NOTHING if value is None else f"{value:.{digits}f}".replace("-", "−")


@register.filter
def signed(value: float | None, digits: int = 3) -> str:
    """With its sign; a true minus, so that it is as wide as the plus."""
    if value is None:
        return NOTHING
    text = f"{value:+,.{digits}f}"
    return f"±{text[1:]}" if not text.strip("+-0.") else text.replace("-", "−")


@register.filter
def share(value: float | None, digits: int = 1) -> str:
    return NOTHING if value is None else f"{100 * value:.{digits}f} %"


@register.filter
def p_value(value: float | None) -> str:
    """Never 0: what is too small is shown as a bound."""
    if value is None:
        return NOTHING
    if value > 0.9995:
        return "1"
    return "< .001" if value < 0.001 else f"{value:.3f}".lstrip("0")


@register.filter
def rule_name(rule: str) -> str:
    return RULE_NAMES.get(rule, rule)


@register.filter
def vote_name(vote: str) -> str:
    return VOTE_NAMES.get(vote, vote)


@register.filter
def tie_name(tie: str) -> str:
    return TIE_NAMES.get(tie, tie)


@register.filter
def recipe_words(recipe: Mapping[str, Any]) -> list[str]:
    return tell_recipe(recipe)


@register.filter
def less(one: float | None, other: float | None) -> float | None:
    """The difference, where both are known."""
    return None if one is None or other is None else one - other
