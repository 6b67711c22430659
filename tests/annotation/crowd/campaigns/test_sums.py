"""What pages keep of campaigns is what the rows say, at every step; and is read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns import queries as campaigns
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns import sums
from annotation.crowd.campaigns.ledger import get_books
from annotation.crowd.campaigns.live import STATES, list_rows, price_top_ups
from annotation.crowd.campaigns.models import Assignment, Campaign, Hit, Intent
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.review import bulk
from annotation.crowd.review import service as review_service
from tests.annotation.conftest import sign_in
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off
from tests.annotation.crowd.wire import Wire

# What a page may say of all rows without a look at them.
PAGES = ["", "{pk}/", "{pk}/review/", "{pk}/workers/", "{pk}/ledger/", "{pk}/end/", "{pk}/extend/"]
SUMMED = re.compile(
    r"SELECT (?:(?! FROM ).)*(?:SUM|COUNT|MAX)\((?:(?! FROM ).)* FROM "
    r'"crowd_(hit|assignment|intent|judgement)"'
)


def check(campaign: Campaign) -> None:
    campaign.refresh_from_db()
    hits, work = list(campaign.hits.all()), list(campaign.assignments.all())
    places = sums.sum_places(campaign)
    assert (places.hits, places.wanted) == (len(hits), sum(row.wanted for row in hits))
    assert places.collected == sum(row.collected for row in hits)
    states = [campaigns.get_hit_state(row) for row in hits]
    assert dict(sums.count_hits(campaign)) == {
        state: states.count(state) for state in STATES if state in states
    }
    counts = sums.count_answers(campaign)
    for state, number in counts.by_state.items():
        assert number == sum(row.state == state for row in work)
    assert counts.workers == len({row.worker_id for row in work})
    assert sums.recall_books(campaign) == get_books(campaign)
    assert sums.count_entries(campaign) == Intent.objects.filter(campaign=campaign).count()
    assert list(sums.recall_wages(campaign)) == bulk.list_wages(campaign)
    lacking = bulk.list_top_ups(campaign)
    assert price_top_ups(campaign).amount == sum(row.amount for row in lacking)
    [row] = [row for row in list_rows(campaign.project) if row.campaign == campaign]
    assert (row.wanted, row.books) == (places.wanted, get_books(campaign))


def test_they_follow_a_campaign_through_its_life(campaign: Campaign, owner: User, wire: Wire):
    campaigns_service.update_campaign(campaign=campaign, user=owner, budget="100", wage_floor="6")
    check(campaign)
    publish(campaign)
    check(campaign)
    work_off("ann", s1="present", s2="absent")
    collect(campaign)
    Assignment.objects.filter(campaign=campaign).update(seconds=600)
    check(campaign)
    first, second, *others = Assignment.objects.filter(campaign=campaign).order_by("pk")
    review_service.approve_assignments(campaign=campaign, assignments=[first], user=owner)
    check(campaign)
    review_service.reject_assignments(
        campaign=campaign, assignments=[second], user=owner, feedback="Empty."
    )
    check(campaign)
    award = review_service.Award(
        first, amount=sums.recall_books(campaign).rewards, reason="Thanks."
    )
    review_service.send_bonuses(campaign=campaign, awards=[award], user=owner)
    check(campaign)
    bulk.top_up(campaign=campaign, user=owner)
    check(campaign)
    Assignment.objects.filter(pk=others[0].pk).update(seconds=900)
    check(campaign)
    Hit.objects.filter(campaign=campaign).update(wanted=5)
    check(campaign)


@contextmanager
def noted() -> Iterator[list[str]]:
    """Statements as they are sent: PostgreSQL's adapter tells of none afterwards."""
    sent: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        sent.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield sent


def list_sums(user: User, address: str) -> list[str]:
    """Statements that sum up rows of campaigns, when the page is opened for the second time."""
    client = sign_in(user)
    assert client.get(address).status_code == 200
    with noted() as statements:
        client.get(address)
    return [sql for sql in statements if SUMMED.match(sql)]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_sums_up_once(campaign: Campaign, owner: User, wire: Wire, page: str):
    publish(campaign)
    work_off("ann", hits=MarketHit.objects.all()[:2], s1="present", s2="absent")
    collect(campaign)
    cache.clear()
    assert list_sums(owner, f"/p/study/crowd/{page.format(pk=campaign.pk)}") == []
