"""Recipes in words, and figures as they are stored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scoring.io.gold.wording import vote_words

RULE_NAMES = {
    "per-summary": "Noisiest of a summary",
    "per-worker": "Noisy workers",
    "gold": "Attention items missed",
    "fast": "Too fast",
    "straight-lining": "Straight-lining",
    "decision": "A person’s decision",
    "rejected": "Rejected work",
}
VOTE_NAMES = {
    "majority": "Majority",
    "dawid-skene": "Dawid–Skene",
    "mace": "MACE",
    "glad": "GLAD",
    "wawa": "Wawa",
    "imported": "Imported",
}
TIE_NAMES = {
    "absent": "not present",
    "present": "present",
    "unlabelled": "no label",
    "random": "by lot",
}
_RULES = {
    "per-summary": "In each summary, leave out the assignment that departs most often from the "
    "majority, if anybody departs.",
    "per-worker": "Leave out workers with at least {min_hits:g} HITs who depart from the majority "
    "in more than {max_disagreement:.0%} of their answers.",
    "gold": "Leave out assignments with less than {min_right:.0%} of their attention items right.",
    "fast": "Leave out assignments with less than {min_seconds:g} s for each statement.",
    "straight-lining": "Leave out assignments that answer at least {min_statements:g} statements "
    "all alike, unless the others bear them out.",
}


def tell_rule(name: str, options: Mapping[str, float]) -> str:
    words = _RULES.get(name)
    return name if words is None else words.format(**options)


def tell_recipe(recipe: Mapping[str, Any]) -> list[str]:
    """One sentence a step, in the order in which they are taken."""
    vote = recipe.get("vote", "majority")
    if vote == "imported":
        taken = f"Labels were {vote_words(recipe)}, as they are."
        return [taken, *_tell_over(recipe.get("over"))]
    steps = [tell_rule(row["name"], row.get("options", {})) for row in recipe.get("filters", [])]
    return [*(steps or ["Leave nothing out."]), _tell_vote(recipe, vote)]


def _tell_over(base: Mapping[str, Any] | None) -> list[str]:
    """Of labels that were made anew, with experts' words above those that came from files."""
    if not base:
        return []
    return [f"What experts have settled since stands above those of version {base['version']}."]


def _tell_vote(recipe: Mapping[str, Any], vote: str) -> str:
    if vote == "majority":
        words = "Label each statement by the majority of the answers that are left"
    else:
        words = f"Label each statement by {VOTE_NAMES.get(vote, vote)}"
    tie = recipe.get("tie", "absent")
    drawn = f" with seed {recipe.get('seed', 0)}" if tie == "random" else ""
    return f"{words}; a tie is {TIE_NAMES.get(tie, tie)}{drawn}."


def defined(value: Any) -> Any:
    """A database keeps no nan: what can't be told is null."""
    if isinstance(value, dict):
        return {name: defined(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [defined(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
