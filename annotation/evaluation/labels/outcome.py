"""What labels would be if other rules were used: reckoned at once, kept only when asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.sums import get_answer_stamp
from annotation.evaluation.labels.answers import (
    KEPT,
    Collected,
    Overrides,
    get_collected,
    get_overrides,
    list_adjudications,
    list_decisions,
)
from annotation.memory import Memory
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from scoring.aggregation import Aggregate, Counts, Recipe, aggregate

Floats = NDArray[np.float64]
NO_LABEL = gettext_lazy("No labels left: these rules exclude all assignments.")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Labels by one recipe, with what people decided; `expert` marks what an expert settled."""

    collected: Collected
    overrides: Overrides
    aggregate: Aggregate
    counts: Counts
    present: NDArray[np.int8]
    expert: NDArray[np.bool_]

    @property
    def is_empty(self) -> bool:
        """Whether no statement has a label."""
        return not bool((self.present >= 0).any())


@dataclass(frozen=True, slots=True)
class SystemChange:
    """A system's score and rank before and after; ranks count from 1, ties by name."""

    name: str
    before: float | None
    after: float | None
    rank_before: int
    rank_after: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """An outcome beside the plain majority of all that came in."""

    before: Outcome
    after: Outcome
    labels_changed: int
    systems: list[SystemChange]


# The plain majority, and the rules that pages of people and statements go by.
_outcomes: Memory[Outcome] = Memory(KEPT)


def recall_outcome(
    project: Project, unit_set: UnitSet, campaigns: Sequence[Campaign], recipe: Recipe
) -> Outcome:
    """As `get_outcome`, remembered until there is another answer or another word of somebody."""
    words = [
        tuple(rows.order_by("pk").values_list("pk", flat=True))
        for rows in (list_decisions(project), list_adjudications(unit_set))
    ]
    key = (get_answer_stamp(campaigns), *words, json.dumps(recipe.to_json(), sort_keys=True))
    return _outcomes.get(key, lambda: get_outcome(project, unit_set, campaigns, recipe))


def get_outcome(
    project: Project, unit_set: UnitSet, campaigns: Sequence[Campaign], recipe: Recipe
) -> Outcome:
    collected = get_collected(campaigns)
    overrides = get_overrides(project, collected)
    made = aggregate(collected.answers, recipe, also_drop=overrides.drop, also_keep=overrides.keep)
    present, expert = _adjudicated(unit_set, collected, made.labels.present)
    counts = collected.answers.counts(made.kept)
    return Outcome(collected, overrides, made, counts, present, expert)


def _adjudicated(
    unit_set: UnitSet, collected: Collected, voted: NDArray[np.int8]
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Put experts' words in the place of votes."""
    present, expert = voted.copy(), np.zeros(len(voted), dtype=np.bool_)
    for row in list_adjudications(unit_set):
        code = collected.find_statement(row.summary_id, row.unit_id)
        if code is not None:
            present[code], expert[code] = row.present, True
    return present, expert


def compare(before: Outcome, after: Outcome) -> Comparison:
    changed = int(np.count_nonzero(before.present != after.present))
    names = list(before.collected.answers.system_keys)
    old, new = score_systems(before), score_systems(after)
    old_ranks, new_ranks = _rank(names, old), _rank(names, new)
    systems = [
        SystemChange(name, _known(old[code]), _known(new[code]), old_ranks[code], new_ranks[code])
        for code, name in enumerate(names)
    ]
    return Comparison(before, after, changed, sorted(systems, key=lambda row: row.rank_after))


def _known(score: float) -> float | None:
    return None if np.isnan(score) else float(score)


def _rank(names: Sequence[str], scores: Floats) -> list[int]:
    order = sorted(range(len(names)), key=lambda code: (-np.nan_to_num(scores[code], nan=-1), code))
    ranks = [0] * len(names)
    for rank, code in enumerate(order, start=1):
        ranks[code] = rank
    return ranks


def score_systems(outcome: Outcome) -> Floats:
    """The mean over summaries of the weight present over the weight labelled."""
    answers, weights = outcome.collected.answers, outcome.collected.weights
    labelled = outcome.present >= 0
    summaries = answers.statement_summaries
    count = len(answers.summary_keys)
    whole = np.bincount(summaries, weights * labelled, minlength=count)
    there = np.bincount(summaries, weights * (outcome.present == 1), minlength=count)
    scored = whole > 0
    shares = np.divide(there, whole, out=np.zeros(count), where=scored)
    systems, number = answers.summary_systems, len(answers.system_keys)
    sums = np.bincount(systems[scored], shares[scored], minlength=number)
    sizes = np.bincount(systems[scored], minlength=number)
    return np.divide(sums, sizes, out=np.full(number, np.nan), where=sizes > 0)
