"""A restored study gives the figures that the study gave: by every rule, not only the same hash."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.ledger import get_books
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Hit,
    Intent,
    IntentKind,
    Judgement,
    Outcome,
    Settlement,
)
from annotation.crowd.campaigns.queries import get_wage, list_hasty, list_standings
from annotation.evaluation.gold import restoring
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.answers import get_judged_campaigns
from annotation.evaluation.labels.figures import describe_outcome
from annotation.evaluation.labels.models import Decision, Drop
from annotation.evaluation.labels.outcome import get_outcome
from scoring.aggregation import VOTES, FilterStep, Recipe
from scoring.aggregation.filters import FILTERS
from tests.annotation.evaluation.campaigns import make_gold

PER_SUMMARY = Recipe(filters=(FilterStep("per-summary"),))
RECIPES = [
    *(Recipe(vote=vote) for vote in VOTES),
    *(Recipe(filters=(FilterStep(name),), tie="random", seed=3) for name in FILTERS),
    Recipe(filters=tuple(FilterStep(name) for name in FILTERS), undefined="skip"),
]


def work_of(campaign: Campaign, worker: str) -> list[Assignment]:
    rows = Assignment.objects.filter(campaign=campaign, worker__provider_id=worker)
    return list(rows.select_related("hit__summary").order_by("pk"))


def answer(work: Assignment, *said: bool) -> None:
    for judgement, present in zip(work.judgements.order_by("unit__position"), said, strict=True):
        Judgement.objects.filter(pk=judgement.pk).update(present=present)


@pytest.fixture
def decided(judged: Campaign, owner: User) -> Campaign:
    """Rejections, bonuses, researchers' words, two that depart equally, and one without answers."""
    ann, bob, cem, dud = (work_of(judged, name) for name in ("ANN", "BOB", "CEM", "DUD"))
    rows = Assignment.objects.filter(campaign=judged)
    rows.filter(pk__in=[cem[1].pk, dud[0].pk]).update(
        state=AssignmentState.REJECTED, feedback="No."
    )
    rows.filter(pk=ann[2].pk).update(state=AssignmentState.SUBMITTED)
    rows.filter(pk=bob[2].pk).update(seconds=12.34567)
    for work, said in zip(
        (ann[3], bob[3], cem[3], dud[3]),
        ((False, True, True), (True, False, True), (True,) * 3, (True,) * 3),
        strict=True,
    ):
        answer(work, *said)
    decide: dict[str, Any] = {"project": judged.project, "user": owner}
    assert dud[0].worker is not None
    assert ann[0].worker is not None
    settling.decide_worker(worker=ann[0].worker, verdict="keep", reason="Careful.", **decide)
    settling.decide_assignment(assignment=dud[1], verdict="drop", reason="Copied.", **decide)
    for number, work in enumerate((bob[0], bob[0], cem[0]), start=1):
        pay_bonus(work, Decimal(number) / 10, f"Thanks {number}.")
    Assignment.objects.create(
        campaign=judged,
        hit=ann[0].hit,
        worker=dud[0].worker,
        provider_id="unread",
        state=AssignmentState.REJECTED,
        raw="<",
        problem="The answer could not be read.",
        gold_asked=1,
        seconds=5.5,
    )
    return judged


def pay_bonus(work: Assignment, amount: Decimal, reason: str) -> None:
    intent = Intent.objects.create(
        campaign=work.campaign,
        kind=IntentKind.BONUS,
        base=f"bonus:{work.pk}:{reason}",
        amount=amount,
        fee=Decimal(0),
        hit=work.hit,
        assignment=work,
        params={"reason": reason},
    )
    Settlement.objects.create(intent=intent, outcome=Outcome.DONE)


@pytest.fixture
def second(decided: Campaign, owner: User) -> Campaign:
    """Another campaign about the same units, better paid, of which one HIT has no answer yet."""
    made = Campaign.objects.get(pk=decided.pk)
    made.pk, made.name, made.wage_floor = None, "Second", Decimal(15)
    made.token, made._state.adding = type(made)().token, True
    made.save()
    for number, work in enumerate(work_of(decided, "BOB")[:2]):
        given = list(work.judgements.all())
        hit, work_pk = work.hit, work.pk
        hit.pk, hit.campaign, hit.reward = None, made, Decimal("0.35")
        hit.save()
        if number == 0:
            work.pk, work.campaign, work.hit, work.provider_id = None, made, hit, f"again-{work_pk}"
            work.save()
            for row in given:
                row.pk, row.assignment = None, work
                row.save()
    return made


