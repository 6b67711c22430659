"""The facts in words: what rules, votes and measures are called in a card and in a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.io.gold.records import AgreementFacts, CampaignFacts, GoldFacts, ScoreFacts

VOTES = {
    "majority": "majority vote",
    "dawid-skene": "the model of Dawid and Skene",
    "mace": "MACE",
    "glad": "GLAD",
    "wawa": "Wawa",
}
TIES = {
    "absent": "a tie counts as not present",
    "present": "a tie counts as present",
    "unlabelled": "a tie leaves the unit without a label",
    "random": "a tie is decided at random",
}
FILTERS = {
    "per-summary": "in each summary, the judge who departs most from the majority is left out",
    "per-worker": "workers who disagree too often with the majority are left out",
    "gold": "assignments that fail items with a known answer are left out",
    "fast": "assignments done too fast are left out",
    "straight-lining": "assignments with one answer throughout are left out",
}
MEASURES = {
    "alpha": "Krippendorff's alpha",
    "percent": "percent agreement",
    "fleiss-kappa": "Fleiss' kappa",
}
LEVELS = {
    "summary": "mean over summaries",
    "document": "mean over documents",
    "system": "mean over systems",
    "pooled": "all statements together",
}
UNDEFINED = {
    "one": "counted as 1 where nobody ever disagrees and there is no variation",
    "skip": "left out where there is no variation",
}
METHODS = {
    "exhaustive": "weights of present units over all weights",
    "original": "weights of present units over the best score with as many units",
    "lite": "share of present units in a sample",
}


def number(value: float | None, digits: int = 3) -> str:
    """A share as papers write it; a dash where it can't be told."""
    return "–" if value is None else f"{value:.{digits}f}"


def interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def percent(share: float) -> str:
    return f"{100 * share:g} %"


def listed(words: Iterable[str]) -> str:
    """Words with commas and an *and* before the last."""
    *first, last = list(words) or [""]
    return f"{', '.join(first)} and {last}" if first else last


def counted(count: int, noun: str, several: str = "") -> str:
    return f"{count:,} {noun if count == 1 else several or noun + 's'}"


def measure(facts: AgreementFacts) -> str:
    return MEASURES.get(facts.measure, facts.measure)


def level(facts: AgreementFacts) -> str:
    return LEVELS.get(facts.level, facts.level)


def filters_of(recipe: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(rule, options in words) of each filter of a recipe."""
    steps = recipe.get("filters", ())
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        return [(str(steps), "")]
    return [_filter(step) for step in steps]


def _filter(step: Any) -> tuple[str, str]:
    if not isinstance(step, Mapping):
        return str(step), ""
    options = step.get("options")
    told = options if isinstance(options, Mapping) else {}
    words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in sorted(told.items()))
    return str(step.get("name", "")), words


def filter_words(rule: str) -> str:
    return FILTERS.get(rule, f"the rule {rule}")


def vote_words(recipe: Mapping[str, Any]) -> str:
    """How labels were made, or nothing where the recipe does not say."""
    vote, tie = recipe.get("vote"), recipe.get("tie")
    if vote is None:
        return ""
    words = VOTES.get(str(vote), str(vote))
    if tie is not None:
        words += "; " + TIES.get(str(tie), f"the rule for ties is {tie}")
    return words + (f" (seed {recipe['seed']})" if tie == "random" and "seed" in recipe else "")


def pay_words(campaign: CampaignFacts) -> str:
    """What a HIT paid, and the wage that came of it; nothing where nothing was paid."""
    if not campaign.rewards:
        return ""
    amounts = listed(f"{campaign.currency} {amount}" for amount in campaign.rewards)
    wage = campaign.median_wage
    came = f", a median of {campaign.currency} {wage} an hour" if wage is not None else ""
    return f"{amounts} a HIT{came}"


def present_share(facts: GoldFacts) -> float | None:
    counts = facts.counts
    return counts.present / counts.labels if counts.labels else None


def scores_by_method(facts: GoldFacts) -> list[tuple[str, list[ScoreFacts]]]:
    """Each method's scores, the best first; those that can't be told last."""
    grouped: dict[str, list[ScoreFacts]] = {}
    for item in facts.scores:
        grouped.setdefault(item.method, []).append(item)
    return [(method, sorted(items, key=_best_first)) for method, items in grouped.items()]


def _best_first(item: ScoreFacts) -> tuple[bool, float]:
    return (item.score is None, -(item.score or 0.0))
