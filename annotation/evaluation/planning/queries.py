"""Curves as their pages and REST tell of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.computed import Computed
from annotation.corpora.corpus.models import Sentence
from annotation.corpora.corpus.queries import KEPT_SECONDS, list_sources
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.campaigns.models import Assignment, AssignmentState, Campaign
from annotation.crowd.campaigns.planning import list_scope
from annotation.errors import DomainError, NotFound
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.wording import defined
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.planning.studies import StudySource, choose_source, read_study
from annotation.translation import gettext_lazy
from annotation.units.plans.queries import get_plan_counts, get_writing_time, list_stu_sets
from annotation.units.plans.stand_ins import count_written, list_bare_examples
from annotation.units.sets.models import SetState, Unit, UnitKind, UnitSet
from annotation.units.stus.models import SentencePlan
from scoring.io.cells import row_line
from scoring.measured_coverage import CURVE_GAIN, say_departures
from scoring.overlap import tokenize
from scoring.planning.plans import Goal
from scoring.planning.prices import MINUTES_PER_SCU, WORDS_PER_SCU
from scoring.planning.work import look_back

LEVELS = ("system", "summary")
ORDER_WORDS = {
    "regressor": gettext_lazy("Regressor"),
    "oracle": gettext_lazy("True easiness"),
    "damage-oracle": gettext_lazy("True damage"),
    "reverse": gettext_lazy("Reverse"),
    "random": gettext_lazy("Random"),
}


def list_curves(project: Project) -> QuerySet[CurveRun]:
    """The newest first, those that are still being drawn among them."""
    return CurveRun.objects.filter(project=project).select_related(
        "project", "label_set", "stus", "job__project", "created_by"
    )


def get_curves(project: Project, pk: int) -> CurveRun:
    found = list_curves(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no curves {pk}.").format(pk=pk))
    return found


def get_ready_curves(project: Project, pk: int) -> CurveRun:
    found = get_curves(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} are not ready yet.").format(found=found),
            _("Wait for their job to finish."),
            fix=found,
        )
    return found


def list_frozen_stus(project: Project) -> QuerySet[UnitSet]:
    return list_stu_sets(project).filter(state=SetState.FROZEN)


def list_curve_rows(curves: CurveRun, level: str, measure: str = "pearson") -> list[dict[str, Any]]:
    """A curve for each order, with what it gains over random; random itself last."""
    found = curves.found
    gains = {row["order"]: row for row in found["gains"] if _is(row, level, measure)}
    rows = [row for row in found["curves"] if _is(row, level, measure)]
    rows.sort(key=lambda row: list(ORDER_WORDS).index(row["order"]))
    return [
        row | {"words": ORDER_WORDS[row["order"]], "gain": gains.get(row["order"])} for row in rows
    ]


def _is(row: dict[str, Any], level: str, measure: str) -> bool:
    return bool(row["level"] == level and row["measure"] == measure)


def stream_curves(curves: CurveRun) -> Iterator[str]:
    """Every point a line."""
    yield row_line("order", "level", "measure", "percentage", "value", "low", "high")
    for row in curves.found["curves"]:
        for place, percentage in enumerate(curves.found["percentages"]):
            values = (row[name][place] if row[name] else None for name in ("values", "low", "high"))
            told = ("" if value is None else str(value) for value in values)
            yield row_line(row["order"], row["level"], row["measure"], str(percentage), *told)


# Words are counted in so many sentences; of a longer corpus the first ones stand for all.
MOST_COUNTED = 2000
# A first look has so many plans; so many are all shown.
HANDFUL, FEW = 5, 8
TEXT_SIZES = Computed("text-sizes", list[float], KEPT_SECONDS)
COLUMNS = (
    *("key", "percentage", "examples", "people", "judges", "combination", "written", "existing"),
    *("hits", "assignments", "rewards", "fees", "money", "hours"),
    *("correlation", "correlation_low", "correlation_high", "width", "width_low", "width_high"),
    *("power", "power_low", "power_high", "difference", "meets_goal"),
    *("correlation_added", "correlation_added_low", "correlation_added_high"),
    *("width_added", "width_added_low", "width_added_high"),
    *("power_added", "power_added_low", "power_added_high"),
)


def list_plans(project: Project) -> QuerySet[BudgetPlan]:
    """The newest first, those that are still being reckoned among them."""
    return BudgetPlan.objects.filter(project=project).select_related(
        "project",
        "stus",
        "scus",
        "pilot__unit_set",
        "unit_set",
        "campaign",
        "job__project",
        "created_by",
    )


def get_plan(project: Project, pk: int) -> BudgetPlan:
    found = list_plans(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no plan {pk}.").format(pk=pk))
    return found


def get_ready_plan(project: Project, pk: int) -> BudgetPlan:
    found = get_plan(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} is still being calculated.").format(found=found),
            _("Wait for its job to finish."),
            fix=found,
        )
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a project before anybody plans."""

    examples: int
    systems: int
    sentences: float
    scus_per_sentence: float
    minutes_per_scu: float
    is_timed: bool


