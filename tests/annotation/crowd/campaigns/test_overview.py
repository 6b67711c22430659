"""What a project's overview says of its campaigns, and what it offers next to whom."""

from __future__ import annotations

import pytest

from annotation.access import get_access
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.queries import Stage, get_next_step, list_stages
from annotation.crowd.campaigns.models import Campaign, CampaignState
from annotation.crowd.campaigns.overview import tell_next_step
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off
from tests.annotation.crowd.wire import Wire


def crowd(project: Project) -> Stage:
    return next(stage for stage in list_stages(project) if stage.name == "Crowd")


def next_for(user: User) -> str:
    return get_next_step(get_access(user, "study")).title


def test_it_waits_for_a_frozen_set(corpus: Project) -> None:
    assert (crowd(corpus).figure, crowd(corpus).state) == ("None yet", "later")


def test_it_offers_a_first_campaign(frozen: UnitSet, owner: User, viewer: User) -> None:
    assert crowd(frozen.project).state == "current"
    assert next_for(owner) == "Have the units judged"
    assert next_for(viewer) == "Read the examples"


def test_it_follows_a_campaign(campaign: Campaign, owner: User, editor: User, wire: Wire) -> None:
    assert crowd(campaign.project).figure == "Draft"
    assert next_for(editor) == "First: set up and publish"
    publish(campaign)
    assert crowd(campaign.project).figure == "0 / 12"
    work_off("ann", s1="present", s2="absent")
    collect(campaign)
    assert crowd(campaign.project).figure == "6 / 12"
    assert next_for(owner) == "First: 6 to review"
    assert next_for(editor) == "Score the summaries with a judge"
    Campaign.objects.update(state=CampaignState.ENDED)
    assert crowd(campaign.project).state == "done"


@pytest.mark.parametrize(
    "state, to_review, words",
    [
        (CampaignState.DRAFT, 0, "Set up and publish"),
        (CampaignState.PUBLISHING, 0, "Wait until it is published"),
        (CampaignState.LIVE, 0, "Wait for workers"),
        (CampaignState.LIVE, 1200, "Review 1,200"),
        (CampaignState.PAUSED, 0, "Resume or end"),
        (CampaignState.ENDED, 3, "Review 3"),
        (CampaignState.ENDED, 0, ""),
    ],
)
def test_it_says_what_is_next(state: CampaignState, to_review: int, words: str) -> None:
    assert tell_next_step(Campaign(state=state), to_review) == words
