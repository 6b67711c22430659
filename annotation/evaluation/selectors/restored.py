"""What is told of labels that a gold dataset brought: measured anew on the answers it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotation.evaluation.models import Drop, LabelSet
from annotation.evaluation.selectors.answers import get_collected
from annotation.evaluation.selectors.figures import describe_agreement
from annotation.evaluation.selectors.scores import describe_labels
from scoring.aggregation import UNDEFINED
from scoring.aggregation.agreement import SAMPLES, report_counts
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