def measure_project(project: Project) -> Measured:
    """Sentences of an example, SCUs of a sentence by its words, minutes an SCU as people took."""
    minutes = get_writing_time(project)
    sources = list_sources(project)
    parts = (project.pk, *sources)
    sentences, scus = TEXT_SIZES.get(parts, lambda: _measure_texts(project, sources))
    return Measured(
        examples=project.example_count,
        systems=project.system_count,
        sentences=sentences,
        scus_per_sentence=scus,
        minutes_per_scu=MINUTES_PER_SCU if minutes is None else minutes,
        is_timed=minutes is not None,
    )


def _measure_texts(project: Project, sources: list[int]) -> list[float]:
    """Sentences per example and SCUs per sentence; texts change with imports only."""
    rows = Sentence.objects.filter(reference__example__source__in=sources)
    texts = rows.order_by("pk").values_list("reference__text", "start", "end")[:MOST_COUNTED]
    words = [len(tokenize(text[start:end])) for text, start, end in texts]
    scus = sum(max(1, round(count / WORDS_PER_SCU)) for count in words)
    sentences = rows.count() / project.example_count if project.example_count else 0.0
    return [sentences, scus / len(words) if words else 0.0]


def list_handful(plan: BudgetPlan) -> set[str]:
    """Keys of the plans to look at first; all of them where they are few.

    The recommended one, those that it is compared with and the one that was taken; next to them,
    from cheap to dear, plans that serve the goal better than every cheaper one.
    """
    rows = plan.plans
    if len(rows) <= FEW:
        return {row["key"] for row in rows}
    named = (plan.frontier.get(name, "") for name in ("best", "top", "base"))
    first = {*named, plan.chosen} - {""}
    steps = [key for key in _list_steps(rows, get_goal_figure(plan)) if key not in first]
    wanted = max(min(HANDFUL - len(first), len(steps)), 0)
    # The middles of so many parts, so that none is left out at length.
    return first | {steps[len(steps) * (2 * part + 1) // (2 * wanted)] for part in range(wanted)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a plan is recommended, by numbers in the list of plans, from 1.

    `adds` is what the plan with the best expected figure gives beyond the best one that costs the
    least money, with its interval.
    """

    best: int
    top: int
    base: int
    adds: tuple[float, float, float] | None
    is_sure: bool


def get_verdict(plan: BudgetPlan) -> Verdict | None:
    """None for plans from before differences were simulated."""
    found, figure = plan.frontier, get_goal_figure(plan)
    numbers = {row["key"]: number for number, row in enumerate(plan.plans, 1)}
    if not found.get("top"):
        return None
    top = plan.plans[numbers[found["top"]] - 1]
    value, low, high = top["adds"][figure]
    adds = None if value is None else (value, low, high)
    is_sure = adds is not None and (high < 0 if figure == "width" else low > 0)
    best, highest, base = (numbers[found[name]] for name in ("best", "top", "base"))
    return Verdict(best, highest, base, adds, is_sure)


def get_goal_figure(plan: BudgetPlan) -> str:
    """Which figure the goal is about: of a ranking, the correlation."""
    asked = plan.asked
    return Goal(asked["goal_width"], asked["goal_difference"], asked["power"]).figure


def _list_steps(rows: list[dict[str, Any]], figure: str) -> Iterator[str]:
    most = -inf
    for row in rows:
        value = row[figure]
        gives = -inf if value is None else -value if figure == "width" else value
        if gives > most:
            most = gives
            yield row["key"]


def list_writers(project: Project) -> QuerySet[Membership]:
    """Members who may write units."""
    rows = Membership.objects.filter(project=project).exclude(role=Role.VIEWER)
    return rows.select_related("user").order_by("user__name", "user_id")


def stream_plans(plan: BudgetPlan) -> Iterator[str]:
    """Every plan of the frontier a line."""
    yield row_line(*COLUMNS)
    for row in plan.plans:
        said = row | _flatten(row.get("adds", {}))
        yield row_line(*(_cell(said.get(name)) for name in COLUMNS))


def _flatten(adds: dict[str, list[Any]]) -> dict[str, Any]:
    """`correlation_added`, `correlation_added_low` and so on."""
    ends = ("added", "added_low", "added_high")
    return {
        f"{name}_{end}": value
        for name, values in adds.items()
        for end, value in zip(ends, values, strict=True)
    }


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


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
