"""A plan's choice of sentences replayed on labels that are there, against random choices.

It tells how good the choice is, as if all of the plan's sentences had been written and judged
as those labels say. What was really written and judged is counted in `plan_progress`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.computed import Computed
from annotation.errors import DomainError
from annotation.evaluation.models import BudgetPlan, LabelSet
from annotation.evaluation.selectors.scores import KEPT_SECONDS
from annotation.evaluation.selectors.studies import StudySource, choose_source, read_study
from annotation.evaluation.wording import defined
from annotation.units.models import SentencePlan, Unit, UnitKind
from scoring.measured_coverage import CURVE_GAIN, say_departures
from scoring.planning.work import look_back

FIGURES = Computed("look-back", dict[str, Any], KEPT_SECONDS)


@dataclass(frozen=True, slots=True)
class Looked:
    """`found` are the figures; `labels` are of the SCUs that people wrote whole."""

    labels: LabelSet
    judge: str
    found: dict[str, Any]

    @property
    def given(self) -> list[dict[str, Any]]:
        return [row for row in self.found["given"] if row["measure"] == "pearson"]

    @property
    def coverage(self) -> str:
        """How often such intervals hold in simulated studies, if not as often as they say."""
        return say_departures(CURVE_GAIN)


def list_full_labels(plan: BudgetPlan) -> QuerySet[LabelSet]:
    """Labels of sets that hold SCUs alone, the newest first."""
    stus = Unit.objects.filter(set=OuterRef("unit_set"), kind=UnitKind.STU, is_deleted=False)
    rows = LabelSet.objects.filter(~Exists(stus), project=plan.project_id, is_ready=True)
    return rows.select_related("unit_set", "project")


def get_look_back(
    plan: BudgetPlan, *, labels: LabelSet | None = None, judge: str = ""
) -> Looked | None:
    """None while there is nothing to compare with; reckoned once for what it is made of."""
    chosen = labels or list_full_labels(plan).first()
    if not plan.chosen or plan.unit_set is None or plan.stus is None or chosen is None:
        return None
    try:
        source = choose_source(chosen, plan.stus, judge)
    except DomainError:
        if labels is not None or judge:
            raise
        return None
    found = FIGURES.get(_parts(plan, source), lambda: _look(plan, source))
    return Looked(chosen, source.judge, found) if found else None


def _parts(plan: BudgetPlan, source: StudySource) -> tuple[object, ...]:
    runs = [run.content_hash[:16] for run in (source.scu_run, source.stu_run) if run]
    return plan.pk, plan.unit_set_id, source.label_set.content_hash[:16], *runs


def _look(plan: BudgetPlan, source: StudySource) -> dict[str, Any]:
    """Empty where too few of the plan's examples have people's labels."""
    assert plan.unit_set is not None
    try:
        read = read_study(source, plan.work["examples"])
    except DomainError:
        return {}
    rows = SentencePlan.objects.filter(set=plan.unit_set, is_human=True)
    written = set(rows.values_list("sentence_id", flat=True))
    gave_way = [pk not in written for pk in read.sentences]
    found: dict[str, Any] = defined(look_back(read.study, gave_way).to_json())
    return found
