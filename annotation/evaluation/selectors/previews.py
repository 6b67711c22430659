"""What labels would be by some rules, in plain values; REST and commands tell the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from annotation.corpora.models import Project
from annotation.crowd.models import Campaign
from annotation.evaluation.selectors.figures import describe_agreement, describe_outcome
from annotation.evaluation.selectors.votes import refuse_if_slow
from annotation.evaluation.selectors.whatif import compare, recall_outcome
from scoring.aggregation import Recipe


def preview_labels(
    project: Project, campaigns: Sequence[Campaign], recipe: Recipe
) -> dict[str, Any]:
    """Figures by *recipe*, beside the plain majority of all that came in."""
    refuse_if_slow(campaigns, recipe)
    before, after = (
        recall_outcome(project, campaigns[0].unit_set, campaigns, rule)
        for rule in (Recipe(), recipe)
    )
    found = compare(before, after)
    return {
        **describe_outcome(after),
        "campaigns": [campaign.pk for campaign in campaigns],
        "recipe": recipe.to_json(),
        "agreement_before": describe_agreement(before.aggregate.agreement),
        "labels_changed": found.labels_changed,
        "systems": [asdict(row) for row in found.systems],
    }
