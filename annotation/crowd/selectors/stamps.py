"""Whether the answers of campaigns are the same as when they were last read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Sum

from annotation.crowd.models import Assignment, Campaign


def get_answer_stamp(campaigns: Sequence[Campaign]) -> tuple[Any, ...]:
    """Another one when an assignment comes in or is decided.

    Judgements come in one transaction with their assignment and never change, so that the
    assignments are counted, by an index, and the many judgements are not.
    """
    states = (
        Assignment.objects.filter(campaign__in=campaigns)
        .values_list("campaign__token", "state")
        .order_by("campaign", "state")
    )
    # The sum tells two decisions apart that leave the counts as they were.
    return tuple(states.annotate(number=Count("pk"), sum=Sum("pk")))
