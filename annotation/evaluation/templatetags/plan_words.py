"""How pages put plans and curves into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.crowd.campaigns.models import ProviderName
from annotation.wording import choose_plural, counted

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
    parts = [] if money is None else [price(money).removesuffix(".00")]
    if hours is not None:
        words = ngettext(
            "{hours:g} hour of writing", "{hours:g} hours of writing", choose_plural(hours)
        )
        parts.append(words.format(hours=hours))
    return _(" and ").join(parts) or _("any budget")


@register.filter
def goal_words(asked: Mapping[str, Any]) -> str:
    if asked.get("goal_width"):
        return _("intervals no wider than {goal_width:g}").format(goal_width=asked["goal_width"])
    if asked.get("goal_difference"):
        share = _("{value:.0f} % of the time").format(value=100 * asked["power"])
        return _("a difference of {goal_difference:g} detected {share}").format(
            goal_difference=asked["goal_difference"], share=share
        )
    return _("the best ranking within the budget")


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
        return _("Nobody writes: STUs are used for all {sentences}.").format(
            sentences=counted(total, "sentence", "sentences")
        )
    if row["written"] >= total:
        return _("SCUs for all {sentences}: {tell_new}.").format(
            sentences=counted(total, "sentence", "sentences"), tell_new=_tell_new(row)
        )
    which = _("those predicted to be hardest") if asked["is_ranked"] else _("drawn at random")
    return _(
        "SCUs for {written:,} of {sentences}, {which}: {tell_new}. The others use STUs."
    ).format(
        written=row["written"],
        sentences=counted(total, "sentence", "sentences"),
        which=which,
        tell_new=_tell_new(row),
    )


def _tell_new(row: Mapping[str, Any]) -> str:
    """How many of the sentences with SCUs somebody still has to write."""
    existing = row.get("existing", 0)
    new = row["written"] - existing
    if not existing:
        return _("people write {new:,}").format(new=new)
    return _("{existing:,} already written, {new:,} to write").format(existing=existing, new=new)


def _tell_judging(row: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    of = (
        _(" of {examples:,}").format(examples=asked["examples"])
        if row["examples"] < asked["examples"]
        else ""
    )
    scored = _("{examples:,}{of} examples are scored").format(examples=row["examples"], of=of)
    each = _("{judges} per HIT").format(judges=counted(row["judges"], "judge", "judges"))
    if row["combination"] == "judge":
        return _("{scored}, all by the judge (model); no people are needed.").format(scored=scored)
    if row["combination"] == "people":
        return _("{scored}, all by people, {each}.").format(scored=scored, each=each)
    joined = (
        _("a system’s score is the plain mean over both")
        if row["combination"] == "plain"
        else _("people’s answers correct the judge")
    )
    return _(
        "{scored}: people judge {people:,} of them ({each}), the judge (model) the rest; {joined}."
    ).format(scored=scored, people=row["people"], each=each, joined=joined)
