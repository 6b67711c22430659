"""Campaigns that an address can name, each in a state where its verbs succeed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary, System
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignState,
    Intent,
    IntentKind,
    Worker,
)
from annotation.crowd.campaigns.service import create_campaign
from annotation.crowd.market.messages import write_to_requester
from annotation.crowd.market.models_accounts import Message
from annotation.crowd.market.models_work import MarketAssignment, MarketHit
from annotation.crowd.review.service import reject_assignments
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off


@dataclass(frozen=True, slots=True)
class CampaignPlaces:
    """`live` has one assignment to review, whose worker earned too little, and an open entry.

    `rejected` is live as well, and its one assignment was rejected.
    """

    unit_set: UnitSet
    draft: Campaign
    live: Campaign
    paused: Campaign
    rejected: Campaign
    assignment: Assignment
    worker: Worker
    entry: Intent
    more: System
    message: Message


def keep_busy(patch: pytest.MonkeyPatch) -> None:
    """Whoever made the open entry is not taken for dead, however long the tests take."""
    patch.setattr("annotation.crowd.review.service.GIVEN_UP_AFTER", timedelta(days=1))


def make_campaign_places(project: Project, owner: User) -> CampaignPlaces:
    """Around an example that has units, in a project of the marketplace; needs the wire."""
    factories.fund(project)
    unit_set = UnitSet.objects.filter(project=project, state="frozen").earliest("pk")
    example = unit_set.units.earliest("pk").example
    system, more = project.systems.order_by("pk")[:2]
    Summary.objects.create(
        example=example, system=system, source=example.source, text="The dam burst."
    )
    settings: dict[str, Any] = {
        "project": project,
        "user": owner,
        "unit_set": unit_set,
        "reward": "0.10",
        "assignments_per_hit": 2,
        "budget": "100.00",
        "scope": {"systems": [system.pk]},
    }
    draft, live, paused, rejected = (
        create_campaign(name=name, **settings) for name in ("D", "L", "P", "R")
    )
    Campaign.objects.filter(pk=paused.pk).update(state=CampaignState.PAUSED)
    publish(live)
    work_off("Ann", s1="present", s2="absent")
    collect(live)
    # An hour for ten cents.
    live.assignments.update(seconds=3600)
    assignment = live.assignments.select_related("worker").get()
    assert assignment.worker is not None
    publish(rejected)
    market = MarketHit.objects.filter(hit_id__in=rejected.hits.values("provider_id"))
    work_off("Bob", hits=market, s1="present", s2="absent")
    collect(rejected)
    reject_assignments(
        campaign=rejected,
        assignments=list(rejected.assignments.select_related("hit", "worker", "campaign")),
        user=owner,
        feedback="Not read.",
    )
    entry = Intent.objects.create(
        campaign=live,
        kind=IntentKind.BONUS,
        base="bonus:unclear",
        amount=Decimal("0.05"),
        fee=Decimal(0),
        assignment=assignment,
    )
    taken = MarketAssignment.objects.select_related("hit__requester", "worker").get(
        assignment_id=assignment.provider_id
    )
    message = write_to_requester(
        worker=taken.worker,
        requester=taken.hit.requester,
        hit_id=taken.hit.hit_id,
        subject="Unclear",
        text="Is a flood a burst?",
    )
    worker = assignment.worker
    return CampaignPlaces(
        unit_set, draft, live, paused, rejected, assignment, worker, entry, more, message
    )
