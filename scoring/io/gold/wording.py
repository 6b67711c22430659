"""The facts in words: what rules, votes and measures are called in a card and in a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.io.gold.records import (
    AgreementFacts,
    CampaignFacts,
    GoldCounts,
    GoldFacts,
    ScoreFacts,
)
from scoring.significance import FEWEST

VOTES = {
    "majority": "majority vote",
    "dawid-skene": "the Dawid–Skene model",
    "mace": "MACE",
    "glad": "GLAD",
    "wawa": "Wawa",
}
TIES = {
    "absent": "ties count as not present",
    "present": "ties count as present",
    "unlabelled": "tied units get no label",
    "random": "ties are broken at random",
}
FILTERS = {
    "per-summary": "per summary, the assignment that disagrees most with the majority is excluded",
    "per-worker": "workers who disagree too often with the majority are excluded",
    "gold": "assignments that fail attention items are excluded",
    "fast": "assignments completed too fast are excluded",
    "straight-lining": "assignments with the same answer to every statement are excluded",
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
    "pooled": "all statements pooled",
}
UNDEFINED = {
    "one": "counted as 1 where all answers are identical",
    "skip": "excluded where all answers are identical",
}
METHODS = {
    "exhaustive": "weight of present units divided by total weight",
    "original": "weight of present units divided by the maximum weight of as many units",
    "lite": "share of present units in a sample",
}


NO_INTERVAL = f"No interval is given for fewer than {FEWEST} judged examples."
LISTED_FILES = 4  # more are described by their number, the first and the last


def number(value: float | None, digits: int = 3) -> str:
    """A share as papers write it; a dash where it can't be computed."""
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


def material(summaries: int, examples: int, systems: int) -> str:
    return (
        f"{counted(summaries, 'summary', 'summaries')} of {counted(examples, 'example')} "
        f"by {counted(systems, 'system')}"
    )


def unit_kinds(counts: GoldCounts) -> str:
    """Who made the units that were judged."""
    scus, stus = counts.judged_scus, counts.judged_stus
    if scus and stus:
        return f"{counted(scus, 'SCU')} written by people and {counted(stus, 'STU')}"
    kind = ("SCU" if scus else "STU") + ("" if scus + stus == 1 else "s")
    which = "an" if scus + stus == 1 else "all"
    return f"{which} {kind}{' written by people' if scus else ''}"


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
    if is_imported(recipe):
        return f"imported from {_file_words(recipe)}"
    words = VOTES.get(str(vote), str(vote))
    if tie is not None:
        words += "; " + TIES.get(str(tie), f"tie rule: {tie}")
    return words + (f" (seed {recipe['seed']})" if tie == "random" and "seed" in recipe else "")


def is_imported(recipe: Mapping[str, Any]) -> bool:
    """Whether others made the labels, and files brought them."""
    return recipe.get("vote") == "imported"


def _file_words(recipe: Mapping[str, Any]) -> str:
    files, source = recipe.get("files"), recipe.get("source")
    names = [str(name) for name in files] if isinstance(files, Sequence) else []
    of = f" of {source}" if source and source not in names else ""
    if not names:
        return f"files{of}"
    if len(names) > LISTED_FILES:
        return f"{len(names):,} files, {names[0]} to {names[-1]}{of}"
    return f"the file{'s' if names[1:] else ''} {listed(names)}{of}"


def pay_words(campaign: CampaignFacts) -> str:
    """What a HIT paid, and the wage that came of it; nothing where nothing was paid."""
    if not campaign.rewards:
        return ""
    amounts = listed(f"{campaign.currency} {amount}" for amount in campaign.rewards)
    wage = campaign.median_wage
    came = f", a median of {campaign.currency} {wage} per hour" if wage is not None else ""
    return f"{amounts} per HIT{came}"


def present_share(facts: GoldFacts) -> float | None:
    counts = facts.counts
    return counts.present / counts.labels if counts.labels else None


def scores_by_method(facts: GoldFacts) -> list[tuple[str, list[ScoreFacts]]]:
    """Each method's scores, the best first; undefined ones last."""
    grouped: dict[str, list[ScoreFacts]] = {}
    for item in facts.scores:
        grouped.setdefault(item.method, []).append(item)
    return [(method, sorted(items, key=_best_first)) for method, items in grouped.items()]


def lacks_intervals(scores: Iterable[ScoreFacts]) -> bool:
    """Whether a score has no interval because it is of too few examples."""
    return any(item.low is None and 0 < item.examples < FEWEST for item in scores)


def _best_first(item: ScoreFacts) -> tuple[bool, float]:
    return (item.score is None, -(item.score or 0.0))
