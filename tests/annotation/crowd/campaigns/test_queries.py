"""No page of a campaign asks the database more often because it holds more."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.change_marks import renew
from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import Assignment, Campaign
from annotation.crowd.market.models_work import MarketHit
from tests.annotation.conftest import sign_in
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off
from tests.annotation.crowd.wire import Wire

# For each address, the most queries that it may ask when nothing of it is kept yet: sign-in,
# membership, the bell and the marks of what is kept included.
MOST = {
    "": 12,
    "{pk}/": 38,
    "{pk}/review/": 19,
    "{pk}/review/{assignment}/": 12,
    "{pk}/workers/": 14,
    "{pk}/ledger/": 11,
    "{pk}/ledger.csv": 7,
}


def count(user: User, address: str) -> int:
    client = sign_in(user)
    cache.clear()
    with connection.cursor() as cursor:
        renew(connection, cursor)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        response = client.get(address)
        b"".join(response)
    assert response.status_code == 200
    return len(queries)


@pytest.fixture
def growing(campaign: Campaign, wire: Wire) -> Campaign:
    publish(campaign)
    work_off("ann", hits=MarketHit.objects.all()[:2], s1="present", s2="absent")
    return collect(campaign)


def test_it_asks_as_often_of_much_as_of_little(growing: Campaign, owner: User) -> None:
    row = Assignment.objects.earliest("pk")
    names = {"pk": growing.pk, "assignment": row.pk}
    places = {path: f"/p/study/crowd/{path.format(**names)}" for path in MOST}
    before = {path: count(owner, place) for path, place in places.items()}
    work_off("bob", s1="present", s2="present")
    collect(growing)
    for number in range(3):
        campaigns_service.create_campaign(
            project=growing.project, user=owner, unit_set=growing.unit_set, name=f"C{number}"
        )
    after = {path: count(owner, place) for path, place in places.items()}
    assert after == before
    assert {path: number for path, number in after.items() if number > MOST[path]} == {}
