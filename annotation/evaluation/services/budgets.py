"""Plans for a budget: checked first, then simulated by a job; killed, it simulates anew."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction

from annotation.corpora.models import Job, Project, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.crowd.models import ProviderName
from annotation.errors import DomainError, Invalid
from annotation.evaluation.models import BudgetPlan, LabelSet
from annotation.evaluation.selectors.plans import Measured, measure_project
from annotation.evaluation.selectors.prices import get_draft_prices
from annotation.evaluation.selectors.studies import choose_source, read_study
from annotation.evaluation.services.pilots import measure_pilot
from annotation.evaluation.wording import defined
from annotation.units.models import UnitSet
from annotation.units.selectors.plans import get_difficulties
from scoring.planning.components import Prior
from scoring.planning.plans import POWER, Budget, Frontier, Goal, StudySize, find_plans
from scoring.planning.prices import Prices
from scoring.planning.priors import load_prior
from scoring.planning.simulation import ROUNDS

KIND = "plan_budget"
MOST_MONEY, MOST_HOURS = Decimal("99999999.99"), 100_000.0
MOST_MINUTES, MOST_REWARD = 600.0, Decimal(100)
MOST_UNITS, MOST_ROUNDS, MOST_SEED = 16, 1000, 2**32 - 1
MOST_SYSTEMS = 1000
RANDOM = "random"
USUAL = Prices()


def plan_budget(
    *,
    project: Project,
    user: User | None,
    money: Decimal | None = None,
    hours: float | None = None,
    goal_width: float | None = None,
    goal_difference: float | None = None,
    power: float = POWER,
    examples: int | None = None,
    systems: int | None = None,
    minutes_per_scu: float | None = None,
    provider: str = ProviderName.MARKETPLACE,
    reward: Decimal = USUAL.reward,
    units_per_hit: int = USUAL.units_per_hit,
    stus: UnitSet | None = None,
    pilot: LabelSet | None = None,
    judge: str = "",
    rounds: int = ROUNDS,
    seed: int = 0,
) -> BudgetPlan:
    """Begin to look for plans, once all that was said makes sense together.

    What is left out is as the project is: its examples, its systems, its writers' pace.
    """
    known = measure_project(project)
    asked = _check_asked(
        known,
        money=money,
        hours=hours,
        goal_width=goal_width,
        goal_difference=goal_difference,
        power=power,
        examples=known.examples if examples is None else min(examples, known.examples),
        systems=known.systems if systems is None else systems,
        minutes_per_scu=known.minutes_per_scu if minutes_per_scu is None else minutes_per_scu,
        provider=provider,
        reward=reward,
        units_per_hit=units_per_hit,
        rounds=rounds,
        seed=seed,
    )
    _check_sources(project, stus, pilot, judge)
    with transaction.atomic():
        made = BudgetPlan.objects.create(
            project=project,
            asked=asked | _name_sources(stus, pilot, judge),
            stus=stus,
            pilot=pilot,
            created_by=user,
        )
        made.job = create_job(
            project=project, user=user, kind=KIND, title=f"Reckon {made}", params={"plan": made.pk}
        )
        made.save(update_fields=["job"])
        record_activity(
            project=project,
            actor=user,
            verb=Verb.START,
            target=made,
            text=f"asked what to do with {made}",
        )
    return made


def _name_sources(stus: UnitSet | None, pilot: LabelSet | None, judge: str) -> dict[str, Any]:
    return {
        "judge": judge if pilot else "",
        "pilot": str(pilot) if pilot else "",
        "is_ranked": stus is not None and bool(get_difficulties(stus)),
    }


def _check_asked(known: Measured, **asked: Any) -> dict[str, Any]:
    """As it is stored: money is text, so that no digit is lost."""
    if not known.examples or known.systems < 2 or not known.sentences:
        raise DomainError(
            "A plan is for a corpus with references and at least 2 systems.",
            "Import the corpus first.",
        )
    for name, least, most in (
        ("hours", 0, MOST_HOURS),
        ("examples", 1, known.examples),
        ("systems", 2, MOST_SYSTEMS),
        ("minutes_per_scu", 0, MOST_MINUTES),
        ("units_per_hit", 1, MOST_UNITS),
        ("rounds", 2, MOST_ROUNDS),
        ("seed", 0, MOST_SEED),
    ):
        _check_range(name, asked[name], least, most)
    money = asked["money"]
    asked["money"] = None if money is None else _check_money("money", money, MOST_MONEY)
    asked["reward"] = _check_money("reward", asked["reward"], MOST_REWARD)
    if asked["provider"] not in ProviderName.values:
        raise Invalid(f"provider: expected one of {', '.join(ProviderName.values)}.")
    _read_goal(asked)
    measured = {
        "sentences": known.sentences,
        "scus_per_sentence": known.scus_per_sentence,
        "is_timed": known.is_timed and asked["minutes_per_scu"] == known.minutes_per_scu,
    }
    return asked | measured


def _check_range(name: str, value: float | None, least: float, most: float) -> None:
    if value is not None and not least <= value <= most:
        raise Invalid(f"{name}: expected {least:,g} to {most:,g}, not {value:,g}.")


def _check_money(name: str, value: Any, most: Decimal) -> str:
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise Invalid(f"{name}: expected dollars such as 150, not {value!r}.") from None
    if not amount.is_finite() or not 0 <= amount <= most:
        raise Invalid(f"{name}: expected $0 to ${most:,}, not {value}.")
    if amount != amount.quantize(Decimal("0.01")):
        raise Invalid(f"{name}: {value} is not whole cents.")
    return str(amount)


def _read_goal(asked: Mapping[str, Any]) -> Goal:
    try:
        return Goal(asked["goal_width"], asked["goal_difference"], asked["power"])
    except ValueError as error:
        raise Invalid(str(error)) from None


def _check_sources(
    project: Project, stus: UnitSet | None, pilot: LabelSet | None, judge: str
) -> None:
    if stus is not None and stus.project_id != project.pk:
        raise DomainError(f"{stus} is of another project.")
    if pilot is None:
        return
    if stus is None:
        raise DomainError("A pilot needs STUs.", "Choose a set of STUs, or plan without a pilot.")
    if not judge:
        raise DomainError(
            "A pilot needs a judge that has run on its SCUs and on the STUs.",
            "Choose the judge, or plan without a pilot.",
        )
    read_study(choose_source(pilot, stus, judge))


def run_planning(work: Work) -> dict[str, Any]:
    """Learn, simulate, keep; nothing is kept before all plans are known."""
    rows = BudgetPlan.objects.select_related("project", "stus", "pilot__unit_set")
    plan = rows.get(pk=work.job.params["plan"])
    if not plan.is_ready:
        found = _find(plan, work)
        with work.step():
            plan.frontier, plan.is_ready = defined(found.to_json()), True
            plan.save(update_fields=["frontier", "is_ready"])
    return {"plan": plan.pk, "plans": len(plan.plans)}


def _find(plan: BudgetPlan, work: Work) -> Frontier:
    asked = plan.asked
    work.report(0, 2, phase="Learning from the pilot" if asked["pilot"] else "Reading priors")
    prior = get_prior(plan)
    work.report(1, phase="Simulating plans within the budget")
    size = StudySize(
        asked["examples"],
        asked["systems"],
        asked["sentences"],
        asked["scus_per_sentence"],
        asked["minutes_per_scu"],
    )
    return find_plans(
        size,
        prior,
        budget=Budget(None if asked["money"] is None else Decimal(asked["money"]), asked["hours"]),
        goal=_read_goal(asked),
        prices=get_asked_prices(plan),
        rounds=asked["rounds"],
        seed=asked["seed"],
    )


def get_prior(plan: BudgetPlan) -> Prior:
    """What the simulation learns from: the pilot, or the published study that is most alike."""
    asked = plan.asked
    if not asked["pilot"]:
        order = "" if asked["is_ranked"] else RANDOM
        return load_prior(order=order, sentences=asked["sentences"])
    if plan.pilot is None or plan.stus is None:
        raise DomainError("The pilot's labels were deleted.", "Ask for another plan.")
    return measure_pilot(choose_source(plan.pilot, plan.stus, asked["judge"]), asked["seed"])


def get_asked_prices(plan: BudgetPlan) -> Prices:
    asked = plan.asked
    return get_draft_prices(
        plan.project,
        provider=asked["provider"],
        reward=Decimal(asked["reward"]),
        units_per_hit=asked["units_per_hit"],
    )


def delete_plan(*, plan: BudgetPlan, user: User | None) -> None:
    """Only one that nothing was made of; what was made is taken back first."""
    if plan.job is not None and not plan.job.is_over:
        raise DomainError(f"{plan} is still being reckoned.", "Cancel its job first.")
    if plan.chosen:
        raise DomainError(f"A plan was taken for {plan}.", "Take it back first.")
    with transaction.atomic():
        record_activity(
            project=plan.project, actor=user, verb=Verb.DELETE, target=plan, text=f"deleted {plan}"
        )
        plan.delete()


def remove_unfinished(job: Job) -> None:
    BudgetPlan.objects.filter(pk=job.params["plan"], is_ready=False).delete()


KINDS[KIND] = JobKind(run_planning, undo=remove_unfinished)
