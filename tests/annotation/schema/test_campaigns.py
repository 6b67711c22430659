"""REST keeps every promise about campaigns, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings as options

from annotation.corpora.accounts.models import User
from tests.annotation.crowd.campaigns.places import CampaignPlaces, keep_busy, make_campaign_places
from tests.annotation.crowd.wire import Wire
from tests.annotation.schema.checking import (
    CAMPAIGNS,
    CHANCE,
    MANY_FIELDS,
    Everywhere,
    check,
    load,
    load_by_chance,
)
from tests.annotation.world import World

schema = load().include(path_regex=CAMPAIGNS).exclude(operation_id=MANY_FIELDS)
wide_schema = load_by_chance().include(path_regex=CAMPAIGNS, operation_id=MANY_FIELDS)


@pytest.fixture(scope="module")
def kept_crowd(kept_world: World) -> CampaignPlaces:
    owner = User.objects.get(email="owner@example.org")
    with pytest.MonkeyPatch.context() as patch:
        Wire().put_in(patch)
        return make_campaign_places(kept_world.corpus.project, owner)


@pytest.fixture
def crowd(db: None, kept_crowd: CampaignPlaces, monkeypatch: pytest.MonkeyPatch) -> CampaignPlaces:
    keep_busy(monkeypatch)
    return kept_crowd


@pytest.mark.usefixtures("wire")
@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(
    case: Any, key: str, world: World, crowd: CampaignPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, crowd), answers)


@pytest.mark.usefixtures("wire")
@wide_schema.parametrize()
@options(CHANCE, max_examples=8)
def test_it_keeps_its_promises_about_many_fields(
    case: Any, key: str, world: World, crowd: CampaignPlaces, answers: Counter[int]
):
    check(case, key, Everywhere(world, crowd), answers)
