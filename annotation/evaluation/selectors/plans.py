"""Plans for a budget as their pages and REST tell of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from django.db.models import QuerySet

from annotation.computed import Computed
from annotation.corpora.models import Membership, Project, Role, Sentence
from annotation.corpora.selectors.corpus import KEPT_SECONDS, list_sources
from annotation.errors import DomainError, NotFound
from annotation.evaluation.models import BudgetPlan
from annotation.translation import gettext as _
from annotation.units.selectors.plans import get_writing_time
from scoring.io.cells import row_line
from scoring.overlap import tokenize
from scoring.planning.plans import Goal
from scoring.planning.prices import MINUTES_PER_SCU, WORDS_PER_SCU

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
