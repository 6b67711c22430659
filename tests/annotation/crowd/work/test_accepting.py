"""Taking HITs, one after the other; races are in test_race.py."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.crowd.market.accepting import NoPlace, NotQualified
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerBlock
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.market.work import accept_hit, accept_next, return_assignment
from annotation.errors import DomainError, NotFound
from tests.annotation.crowd.working import make_hit, make_type, make_worker, places_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def hit(db: None) -> MarketHit:
    return make_hit(make_type(), places=2)


def test_it_takes_one_place_until_the_deadline(hit: MarketHit, worker: WorkerAccount):
    assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
    assert assignment.deadline - assignment.accepted_at == timedelta(seconds=600)
    assert places_of(hit) == (1, 1, 0, 0)
    worker.refresh_from_db()
    assert worker.accepted == 1


def test_it_gives_the_same_assignment_twice(hit: MarketHit, worker: WorkerAccount):
    first = accept_hit(hit_id=hit.hit_id, worker=worker)
    again = accept_hit(hit_id=hit.hit_id, worker=worker)
    by_type = accept_next(hit_type=hit.hit_type, worker=worker)
    assert first.pk == again.pk == by_type.pk
    assert places_of(hit) == (1, 1, 0, 0)
    worker.refresh_from_db()
    assert worker.accepted == 1


def test_it_hands_out_no_more_places_than_there_are(hit: MarketHit):
    for number in range(2):
        accept_hit(hit_id=hit.hit_id, worker=make_worker(f"W{number}"))
    with pytest.raises(NoPlace):
        accept_hit(hit_id=hit.hit_id, worker=make_worker("Third"))
    assert places_of(hit) == (0, 2, 0, 0)


@pytest.mark.parametrize(
    "change, error",
    [
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, NoPlace),
        ({"is_deleted": True}, NotFound),
        ({"available": 0, "completed": 2}, NoPlace),
    ],
)
def test_it_refuses_a_hit_that_is_over(
    hit: MarketHit, worker: WorkerAccount, change: dict[str, Any], error: type[DomainError]
):
    MarketHit.objects.filter(pk=hit.pk).update(**change)
    with pytest.raises(error):
        accept_hit(hit_id=hit.hit_id, worker=worker)
    worker.refresh_from_db()
    assert worker.accepted == 0


def test_it_refuses_suspended_and_blocked_workers(hit: MarketHit):
    suspended = make_worker("Suspended", is_suspended=True)
    blocked = make_worker("Blocked")
    WorkerBlock.objects.create(requester=hit.requester, worker=blocked)
    for worker in (suspended, blocked):
        with pytest.raises(NotQualified):
            accept_hit(hit_id=hit.hit_id, worker=worker)
        with pytest.raises(NotQualified):
            accept_next(hit_type=hit.hit_type, worker=worker)
    assert places_of(hit) == (2, 0, 0, 0)


def test_it_says_what_a_worker_lacks(worker: WorkerAccount):
    wanted = {
        "QualificationTypeId": "00000000000000000071",
        "Comparator": "EqualTo",
        "LocaleValues": [{"Country": "US"}],
    }
    hit = make_hit(make_type(requirements=[wanted]))
    with pytest.raises(NotQualified, match="US workers only"):
        accept_hit(hit_id=hit.hit_id, worker=worker)


def test_it_goes_on_to_hits_that_the_worker_never_had(worker: WorkerAccount):
    kind = make_type()
    hits = [make_hit(kind), make_hit(kind)]
    seen = []
    for _ in hits:
        assignment = accept_next(hit_type=kind, worker=worker)
        seen.append(assignment.hit_id)
        return_assignment(assignment=assignment)
    assert sorted(seen) == [hit.pk for hit in hits]
    with pytest.raises(NoPlace):
        accept_next(hit_type=kind, worker=worker)
    # Chosen by hand, what was given back may be taken again.
    assert accept_hit(hit_id=hits[0].hit_id, worker=worker).status == "Accepted"
