"""What has really happened of a plan that was taken: what is written, and what people judged."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.crowd.models import Assignment, AssignmentState, Campaign
from annotation.crowd.services.planning import list_scope
from annotation.evaluation.models import BudgetPlan
from annotation.units.selectors.plans import get_plan_counts
from annotation.units.services.written import count_written, list_bare_examples


@dataclass(frozen=True, slots=True)
class PlanProgress:
    """Sentences of people, written and in all; summaries that somebody judged, and in all.

    `bare` are examples that the plan has somebody write in and that have no unit.
    """

    sentences: int
    human: int
    written: int
    bare: int
    summaries: int
    judged: int
    answers: int

    @property
    def unwritten(self) -> int:
        return self.human - self.written

    @property
    def stand_ins(self) -> int:
        """Sentences that STUs stand in for."""
        return self.sentences - self.human


def get_plan_progress(plan: BudgetPlan) -> PlanProgress | None:
    """Counted from units and answers; None where no plan is taken."""
    if not plan.chosen or plan.unit_set is None:
        return None
    counts = get_plan_counts(plan.unit_set)
    judged, answers = _count_judged(plan.campaign) if plan.campaign else (0, 0)
    return PlanProgress(
        sentences=counts["sentences"],
        human=counts["human"],
        written=count_written(plan.unit_set),
        bare=list_bare_examples(plan.unit_set).count(),
        summaries=list_scope(plan.campaign).count() if plan.campaign else 0,
        judged=judged,
        answers=answers,
    )


def _count_judged(campaign: Campaign) -> tuple[int, int]:
    """Summaries of which at least one assignment came back, and such assignments."""
    rows = Assignment.objects.filter(campaign=campaign).exclude(state=AssignmentState.REJECTED)
    return rows.order_by().values("hit__summary").distinct().count(), rows.count()