def restore(gold: GoldVersion, owner: User) -> Project:
    outcome = restoring.import_gold(user=owner, name="", slug="copy", path=gold.path)
    assert outcome.job is not None, outcome.problems
    run_job(job_id=outcome.job.pk)
    outcome.job.refresh_from_db()
    assert outcome.job.state == JobState.DONE, outcome.job.error
    return Project.objects.get(slug="copy")


def list_figures(project: Project, recipe: Recipe) -> dict[str, Any]:
    """All that a recipe gives, without names of people."""
    campaigns = get_judged_campaigns(project, [])
    found = get_outcome(project, campaigns[0].unit_set, campaigns, recipe)
    reasons = [(drop.rule, drop.reason) for drop in found.aggregate.drops]
    return {
        "figures": describe_outcome(found),
        "labels": found.present.tolist(),
        "posteriors": repr(found.aggregate.labels.posterior.tolist()),
        "votes": found.counts.tolist(),
        "drops": sorted([*reasons, *found.overrides.reasons.values()]),
    }


def list_wages(project: Project) -> list[Any]:
    rows = []
    for campaign in project.campaigns.order_by("pk"):
        standings = [
            (row.assignments, row.rejected, row.median_seconds, row.agreed, row.compared)
            for row in list_standings(campaign)
        ]
        bonuses = get_books(campaign).bonuses
        hasty = list_hasty(campaign).count()
        rows.append((get_wage(campaign), bonuses, hasty, sorted(standings)))
    return rows


def list_decided(project: Project) -> dict[str, Any]:
    """Decisions and reasons, without names of people."""
    work = Assignment.objects.filter(campaign__project=project)
    bonuses = Intent.objects.filter(campaign__project=project, kind=IntentKind.BONUS)
    words = Decision.objects.filter(project=project, undone_at=None)
    hits = Hit.objects.filter(campaign__project=project)
    return {
        "work": sorted(work.values_list("state", "feedback", "problem", "gold_asked")),
        "bonuses": sorted((row.amount, row.params["reason"]) for row in bonuses),
        "words": sorted((row.verdict, row.reason, row.worker is None) for row in words),
        "drops": sorted(
            Drop.objects.filter(label_set__project=project).values_list("rule", "reason")
        ),
        "places": [sum(hit.collected for hit in hits), sum(hit.decided for hit in hits)],
    }


@pytest.fixture
def pair(decided: Campaign, second: Campaign, owner: User) -> tuple[Project, Project]:
    from annotation.corpora.jobs.service import finish_job

    Hit.objects.filter(campaign=decided).update(collected=0, decided=0)
    for hit in Hit.objects.filter(campaign__in=[decided, second]):
        submitted = hit.assignments.filter(state=AssignmentState.SUBMITTED).count()
        hit.collected = hit.assignments.count()
        hit.decided = hit.collected - submitted
        hit.save()
    labels = labels_service.keep_labels(
        project=decided.project, user=owner, campaigns=[decided, second], recipe=PER_SUMMARY
    )
    assert labels.job is not None
    finish_job(job=labels.job)
    labels.refresh_from_db()
    gold = make_gold(labels, owner)
    copy = restore(gold, owner)
    made = GoldVersion.objects.get(project=copy)
    assert made.content_hash == gold.content_hash
    assert made.label_set.content_hash == labels.content_hash
    assert made.label_set.figures == labels.figures
    return decided.project, copy


def test_every_figure_of_a_restored_study_is_the_studys(pair: tuple[Project, Project]):
    study, copy = pair
    for recipe in RECIPES:
        assert list_figures(copy, recipe) == list_figures(study, recipe), recipe
    assert list_wages(copy) == list_wages(study)
    assert list_decided(copy) == list_decided(study)


def test_the_example_has_what_can_be_lost(pair: tuple[Project, Project]):
    """Guards the test above: each kind of decision is there, and makes a difference."""
    study, _ = pair
    told = list_decided(study)
    assert {row[0] for row in told["work"]} == {"submitted", "approved", "rejected"}
    assert len(told["bonuses"]) == 3
    assert len(told["words"]) == 2
    assert {rule for rule, _ in told["drops"]} == {"rejected", "decision", "per-summary"}


def test_a_restored_bonus_is_never_paid(pair: tuple[Project, Project]):
    _, copy = pair
    rows = Intent.objects.filter(campaign__project=copy)
    assert set(rows.values_list("settlement__outcome", flat=True)) == {Outcome.DONE}
    assert all(get_books(campaign).left >= 0 for campaign in copy.campaigns.all())
