"""What is told of labels that a gold dataset brought: measured anew on the answers it holds.

- The figures of labels that a gold dataset brought, computed from its answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from annotation.crowd.campaigns.models import Judgement
from annotation.evaluation.labels.answers import get_collected
from annotation.evaluation.labels.figures import describe_agreement, describe_outcome
from annotation.evaluation.labels.models import Drop, LabelSet, SummaryLabels
from annotation.evaluation.labels.outcome import get_outcome
from annotation.evaluation.labels.scores import describe_labels
from annotation.evaluation.labels.service import build_rows, get_unit_order
from scoring.aggregation import UNDEFINED, Recipe
from scoring.aggregation.agreement import SAMPLES, report_counts
from scoring.errors import InputError
from scoring.io.gold import GoldFacts, to_json


def describe_restored(label_set: LabelSet, facts: GoldFacts) -> dict[str, Any]:
    """Counts and scores of the labels; drops as the dataset says, agreement of its answers."""
    figures = describe_labels(label_set)
    figures["drops"] = [to_json(drop) for drop in facts.drops]
    if facts.counts.adjudicated:
        figures["counts"]["expert"] = facts.counts.adjudicated
    if facts.counts.answers:
        figures["agreement"] = _measure(label_set, facts)
    return figures


def _measure(label_set: LabelSet, facts: GoldFacts) -> dict[str, Any]:
    """Of the answers that counted, by the rule and the seed of the study."""
    collected = get_collected(list(label_set.campaigns.all()))
    dropped = Drop.objects.filter(label_set=label_set).values_list("assignment_id", flat=True)
    kept = ~np.isin(collected.assignments, np.fromiter(dropped, dtype=np.int64))
    rules = {item.undefined for item in facts.agreement} & set(UNDEFINED)
    seed = facts.recipe.get("seed", 0)
    report = report_counts(
        collected.answers,
        collected.answers.keep(kept).counts(),
        undefined=next(iter(sorted(rules)), "one"),
        samples=SAMPLES,
        seed=seed if isinstance(seed, int) and seed >= 0 else 0,
    )
    return describe_agreement(report)


def measure_again(label_set: LabelSet) -> dict[str, Any]:
    """All figures, from the answers by the recipe; nothing if that does not give these labels.

    A dataset from before decisions were in it, or one made elsewhere, need not give them.
    """
    campaigns = list(label_set.campaigns.select_related("unit_set").order_by("pk"))
    if not campaigns or not Judgement.objects.filter(assignment__campaign__in=campaigns).exists():
        return {}
    try:
        recipe = Recipe.from_json(label_set.recipe)
    except (InputError, KeyError, TypeError):
        return {}
    outcome = get_outcome(label_set.project, label_set.unit_set, campaigns, recipe)
    rows_there = SummaryLabels.objects.filter(label_set=label_set)
    stored = dict(rows_there.values_list("summary", "labels"))
    for rows in build_rows(label_set, outcome, get_unit_order(label_set.unit_set)):
        if any(stored.pop(row.summary_id, None) != row.labels for row in rows):
            return {}
    return {} if stored else describe_outcome(outcome)
