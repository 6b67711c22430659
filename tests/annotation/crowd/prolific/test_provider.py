"""Prolific as a provider, over HTTP: one study, its places, decisions, bonuses, faults."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from annotation.crowd.campaigns.models import Campaign, CampaignState, Hit
from annotation.crowd.prolific.models import ProlificPlaces
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import NotReachable, ProviderError
from annotation.crowd.providers.prolific import Prolific
from annotation.crowd.providers.prolific_study import to_cents
from annotation.units.sets.models import UnitSet
from scoring.outgoing import Bounds
from tests.annotation.crowd.studies import make_campaign, note_published, only_study, publish
from tests.prolific_server import Fault, ProlificServer


@pytest.fixture
def campaign(unit_set: UnitSet) -> Campaign:
    return make_campaign(unit_set)


# The study ------------------------------------------------------------------------------------


def test_it_goes_out_with_the_last_hit_and_all_places(server: ProlificServer, campaign: Campaign):
    provider = get_provider(campaign)
    assert isinstance(provider, Prolific)
    provider.prepare()
    first, last = campaign.hits.all()
    note_published(first, provider)
    assert only_study(server)["status"] == "UNPUBLISHED"
    note_published(last, provider)
    study = only_study(server)
    assert (study["status"], study["total_available_places"]) == ("ACTIVE", 4)
    assert (study["reward"], study["maximum_allowed_time"]) == (15, 60)
    url = f"http://testserver/prolific/{campaign.token}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
    assert study["external_study_url"].startswith(url)
    [code] = study["completion_codes"]
    assert (len(code["code"]), code["actions"]) == (10, [{"action": "MANUALLY_REVIEW"}])
    assert study["filters"][-1]["selected_values"] == list(server.groups)
    assert first.provider_id == f"{study['id']}:{first.pk}"


FAULTS = [
    Fault("POST /studies/", 500, is_after=True),
    Fault("POST /studies/", 500),
    Fault("POST /studies/", "drop", is_after=True),
    Fault("POST /studies/", 429),
    Fault("PATCH .*", 500, is_after=True),
    Fault("PATCH .*", "drop"),
    Fault("POST /studies/.*/transition/", 500, is_after=True),
    Fault("POST /studies/.*/transition/", 503),
    Fault("POST /participant-groups/", 500, is_after=True),
    Fault("GET /studies/", 500),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.call}-{fault.how}")
def test_it_makes_one_study_whatever_fails(
    fault: Fault, server: ProlificServer, campaign: Campaign
):
    """A call without a clear answer is made again, and finds what the first one left."""
    server.faults.append(fault)
    with pytest.raises(NotReachable):
        publish(campaign)
    publish(Campaign.objects.get(pk=campaign.pk))
    study = only_study(server)
    assert (study["status"], study["total_available_places"]) == ("ACTIVE", 4)
    assert len(server.groups) == 1
    assert set(ProlificPlaces.objects.values_list("asked", "confirmed")) == {(2, 2)}


def test_it_waits_only_so_long(
    server: ProlificServer, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
):
    impatient = Bounds(seconds=0.3, most_bytes=1000)
    monkeypatch.setattr("annotation.crowd.providers.prolific_client.BOUNDS", impatient)
    server.faults.append(Fault("GET /users/me/", "hang"))
    with pytest.raises(NotReachable, match="didn't answer"):
        Prolific(campaign).balance()


def test_it_throws_away_a_second_draft(server: ProlificServer, campaign: Campaign):
    for _ in range(2):
        name = f"giza {campaign.token}"
        server.create_study(reward=15, internal_name=name, total_available_places=1)
    oldest = next(iter(server.studies))
    publish(campaign)
    assert list(server.studies) == [oldest]


def test_it_says_when_money_is_missing(server: ProlificServer, campaign: Campaign):
    server.balance = 59
    with pytest.raises(ProviderError, match="not have enough money"):
        publish(campaign)
    assert only_study(server)["status"] == "UNPUBLISHED"
    server.balance = 60
    publish(campaign)
    assert only_study(server)["status"] == "ACTIVE"


def test_it_finds_what_became_of_a_hit(server: ProlificServer, campaign: Campaign):
    provider = Prolific(campaign)
    provider.prepare()
    first, last = campaign.hits.all()
    assert provider.find_published([first, last]) == {}
    note_published(first, provider)
    assert list(provider.find_published([first, last])) == [first.pk]
    server.faults.append(Fault("PATCH .*", 500))
    with pytest.raises(NotReachable):
        provider.publish(last, "t")
    assert provider.find_published([last]) == {}
    server.faults.append(Fault("POST .*/transition/", 500, is_after=True))
    with pytest.raises(NotReachable):
        provider.publish(last, "t")
    assert list(provider.find_published([last])) == [last.pk]


def test_it_adds_places_once_however_often_it_is_asked(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    hit = campaign.hits.earliest("pk")
    server.faults.append(Fault("PATCH .*", 500, is_after=True))
    with pytest.raises(NotReachable):
        provider.extend(hit, 3, "t1")
    assert provider.survey([hit])[hit.pk].asked == 5
    for token in ("t1", "t2"):
        provider.extend(hit, 3, token)
    assert only_study(server)["total_available_places"] == 7
    assert provider.survey([hit])[hit.pk].asked == 5


def test_it_forgets_places_that_were_refused(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    first, last = campaign.hits.all()
    server.faults.append(Fault("PATCH .*", 400))
    with pytest.raises(ProviderError):
        provider.extend(first, 3, "t")
    provider.extend(last, 1, "t")
    assert only_study(server)["total_available_places"] == 5


def test_it_rests_when_every_hit_is_closed(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    now, later = timezone.now(), timezone.now() + timedelta(days=1)
    statuses = []
    for place, at in [(0, now), (1, now), (1, now), (0, later), (1, later)]:
        provider.set_expiration(campaign.hits.all()[place], at)
        statuses.append(only_study(server)["status"])
    assert statuses == ["ACTIVE", "PAUSED", "PAUSED", "ACTIVE", "ACTIVE"]
    campaign.state = CampaignState.ENDED
    for hit in campaign.hits.all():
        provider.set_expiration(hit, now)
    assert only_study(server)["status"] == "AWAITING REVIEW"


# What prevents publishing ---------------------------------------------------------------------


def requirement(kind: str, value: int, comparator: str = "GreaterThan") -> dict[str, Any]:
    return {"QualificationTypeId": kind, "Comparator": comparator, "IntegerValues": [value]}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"rewards_by_kind": {"human": "0.20"}}, "the same"),
        ({"reward": Decimal("0.155")}, "whole cents"),
        ({"requirements": [requirement("00000000000000000071", 1)]}, "00000000000000000071"),
        ({}, ""),
    ],
)
def test_it_says_what_a_study_can_not_be(
    change: dict[str, Any], words: str, server: ProlificServer, unit_set: UnitSet
):
    found = Prolific(make_campaign(unit_set, **change)).check()
    assert [words in line for line in found] == ([True] if words else [])


def test_it_says_what_is_wrong_with_the_account(
    server: ProlificServer, campaign: Campaign, settings: Any
):
    server.currency = "GBP"
    assert Prolific(campaign).check() == [
        "The Prolific account is in GBP, but campaigns are in USD."
    ]
    settings.PROLIFIC_TOKEN = "another"
    assert Prolific(campaign).check() == ["Prolific refused: Invalid token."]
    settings.PROLIFIC_TOKEN = ""
    assert "Set PROLIFIC_TOKEN" in Prolific(campaign).check()[0]
    server.close()
    settings.PROLIFIC_TOKEN = "for-tests"
    assert "can't be reached" in Prolific(campaign).check()[0]


def test_it_wants_an_address_that_participants_reach(
    server: ProlificServer, campaign: Campaign, settings: Any
):
    from annotation.crowd.providers.prolific_study import find_obstacles

    settings.PROLIFIC_URL, settings.PUBLIC_URL = "https://api.prolific.com", "http://127.0.0.1:8000"
    assert "Set PUBLIC_URL" in find_obstacles(campaign, {})[0]


def test_it_asks_for_participants_like_those_of_mturk(server: ProlificServer, unit_set: UnitSet):
    wanted = [
        requirement("000000000000000000L0", 95, "GreaterThanOrEqualTo"),
        requirement("00000000000000000040", 100),
    ]
    publish(make_campaign(unit_set, requirements=wanted))
    rate, number, _ = only_study(server)["filters"]
    assert rate == {"filter_id": "approval_rate", "selected_range": {"lower": 95, "upper": 100}}
    assert number["selected_range"]["lower"] == 101


def test_it_counts_money_in_cents(server: ProlificServer, campaign: Campaign, settings: Any):
    settings.PROLIFIC_FEE = Decimal("0.3333")
    provider = Prolific(campaign)
    assert provider.balance() == Decimal("1000")
    assert provider.fee(Decimal("0.15"), 4) == Decimal("0.0500")
    assert provider.bonus_fee(Decimal("1.00")) == Decimal("0.3333")
    with pytest.raises(ValueError, match="whole number of cents"):
        to_cents(Decimal("0.155"))


def test_it_needs_a_study_first(server: ProlificServer, campaign: Campaign):
    hit = Hit.objects.earliest("pk")
    with pytest.raises(ProviderError, match="no study yet"):
        Prolific(campaign).publish(hit, "t")
