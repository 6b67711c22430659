"""A campaign's life, played through the services: publishing, working, collecting."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns import collecting, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.market.work import accept_hit, submit_assignment
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.crowd.working import make_worker


def make_frozen(corpus: Project, owner: User) -> UnitSet:
    """Two statements for each of the corpus's three examples."""
    unit_set = factories.make_set(corpus, owner)
    for row in corpus.examples.all():
        factories.add_units(unit_set, row, owner, "The dam burst.", "Nobody was hurt.")
    factories.freeze(unit_set, owner)
    unit_set.refresh_from_db()
    return unit_set


def make_campaign(frozen: UnitSet, owner: User) -> Campaign:
    """Six summaries, two assignments each, at ten cents, with money enough for more."""
    factories.fund(frozen.project)
    return campaigns_service.create_campaign(
        project=frozen.project,
        user=owner,
        unit_set=frozen,
        name="First",
        reward="0.10",
        assignments_per_hit=2,
    )


def publish(campaign: Campaign) -> Campaign:
    job = steps.publish_campaign(campaign=campaign, user=None)
    run_job(job_id=job.pk)
    campaign.refresh_from_db()
    return campaign


def work_off(name: str, *, hits: Iterable[MarketHit] | None = None, **answers: str) -> None:
    """A new worker accepts and submits every HIT, with the same answers to each."""
    worker = make_worker(name)
    fields = {key: [value] for key, value in answers.items()}
    for hit in hits if hits is not None else MarketHit.objects.all():
        assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
        submit_assignment(assignment_id=assignment.assignment_id, fields=fields)


def collect(campaign: Campaign) -> Campaign:
    collecting.collect_campaign(campaign=campaign)
    campaign.refresh_from_db()
    return campaign
