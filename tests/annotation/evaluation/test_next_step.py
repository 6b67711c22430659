"""The overview's next step, at every state of a study and for every role."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from urllib.parse import urlsplit

import pytest
from django.db.models import F
from django.urls import resolve

from annotation.access import ProjectAccess
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.imports.models import Import, KeptFile
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.projects.queries import get_next_step, list_stages
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Hit,
    ProviderName,
    Worker,
)
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import LabelOrigin, LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.reports.models import Report
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.sets.models import UnitSet
from annotation.units.studio.progress import mark_written
from tests import factories
from tests.annotation.corpora.places import make_job
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.planned import make_stus

Step = Callable[[Project, User], object]


def job(project: Project, state: str) -> Job:
    return make_job(project, state=state)


def kept_labels(project: Project, owner: User) -> None:
    source = Import.objects.get(project=project)
    KeptFile.objects.create(source=source, name="labels/lead.label", data=b"1\n")


def stus(project: Project, owner: User) -> None:
    UnitSet.objects.filter(pk=make_stus(project, owner).pk).update(extractor="rich")


def extracting(state: str) -> Step:
    return lambda project, owner: UnitSet.objects.create(
        project=project, name="STUs", extractor="rich", job=job(project, state)
    )


def budget(**fields: object) -> Step:
    return lambda project, owner: BudgetPlan.objects.create(project=project, **fields)


def draft_set(project: Project, owner: User) -> UnitSet:
    return factories.make_set(project, owner, "Later")


def all_written(project: Project, owner: User) -> None:
    unit_set = factories.make_set(project, owner, "Written")
    for example in project.examples.all():
        factories.add_unit(unit_set, example, owner, "The dam burst.")
        mark_written(unit_set=unit_set, example=example, user=owner)


def scus(project: Project, owner: User) -> UnitSet:
    return make_units(project, owner)


def campaign(state: str, submitted: int = 0, job_state: str = "", name: str = "First") -> Step:
    def make(project: Project, owner: User) -> None:
        unit_set = UnitSet.objects.filter(project=project, state="frozen")[0]
        made = Campaign.objects.create(
            project=project,
            unit_set=unit_set,
            name=name,
            provider=ProviderName.OFFLINE,
            state=state,
            budget=Decimal(10),
            job=job(project, job_state) if job_state else None,
        )
        if state != "draft":
            open_hit(made, submitted)

    return make


def open_hit(made: Campaign, submitted: int) -> None:
    """One HIT for two workers."""
    summary = Summary.objects.filter(example__project=made.project)[0]
    hit = Hit.objects.create(
        campaign=made,
        summary=summary,
        statements=[],
        reward=Decimal("0.10"),
        wanted=2,
        collected=submitted,
    )
    for number in range(submitted):
        worker = Worker.objects.create(project=made.project, provider_id=f"W{number}")
        Assignment.objects.create(
            campaign=made,
            hit=hit,
            worker=worker,
            provider_id=f"A{number}",
            state=AssignmentState.SUBMITTED,
        )


def ended(project: Project, owner: User) -> None:
    """Everything was answered and decided, and the campaign has ended."""
    campaign("ended", submitted=2)(project, owner)
    Assignment.objects.update(state=AssignmentState.APPROVED)
    Hit.objects.update(decided=F("wanted"))
    unit = UnitSet.objects.get(name="Judged").units.all()[0]
    for assignment in Assignment.objects.all():
        assignment.judgements.create(unit=unit, present=True)


def labels(state: str = "done", *, of_campaign: bool = False) -> Step:
    def make(project: Project, owner: User) -> None:
        unit_set = UnitSet.objects.get(project=project, name="Judged")
        made = LabelSet.objects.create(
            project=project,
            unit_set=unit_set,
            version=LabelSet.objects.count() + 1,
            origin=LabelOrigin.CROWD if of_campaign else LabelOrigin.FILES,
            is_ready=state == "done",
            job=job(project, state),
        )
        if of_campaign:
            made.campaigns.set(Campaign.objects.all())

    return make


def gold(project: Project, owner: User) -> None:
    GoldVersion.objects.create(
        project=project,
        label_set=LabelSet.objects.all()[0],
        name="Dams",
        version=GoldVersion.objects.count() + 1,
        is_ready=True,
    )


def run(state: str = "done") -> Step:
    return lambda project, owner: JudgeRun.objects.create(
        project=project,
        unit_set=UnitSet.objects.filter(project=project, state="frozen")[0],
        judge="lexical",
        chunk_size=1,
        data_hash="x",
        is_ready=state == "done",
        job=job(project, state),
    )


def metric(project: Project, owner: User) -> None:
    ScoreSet.objects.create(project=project, name="rouge", origin="computed", is_ready=True)


def report(state: str = "done") -> Step:
    return lambda project, owner: Report.objects.create(
        project=project, title="Trust", human="x", is_ready=state == "done", job=job(project, state)
    )


ANYBODY = "corpora:examples"
WATCH = ("corpora:job",) * 4
UP_TO_GOLD: list[Step] = [scus, ended, labels(of_campaign=True), gold]
UP_TO_REPORT: list[Step] = [*UP_TO_GOLD, run(), metric, report()]
READ = ("evaluation:report", "evaluation:report")


def editors(view: str, others: str = ANYBODY) -> tuple[str, ...]:
    return (view, view, others, others)


# What was done, and where the next step leads an owner, an editor, an annotator and a viewer.
STATES: dict[str, tuple[list[Step], tuple[str, ...]]] = {
    "texts": ([], editors("units:sets")),
    "STUs in progress": ([extracting("running")], WATCH),
    "STUs failed": ([extracting("failed")], editors("units:set")),
    "STUs": ([stus], editors("evaluation:plan_budget")),
    "budget in progress": (
        [stus, lambda p, o: budget(job=job(p, "running"))(p, o)],
        editors("evaluation:plan", others="corpora:job"),
    ),
    "budget failed": (
        [stus, lambda p, o: budget(job=job(p, "failed"))(p, o)],
        editors("evaluation:plan_budget"),
    ),
    "budget": ([stus, budget(is_ready=True)], editors("evaluation:plan")),
    "units to write": ([draft_set], (*("units:next",) * 3, ANYBODY)),
    "units written": ([all_written], editors("units:set")),
    "SCUs": ([scus], editors("crowd:create_campaign")),
    "SCUs and label files": ([kept_labels, scus], editors("evaluation:import_labels")),
    "campaign drafted": ([scus, campaign("draft")], editors("crowd:campaign")),
    "publishing failed": (
        [scus, campaign("publishing", job_state="failed")],
        ("crowd:campaign", "evaluation:start_run", ANYBODY, ANYBODY),
    ),
    "campaign live": (
        [scus, campaign("live")],
        editors("evaluation:start_run", others="crowd:campaign"),
    ),
    "work to review": (
        [scus, campaign("live", submitted=1)],
        ("crowd:review", "evaluation:start_run", "crowd:campaign", "crowd:campaign"),
    ),
    "campaign live, all else done": (
        [scus, campaign("live"), run(), metric],
        ("crowd:campaign",) * 4,
    ),
    "campaign paused": (
        [scus, campaign("paused")],
        ("crowd:campaign", "evaluation:start_run", ANYBODY, ANYBODY),
    ),
    "answers are in": ([scus, ended], editors("evaluation:whatif")),
    "labels in progress": (
        [scus, ended, run(), metric, labels("running", of_campaign=True)],
        WATCH,
    ),
    "labels failed": (
        [scus, ended, labels("failed", of_campaign=False)],
        editors("evaluation:whatif"),
    ),
    "labels": (UP_TO_GOLD[:3], editors("evaluation:create_gold")),
    "labels from files": ([scus, labels()], editors("evaluation:create_gold")),
    "labels from files and a report, no campaign": (
        [scus, labels(), run(), report()],
        (*("evaluation:create_gold",) * 2, *READ),
    ),
    "the same with gold": (
        [scus, labels(), gold, run(), report()],
        (*("evaluation:version",) * 2, *READ),
    ),
    "gold": (UP_TO_GOLD, editors("evaluation:start_run")),
    "run in progress": (
        [*UP_TO_GOLD, run("running")],
        ("evaluation:score_metric", "evaluation:score_metric", "corpora:job", "corpora:job"),
    ),
    "run failed": ([*UP_TO_GOLD, run("failed")], editors("evaluation:run")),
    "run paused": ([*UP_TO_GOLD, run("paused")], editors("evaluation:run")),
    "run failed, then done": (
        [*UP_TO_GOLD, run("failed"), run()],
        editors("evaluation:score_metric"),
    ),
    "metric": ([*UP_TO_GOLD, run(), metric], editors("evaluation:build_report")),
    "report in progress": ([*UP_TO_GOLD, run(), metric, report("running")], WATCH),
    "report failed": (
        [*UP_TO_GOLD, run(), metric, report("failed")],
        editors("evaluation:build_report"),
    ),
    "report": (UP_TO_REPORT, (*("evaluation:version",) * 2, *READ)),
    "newer labels": (
        [*UP_TO_REPORT, labels()],
        (*("evaluation:create_gold",) * 2, *READ),
    ),
    "newer labels and gold": (
        [*UP_TO_REPORT, labels(), gold],
        (*("evaluation:build_report",) * 2, *READ),
    ),
    "drafts left behind": (
        [scus, draft_set, campaign("draft"), labels()],
        ("evaluation:create_gold", "evaluation:create_gold", "units:next", ANYBODY),
    ),
    "a paused campaign left behind": (
        [scus, campaign("paused"), labels()],
        editors("evaluation:create_gold"),
    ),
    "a draft campaign after the report": (
        [*UP_TO_REPORT, campaign("draft", name="Second")],
        (*("crowd:campaign",) * 2, *READ),
    ),
    "units begun after the report": (
        [*UP_TO_REPORT, draft_set],
        (*("units:next",) * 3, READ[0]),
    ),
    "a live campaign after the report": (
        [*UP_TO_REPORT, campaign("live", name="Second")],
        (*("evaluation:version",) * 2, *READ),
    ),
}


def get_views(project: Project, owner: User) -> tuple[str, ...]:
    project.refresh_from_db()
    steps = [get_next_step(ProjectAccess(project, role, owner)) for role in ROLES]
    assert all(step.title and step.label for step in steps)
    return tuple(resolve(urlsplit(step.url).path).view_name for step in steps)


ROLES = (Role.OWNER, Role.EDITOR, Role.ANNOTATOR, Role.VIEWER)


@pytest.mark.parametrize("name", STATES)
def test_it_leads_on_from_every_state(name: str, corpus: Project, owner: User) -> None:
    steps, expected = STATES[name]
    for step in steps:
        step(corpus, owner)
    assert get_views(corpus, owner) == expected


def test_it_leads_from_nothing_to_an_import(project: Project, owner: User) -> None:
    fresh = factories.make_project(owner, "fresh")
    assert get_views(fresh, owner) == editors("corpora:create_import", others="corpora:members")


def states(project: Project) -> dict[str, str]:
    return {stage.name: stage.state for stage in list_stages(project)}


def test_the_stage_of_the_next_step_is_the_one_under_way(corpus: Project, owner: User) -> None:
    """Where STUs are all there is, a plan comes first, and people judge later."""
    stus(corpus, owner)
    found = states(corpus)
    assert (found["Plan"], found["Crowd"]) == ("current", "later")
    scus(corpus, owner)
    found = states(corpus)
    assert (found["Plan"], found["Crowd"]) == ("later", "current")


def test_it_calls_no_stage_later_that_the_study_has_passed(corpus: Project, owner: User) -> None:
    assert states(corpus)["Plan"] == "later"
    for step in (scus, labels(), gold):
        step(corpus, owner)
    found = states(corpus)
    assert (found["Plan"], found["Crowd"], found["Report"]) == ("skipped", "done", "later")
