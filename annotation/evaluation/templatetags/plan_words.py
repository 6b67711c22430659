"""How pages put plans and curves into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import template

from annotation.crowd.models import ProviderName
from annotation.translation import gettext as _
from annotation.translation import ngettext
from annotation.wording import counted

register = template.Library()

NOTHING = "–"


@register.filter
def named(value: str, names: Mapping[str, str]) -> str:
    """A judge by the name that people see."""
    return names.get(value, value)


@register.filter
def price(value: Any) -> str:
    """Dollars and cents; what is finer is rounded, since no budget is."""
    return NOTHING if value is None else f"${Decimal(str(value)):,.2f}"


@register.filter
def budget_words(asked: Mapping[str, Any]) -> str:
    money, hours = asked.get("money"), asked.get("hours")
    parts = [
        *([] if money is None else [price(money).removesuffix(".00")]),
        *(
            []
            if hours is None
            else [
                ngettext("{hours:g} hour of writing", "{hours:g} hours of writing", hours).format(
                    hours=hours
                )
            ]
        ),
    ]
    return _(" and ").join(parts) or "any budget"


@register.filter
def goal_words(asked: Mapping[str, Any]) -> str:
    if asked.get("goal_width"):
        return f"intervals no wider than {asked['goal_width']:g}"
    if asked.get("goal_difference"):
        share = f"{100 * asked['power']:.0f} % of the time"
        return f"a difference of {asked['goal_difference']:g} detected {share}"
    return "the best ranking within the budget"


@register.filter
def prior_name(prior: str) -> str:
    """The published study that stands for a missing pilot, as its authors write it."""
    return {"realsumm": "REALSumm", "pyrxsum": "PyrXSum"}.get(prior, prior)


@register.filter
def provider_name(provider: str) -> str:
    """As on the pages of campaigns."""
    return ProviderName(provider).label if provider in ProviderName else provider


@register.filter
def adds(row: Mapping[str, Any], figure: str) -> Sequence[float | None]:
    """What a plan gives beyond the best one that costs the least money: value, low, high."""
    found = row.get("adds", {}).get(figure) or (None,) * 3
    return found if found[0] is not None else ()


@register.filter
def plan_words(row: Mapping[str, Any], asked: Mapping[str, Any]) -> list[str]:
    """What a plan has people and machines do, a sentence a part."""
    return [_tell_writing(row, asked), _tell_judging(row, asked)]


def _tell_writing(row: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    total = round(asked["sentences"] * row["examples"])
    if not row["written"]:
        return f"Nobody writes: STUs are used for all {counted(total, 'sentence', 'sentences')}."
    if row["written"] >= total:
        return f"SCUs for all {counted(total, 'sentence', 'sentences')}: {_tell_new(row)}."
    which = "those predicted to be hardest" if asked["is_ranked"] else "drawn at random"
    return (
        f"SCUs for {row['written']:,} of {counted(total, 'sentence', 'sentences')}, {which}: {_tell_new(row)}. "
        "The others use STUs."
    )


def _tell_new(row: Mapping[str, Any]) -> str:
    """How many of the sentences with SCUs somebody still has to write."""
    existing = row.get("existing", 0)
    new = row["written"] - existing
    if not existing:
        return f"people write {new:,}"
    return f"{existing:,} already written, {new:,} to write"


def _tell_judging(row: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    of = f" of {asked['examples']:,}" if row["examples"] < asked["examples"] else ""
    scored = f"{row['examples']:,}{of} examples are scored"
    each = f"{counted(row['judges'], 'judge', 'judges')} per HIT"
    if row["combination"] == "judge":
        return f"{scored}, all by the judge (model); no people are needed."
    if row["combination"] == "people":
        return f"{scored}, all by people, {each}."
    joined = (
        "a system’s score is the plain mean over both"
        if row["combination"] == "plain"
        else "people’s answers correct the judge"
    )
    return (
        f"{scored}: people judge {row['people']:,} of them ({each}), the judge (model) the rest; "
        f"{joined}."
    )
