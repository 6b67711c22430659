"""The figures of labels that a gold dataset brought, computed from its answers."""

from __future__ import annotations

from typing import Any

from annotation.crowd.models import Judgement
from annotation.evaluation.models import LabelSet, SummaryLabels
from annotation.evaluation.selectors.figures import describe_outcome
from annotation.evaluation.selectors.whatif import get_outcome
from annotation.evaluation.services.labels import build_rows, get_unit_order
from scoring.aggregation import Recipe
from scoring.errors import InputError


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
