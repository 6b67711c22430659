"""A judged campaign without a marketplace: four workers on six summaries, one of them noisy.

Ann, Bob and Cem say what is there, but for two slips; Dud always says the opposite. At both slips
people are split two to two, and without Dud the second one's label becomes *present*.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Hit,
    HitState,
    Judgement,
    ProviderName,
    Worker,
)
from annotation.evaluation.gold import service as gold_service
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels.models import LabelSet
from annotation.units.sets.models import UnitSet
from scoring.aggregation import FilterStep, Recipe
from tests import factories

UNITS = ("The dam burst.", "It was Monday.", "Nobody was hurt.")
TRUTH = {"lead": (True, False, True), "soup": (True, False, False)}
SECONDS = {"ANN": 30.0, "BOB": 45.0, "CEM": 60.0, "DUD": 3.0}
NOISY = "DUD"
# Worker, example, system and place of the unit.
SLIPS = {("ANN", "e1", "soup", 2), ("BOB", "e2", "lead", 0)}
STRICT = Recipe(filters=(FilterStep("per-summary"),))


def make_units(project: Project, owner: User) -> UnitSet:
    """Three statements for every example that has summaries, frozen."""
    unit_set = factories.make_set(project, owner, "Judged")
    for example in project.examples.filter(summaries__isnull=False).distinct():
        factories.add_units(unit_set, example, owner, *UNITS)
    factories.freeze(unit_set, owner)
    unit_set.refresh_from_db()
    return unit_set


def make_judged(
    project: Project, owner: User, name: str = "Judged", unit_set: UnitSet | None = None
) -> Campaign:
    """A campaign that has ended: 6 HITs, 24 assignments, 72 judgements."""
    unit_set = unit_set or make_units(project, owner)
    campaign = Campaign.objects.create(
        project=project,
        unit_set=unit_set,
        name=name,
        provider=ProviderName.OFFLINE,
        state=CampaignState.ENDED,
        title="Find statements",
        description="Say which statements a summary carries.",
        instructions="Read, then answer.",
        reward=Decimal("0.15"),
        budget=Decimal(10),
        created_by=owner,
    )
    workers = {
        name: Worker.objects.create(
            project=project, provider=ProviderName.OFFLINE, provider_id=name
        )
        for name in SECONDS
    }
    summaries = Summary.objects.filter(example__in=unit_set.units.values("example"))
    for summary in summaries.select_related("example", "system").order_by("pk"):
        _judge(campaign, summary, workers)
    return campaign


def _judge(campaign: Campaign, summary: Summary, workers: dict[str, Worker]) -> None:
    units = list(campaign.unit_set.units.filter(example=summary.example_id).order_by("position"))
    hit = Hit.objects.create(
        campaign=campaign,
        summary=summary,
        statements=[
            {"key": f"s{number}", "unit": unit.pk, "text": unit.text}
            for number, unit in enumerate(units, 1)
        ],
        reward=campaign.reward,
        wanted=len(workers),
        collected=len(workers),
        decided=len(workers),
        state=HitState.CLOSED,
    )
    answered = {name: answers_of(name, summary) for name in workers}
    work = Assignment.objects.bulk_create(
        Assignment(
            campaign=campaign,
            hit=hit,
            worker=workers[name],
            provider_id=f"{name}-{summary.example.key}-{summary.system.name}",
            state=AssignmentState.APPROVED,
            raw="",
            answers={
                f"s{number}": "present" if present else "absent"
                for number, present in enumerate(said, 1)
            },
            gold_asked=1,
            gold_right=int(name != NOISY),
            seconds=SECONDS[name],
        )
        for name, said in answered.items()
    )
    Judgement.objects.bulk_create(
        Judgement(assignment=made, unit=unit, present=present)
        for made, said in zip(work, answered.values(), strict=True)
        for unit, present in zip(units, said, strict=True)
    )


def answers_of(worker: str, summary: Summary) -> list[bool]:
    """What a worker says of each unit in turn."""
    key, system = summary.example.key, summary.system.name
    return [
        there != (worker == NOISY or (worker, key, system, place) in SLIPS)
        for place, there in enumerate(TRUTH[system])
    ]


def make_labels(campaign: Campaign, user: User, recipe: Recipe = STRICT) -> LabelSet:
    made = labels_service.keep_labels(
        project=campaign.project, user=user, campaigns=[campaign], recipe=recipe
    )
    return _finished(made)


def make_gold(label_set: LabelSet, user: User, **fields: Any) -> GoldVersion:
    made = gold_service.create_gold(
        project=label_set.project, user=user, label_set=label_set, **{"name": "Dams", **fields}
    )
    return _finished(made)


def _finished(made: Any) -> Any:
    """With its job run here."""
    finish_job(job=made.job)
    assert made.job.state == JobState.DONE, made.job.error
    made.refresh_from_db()
    return made
