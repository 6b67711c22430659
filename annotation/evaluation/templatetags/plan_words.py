"""How pages put plans and curves into words."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import template

from annotation.wording import counted

register = template.Library()

NOTHING = "–"


@register.filter
def price(value: Any) -> str:
    """Dollars and cents; what is finer is rounded, since no budget is."""
    return NOTHING if value is None else f"${Decimal(str(value)):,.2f}"


@register.filter
def budget_words(asked: Mapping[str, Any]) -> str:
    money, hours = asked.get("money"), asked.get("hours")
    parts = [
        *([] if money is None else [price(money).removesuffix(".00")]),
        *([] if hours is None else [f"{hours:g} hour{'' if hours == 1 else 's'} of writing"]),
    ]
    return " and ".join(parts) or "any budget"


@register.filter
def goal_words(asked: Mapping[str, Any]) -> str:
    if asked.get("goal_width"):
        return f"intervals no wider than {asked['goal_width']:g}"
    if asked.get("goal_difference"):
        share = f"{100 * asked['power']:.0f} times in 100"
        return f"a difference of {asked['goal_difference']:g} told {share}"
    return "the best ranking that the budget buys"


@register.filter
def plan_words(row: Mapping[str, Any], asked: Mapping[str, Any]) -> list[str]:
    """What a plan has people and machines do, a sentence a part."""
    return [_tell_writing(row, asked), _tell_judging(row, asked)]


def _tell_writing(row: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    total = round(asked["sentences"] * row["examples"])
    if not row["written"]:
        return f"Nobody writes: STUs stand in for all {counted(total, 'sentence')}."
    if row["written"] >= total:
        return f"People write SCUs for all {counted(total, 'sentence')}."
    which = "the hardest as foretold" if asked["is_ranked"] else "drawn by lot"
    return (
        f"People write SCUs for {row['written']:,} of {counted(total, 'sentence')}, {which}; "
        "STUs stand in for the others."
    )


def _tell_judging(row: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    of = f" of {asked['examples']:,}" if row["examples"] < asked["examples"] else ""
    scored = f"{row['examples']:,}{of} examples are scored"
    each = f"{counted(row['judges'], 'judge')} a HIT"
    if row["combination"] == "judge":
        return f"{scored}, all by the judge: nobody else is asked."
    if row["combination"] == "people":
        return f"{scored}, all by people, {each}."
    joined = (
        "a system’s score is the mean over all of them, people’s scores and the judge’s alike"
        if row["combination"] == "plain"
        else "people’s answers correct what it says"
    )
    return (
        f"{scored}: people judge {row['people']:,} of them, {each}, the judge the others, and "
        f"{joined}."
    )
