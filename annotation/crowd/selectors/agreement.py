"""How far the workers of a campaign agree."""

from __future__ import annotations

import numpy as np
from django.db.models import Count, Q, QuerySet

from annotation.computed import Computed
from annotation.crowd.models import AssignmentState, Campaign, Judgement
from annotation.crowd.selectors.stamps import get_answer_stamp
from scoring.aggregation import Agreement, measure_agreement

# As gold orders statements: the interval depends on it, and the same alpha has one interval.
SUMMARY, UNIT = "assignment__hit__summary", "unit"
EXAMPLE = f"{SUMMARY}__example"
ORDER = (
    *(f"{SUMMARY}__example__position", f"{SUMMARY}__example_id", f"{SUMMARY}__system__name"),
    *(f"{SUMMARY}__system_id", f"{UNIT}__position", f"{UNIT}_id"),
)
AGREEMENTS = Computed("agreement", Agreement, 86_400)


def get_agreement(campaign: Campaign) -> Agreement:
    """Alpha over statements: a unit in a summary, answered by several workers; examples resampled.

    Resampling takes a second on a large campaign, so that the answer is kept until there are
    other judgements. Rejected work does not count.
    """
    rows = Judgement.objects.filter(assignment__campaign=campaign).exclude(
        assignment__state=AssignmentState.REJECTED
    )
    parts = (campaign.token, *get_answer_stamp([campaign]))
    return AGREEMENTS.get(parts, lambda: _measure(rows))


def _measure(judgements: QuerySet[Judgement]) -> Agreement:
    rows = (
        judgements.order_by(*ORDER)
        .values_list(EXAMPLE, SUMMARY, UNIT)
        .annotate(present=Count("pk", filter=Q(present=True)), all=Count("pk"))
        # A single answer agrees with nobody; in a large campaign most statements have no other.
        .filter(all__gt=1)
    )
    counts, codes, seen = [], [], dict[int, int]()
    for example, *_, present, total in rows:
        counts.append((total - present, present))
        codes.append(seen.setdefault(example, len(seen)))
    return measure_agreement(
        np.array(counts, dtype=np.int64).reshape(-1, 2), np.array(codes, dtype=np.int64)
    )
