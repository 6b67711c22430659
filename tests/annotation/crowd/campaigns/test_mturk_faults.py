"""A bad line between a campaign and an MTurk endpoint: boto3 meets every fault, and all is once."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.conf import LazySettings

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns import ledger
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignState,
    Intent,
    IntentKind,
)
from annotation.crowd.market.models_work import Bonus, EntryKind, MarketEntry, MarketHit
from annotation.crowd.market.money import deposit
from annotation.crowd.market.requesters import create_requester
from annotation.crowd.review import service as review_service
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off
from tests.annotation.crowd.market.requesting import make_key
from tests.annotation.crowd.wire import (
    Fault,
    Wire,
    fail_after_success,
    lose_answer,
    refuse_connection,
    throttle,
)


@pytest.fixture
def away(
    frozen: UnitSet,
    owner: User,
    wire: Wire,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> Campaign:
    """A campaign at an endpoint elsewhere; what stands there is ours, reached by boto3 only."""
    account = create_requester(name="Elsewhere")
    deposit(requester=account, amount=Decimal(50), note="Grant")
    key = make_key(account)
    settings.MTURK_ENDPOINT_URL = "http://testserver/mturk/"
    monkeypatch.setattr(
        "annotation.crowd.providers.mturk.make_client",
        lambda endpoint: wire.make_client(endpoint, key.access_key, key.secret),
    )
    return campaigns_service.create_campaign(
        project=frozen.project,
        user=owner,
        unit_set=frozen,
        provider="mturk",
        name="Away",
        reward="0.10",
        assignments_per_hit=2,
        budget="10",
    )


@pytest.mark.parametrize("fault", [refuse_connection, lose_answer, fail_after_success, throttle])
def test_it_makes_no_second_hit(away: Campaign, wire: Wire, fault: Fault):
    for _ in range(3):
        wire.fail("CreateHITWithHITType", fault)
    publish(away)
    assert away.state == CampaignState.LIVE
    assert MarketHit.objects.count() == 6
    assert Intent.objects.filter(kind=IntentKind.PUBLISH).count() == 6
    assert not wire.faults


@pytest.mark.parametrize("fault", [refuse_connection, lose_answer, fail_after_success])
def test_it_pays_once(away: Campaign, wire: Wire, fault: Fault):
    publish(away)
    work_off("ann", s1="present", s2="absent", giza_seconds="30")
    wire.fail("ListAssignmentsForHIT", fault)
    collect(away)
    rows = list(Assignment.objects.select_related("hit", "worker", "campaign"))
    wire.fail("ApproveAssignment", fault)
    wire.fail("SendBonus", fault)
    award = review_service.Award(rows[0], Decimal("0.50"), "Thank you")
    for _ in range(2):
        review_service.approve_assignments(campaign=away, assignments=rows, user=None)
        review_service.send_bonuses(campaign=away, awards=[award], user=None)
    assert MarketEntry.objects.filter(kind=EntryKind.REWARD).count() == 6
    assert Bonus.objects.count() == 1
    assert ledger.get_books(away).open_intents == 0
    assert not wire.faults
