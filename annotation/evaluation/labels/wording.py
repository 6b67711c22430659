"""Recipes in words, and figures as they are stored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.translation import gettext_lazy
from scoring.io.gold.wording import vote_words

RULE_NAMES = {
    "per-summary": gettext_lazy("Noisiest assignment per summary"),
    "per-worker": gettext_lazy("Noisy workers"),
    "gold": gettext_lazy("Attention items missed"),
    "fast": gettext_lazy("Too fast"),
    "straight-lining": "Straight-lining",
    "decision": gettext_lazy("Manual decision"),
    "rejected": gettext_lazy("Rejected work"),
}
VOTE_NAMES = {
    "majority": gettext_lazy("Majority"),
    "dawid-skene": "Dawid–Skene",
    "mace": "MACE",
    "glad": "GLAD",
    "wawa": "Wawa",
    "imported": gettext_lazy("Imported"),
}
TIE_NAMES = {
    "absent": gettext_lazy("not present"),
    "present": "present",
    "unlabelled": gettext_lazy("no label"),
    "random": gettext_lazy("random label"),
}
_RULES = {
    "per-summary": gettext_lazy(
        "For each summary, exclude the assignment that disagrees most often with the "
        "majority, if any does."
    ),
    "per-worker": gettext_lazy(
        "Exclude workers with at least {min_hits:g} HITs who disagree with the majority "
        "in more than {max_disagreement:.0%} of their answers."
    ),
    "gold": gettext_lazy(
        "Exclude assignments with less than {min_right:.0%} of their attention items correct."
    ),
    "fast": gettext_lazy(
        "Exclude assignments that took less than {min_seconds:g} s per statement."
    ),
    "straight-lining": gettext_lazy(
        "Exclude assignments with the same answer to all of at least "
        "{min_statements:g} statements, unless other workers agree."
    ),
}


def tell_rule(name: str, options: Mapping[str, float]) -> str:
    words = _RULES.get(name)
    return name if words is None else words.format(**options)


def tell_recipe(recipe: Mapping[str, Any]) -> list[str]:
    """One sentence a step, in the order in which they are taken."""
    vote = recipe.get("vote", "majority")
    if vote == "imported":
        taken = _("Labels were {vote_words}.").format(vote_words=vote_words(recipe))
        return [taken, *_tell_over(recipe.get("over"))]
    steps = [tell_rule(row["name"], row.get("options", {})) for row in recipe.get("filters", [])]
    return [*(steps or [_("Include all answers.")]), _tell_vote(recipe, vote)]


def _tell_over(base: Mapping[str, Any] | None) -> list[str]:
    """Of labels that were rebuilt, with experts' decisions above those that came from files."""
    if not base:
        return []
    return [
        _("Later expert decisions override the labels of version {version}.").format(
            version=base["version"]
        )
    ]


def _tell_vote(recipe: Mapping[str, Any], vote: str) -> str:
    if vote == "majority":
        words = _("Label each statement by the majority of the included answers")
    else:
        words = _("Label each statement by {vote_names}").format(
            vote_names=VOTE_NAMES.get(vote, vote)
        )
    tie = recipe.get("tie", "absent")
    drawn = _(" with seed {seed}").format(seed=recipe.get("seed", 0)) if tie == "random" else ""
    return _("{words}. Ties: {tie_names}{drawn}.").format(
        words=words, tie_names=TIE_NAMES.get(tie, tie), drawn=drawn
    )


def defined(value: Any) -> Any:
    """A database keeps no nan: what can't be computed is null."""
    if isinstance(value, dict):
        return {name: defined(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [defined(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
