"""Labels, decisions and gold versions that an address can name, each where its verbs succeed."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign, Worker
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.models import Adjudication, Decision, LabelSet
from annotation.evaluation.planning import taken as planning_taken
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs import text_scores
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.sets.models import UnitSet
from scoring.judge import Document
from tests.annotation.evaluation.campaigns import make_gold, make_judged, make_labels
from tests.annotation.evaluation.estimating import make_estimate
from tests.annotation.evaluation.planned import (
    key_of,
    make_curves,
    make_plan,
    make_power,
    make_stus,
)
from tests.annotation.evaluation.running import begin, finish, lead
from tests.annotation.evaluation.toy_judge import installed
from tests.annotation.evaluation.training import train


@dataclass(frozen=True, slots=True)
class LabelPlaces:
    """`spare` are labels that no gold version is made of; `work` and `other` are undecided.

    `taken` are labels as if from files, which do not heed the adjudication yet; `failed` is a gold
    version that could not be created.
    """

    campaign: Campaign
    labels: LabelSet
    spare: LabelSet
    taken: LabelSet
    gold: GoldVersion
    work: Assignment
    other: Worker
    decision: Decision
    adjudication: Adjudication
    failed: GoldVersion


def make_label_places(project: Project, owner: User) -> LabelPlaces:
    """Around a project that has a corpus."""
    campaign = make_judged(project, owner)
    taken, labels, spare = (make_labels(campaign, owner) for _ in range(3))
    LabelSet.objects.filter(pk=taken.pk).update(origin="files", recipe={"vote": "imported"})
    taken.campaigns.clear()
    work = campaign.assignments.select_related("hit__summary").earliest("pk")
    first, other, *_ = project.workers.order_by("provider_id")
    decision = settling.decide_worker(
        project=project, user=owner, worker=first, verdict="drop", reason="A test."
    )
    adjudication = settling.adjudicate(
        project=project,
        user=owner,
        summary=work.hit.summary,
        unit=work.judgements.earliest("pk").unit,
        present=True,
    )
    gold = make_gold(labels, owner)
    failed = GoldVersion.objects.create(
        project=project, label_set=labels, name="Failed", version=1, created_by=owner
    )
    row = (campaign, labels, spare, taken, gold, work, other, decision, adjudication, failed)
    return LabelPlaces(*row)


@dataclass(frozen=True, slots=True)
class RunPlaces:
    """A run in each state that an address needs, of units that people have labelled.

    `estimate` joins the labels with another run, so that either can be deleted.
    """

    labels: LabelSet
    estimate: ScoreEstimate
    ready: JudgeRun
    queued: JudgeRun
    paused: JudgeRun
    failed: JudgeRun
    scored: Job
    builtin: JudgeRun


def make_run_places(project: Project, owner: User) -> RunPlaces:
    """Around a project that has a corpus."""
    labels = make_labels(make_judged(project, owner), owner)
    unit_set = labels.unit_set
    with installed():
        ready, queued, paused = finish(unit_set), begin(unit_set), begin(unit_set)
        failed = lead(begin(unit_set, judge="toy-broken"))
        joined = finish(unit_set)
    builtin = finish(unit_set, judge="lexical")
    runs_service.pause_run(run=paused)
    estimate = make_estimate(labels, joined, owner, target="population")
    scored = text_scores.begin_text_scores(
        project=project,
        user=owner,
        judge="lexical",
        documents=[Document("one", ("The dam burst.",), "A dam burst.")],
    )
    return RunPlaces(labels, estimate, ready, queued, paused, failed, scored, builtin)


@dataclass(frozen=True, slots=True)
class JudgePlaces:
    """A judge that the project has trained; no run stands on it."""

    labels: LabelSet
    judge: TrainedJudge


def make_judge_places(project: Project, owner: User) -> JudgePlaces:
    """Around a project that has a corpus."""
    labels = make_labels(make_judged(project, owner), owner)
    return JudgePlaces(labels, train(labels, owner, folds=0))


@dataclass(frozen=True, slots=True)
class PlanPlaces:
    """Curves, a plan to take, one that was taken, power, and what they are made of."""

    labels: LabelSet
    stus: UnitSet
    curves: CurveRun
    open: BudgetPlan
    taken: BudgetPlan
    campaign: Campaign
    power: Job


def make_plan_places(project: Project, owner: User) -> PlanPlaces:
    """Around a project that has a corpus."""
    labels = make_labels(make_judged(project, owner), owner)
    stus = make_stus(project, owner, "Planned STUs")
    open_, taken = (make_plan(project, owner, stus=stus) for _ in range(2))
    planning_taken.apply_plan(plan=taken, user=owner, key=key_of(taken))
    assert taken.campaign is not None
    curves, power = make_curves(labels, stus, owner), make_power(project, owner)
    return PlanPlaces(labels, stus, curves, open_, taken, taken.campaign, power)
