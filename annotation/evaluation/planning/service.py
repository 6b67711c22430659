"""What a project's own labels and runs tell of studies like it.

- Plans for a budget: checked first, then simulated by a job; killed, it simulates anew.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.evaluation.labels.answers import get_collected
from annotation.evaluation.labels.models import LabelOrigin, LabelSet
from annotation.evaluation.labels.wording import defined
from annotation.evaluation.planning.asked import Asked, check_asked, get_draft_prices, read_goal
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.planning.queries import Measured, measure_project
from annotation.evaluation.planning.studies import StudySource, choose_source, read_study
from annotation.removal import remove_rows
from annotation.units.plans.queries import get_difficulties, list_scu_sets
from annotation.units.plans.stand_ins import list_written_sentences
from annotation.units.sets.models import UnitSet
from scoring.errors import InputError
from scoring.planning.components import Prior, Votes, measure_prior
from scoring.planning.mix import Order
from scoring.planning.orders import random_order
from scoring.planning.plans import Budget, Frontier, StudySize, find_plans
from scoring.planning.prices import Prices
from scoring.planning.priors import load_prior
from scoring.planning.votes import measure_votes

RANDOM_ORDERS = 10


def measure_pilot(source: StudySource, seed: int = 0) -> Prior:
    """Variance components of people's scores and the judge's, mixed as the regressor says."""
    read = read_study(source)
    difficulty = get_difficulties(source.stus)
    orders: list[Order] = [
        random_order(len(read.sentences), seed + number) for number in range(RANDOM_ORDERS)
    ]
    if difficulty:
        orders = [np.array([-difficulty.get(pk, np.nan) for pk in read.sentences])]
    return measure_prior(
        read.human,
        read.study,
        orders,
        get_votes(source.label_set),
        name=str(source.label_set),
        order="easiness" if difficulty else "random",
        seed=seed,
    )


def get_votes(label_set: LabelSet) -> Votes:
    """How the pilot's own people vary, if units were judged by several; else as published."""
    campaigns = list(label_set.campaigns.select_related("unit_set"))
    if label_set.origin == LabelOrigin.CROWD and campaigns:
        try:
            return measure_votes(get_collected(campaigns).answers)
        except InputError:
            pass
    best = load_prior().best
    return Votes(best.vote, best.tied)


KIND = "plan_budget"
RANDOM = "random"


def plan_budget(
    *,
    project: Project,
    user: User | None,
    stus: UnitSet | None = None,
    scus: UnitSet | None = None,
    pilot: LabelSet | None = None,
    judge: str = "",
    **asked: Any,
) -> BudgetPlan:
    """Begin to look for plans, once all that was said makes sense together.

    What is *asked* is named as in `Asked`; what is left out is as the project is. Sentences that
    have SCUs in *scus* cost no hours.
    """
    known = measure_project(project)
    checked = check_asked(known, Asked(**asked))
    _check_sources(project, stus, pilot, judge)
    _check_scus(project, scus)
    with transaction.atomic():
        made = BudgetPlan.objects.create(
            project=project,
            asked=checked | _name_sources(stus, pilot, judge) | _count_existing(known, scus),
            stus=stus,
            scus=scus,
            pilot=pilot,
            created_by=user,
        )
        made.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Calculate plans for {made}").format(made=made),
            params={"plan": made.pk},
        )
        made.save(update_fields=["job"])
        text = _("created {made}").format(made=made)
        record_activity(project=project, actor=user, verb=Verb.START, target=made, text=text)
    return made


def _name_sources(stus: UnitSet | None, pilot: LabelSet | None, judge: str) -> dict[str, Any]:
    return {
        "judge": judge if pilot else "",
        "pilot": str(pilot) if pilot else "",
        "is_ranked": stus is not None and bool(get_difficulties(stus)),
    }


def _check_scus(project: Project, scus: UnitSet | None) -> None:
    if scus is not None and not list_scu_sets(project).filter(pk=scus.pk).exists():
        raise DomainError(
            _("{scus} has no SCUs of this project.").format(scus=scus),
            _("Choose another set, or none."),
        )


def _count_existing(known: Measured, scus: UnitSet | None) -> dict[str, Any]:
    """Sentences that have SCUs already, and their share of all."""
    if scus is None:
        return {"scus": "", "existing": 0, "existing_share": 0.0}
    existing = len(list_written_sentences(scus))
    total = max(round(known.sentences * known.examples), 1)
    share = min(existing / total, 1.0)
    return {"scus": str(scus), "existing": existing, "existing_share": share}


def _check_sources(
    project: Project, stus: UnitSet | None, pilot: LabelSet | None, judge: str
) -> None:
    if stus is not None and stus.project_id != project.pk:
        raise DomainError(_("{stus} belongs to another project.").format(stus=stus))
    if pilot is None:
        return
    if stus is None:
        raise DomainError(
            _("A pilot needs STUs."), _("Choose a set of STUs, or plan without a pilot.")
        )
    if not judge:
        raise DomainError(
            _("A pilot needs a judge with runs on both its SCUs and the STUs."),
            _("Choose the judge, or plan without a pilot."),
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
    work.report(0, 2, phase=_("Learning from the pilot") if asked["pilot"] else _("Reading priors"))
    prior = get_prior(plan)
    work.report(1, phase=_("Simulating plans within the budget"))
    size = StudySize(
        asked["examples"],
        asked["systems"],
        asked["sentences"],
        asked["scus_per_sentence"],
        asked["minutes_per_scu"],
        asked.get("existing_share", 0.0),
    )
    return find_plans(
        size,
        prior,
        budget=Budget(None if asked["money"] is None else Decimal(asked["money"]), asked["hours"]),
        goal=read_goal(asked),
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
        raise DomainError(_("The pilot's labels have been deleted."), _("Create another budget."))
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
        raise DomainError(
            _("{plan} is still being calculated.").format(plan=plan),
            _("Cancel its job first."),
            fix=plan,
        )
    if plan.chosen:
        raise DomainError(_("{plan} has a plan in use.").format(plan=plan), _("Undo it first."))
    with transaction.atomic():
        record_activity(
            project=plan.project,
            actor=user,
            verb=Verb.DELETE,
            target=plan,
            text=_("deleted {plan}").format(plan=plan),
        )
        remove_rows(BudgetPlan.objects.filter(pk=plan.pk))


def remove_unfinished(job: Job) -> None:
    BudgetPlan.objects.filter(pk=job.params["plan"], is_ready=False).delete()


KINDS[KIND] = JobKind(run_planning, undo=remove_unfinished)
