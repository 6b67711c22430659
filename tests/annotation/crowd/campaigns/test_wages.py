"""Wages worker by worker: shown, topped up once, and advertised by no single one of them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import Assignment, Campaign, Intent, Worker
from annotation.crowd.campaigns.queries import get_live, get_wage
from annotation.crowd.market.models_work import AssignmentStatus, Bonus, MarketAssignment
from annotation.crowd.review import bulk
from annotation.crowd.review import service as review_service
from annotation.crowd.work.queries import get_medians
from annotation.errors import DomainError
from tests.annotation.crowd.working import make_hit, make_type, make_worker


@pytest.fixture
def paid(collected: Campaign) -> Campaign:
    """Ann took half a minute for each of her six HITs, Bob half an hour; all is approved."""
    campaigns_service.update_campaign(campaign=collected, user=None, budget="100", wage_floor="6")
    bob = Worker.objects.order_by("pk").last()
    Assignment.objects.update(seconds=30)
    Assignment.objects.filter(worker=bob).update(seconds=1800)
    collected.refresh_from_db()
    rows = list(collected.assignments.select_related("hit", "worker", "campaign"))
    review_service.approve_assignments(campaign=collected, assignments=rows, user=None)
    return collected


def test_a_worker_below_the_floor_is_shown_though_the_median_is_above(
    as_owner: Client, paid: Campaign
):
    wage = get_wage(paid)
    assert wage.median is not None
    assert not wage.is_below
    assert (wage.workers, wage.below, wage.timed) == (2, 1, 12)
    here = f"/p/study/crowd/{paid.pk}/"
    live = as_owner.get(here).content.decode()
    assert f'href="{here}top-up/"' in live
    ann, bob = Worker.objects.order_by("pk")
    page = as_owner.get(f"{here}workers/").content.decode()
    assert page.count("below the floor") == 1
    assert f"top-up-{bob.pk}" in page
    assert f"top-up-{ann.pk}" not in page


def test_one_worker_can_be_topped_up_by_themselves(as_owner: Client, paid: Campaign):
    ann, bob = Worker.objects.order_by("pk")
    Assignment.objects.filter(worker=ann).update(seconds=600)
    address = f"/p/study/crowd/{paid.pk}/top-up/?worker={bob.pk}"
    page = as_owner.get(address).content.decode()
    # Three hours at the floor of 6 $, less the 60 cents of six HITs.
    assert "$17.40" in page
    assert str(bob) in page
    assert str(ann) not in page
    price = as_owner.get(address).context["question"].total
    assert as_owner.post(address, {"total": f"{price:.4f}"}).status_code == 302
    assert [row.amount for row in Intent.objects.filter(kind="bonus")] == [Decimal("17.40")]
    assert [str(row.assignment.worker) for row in bulk.list_top_ups(paid)] == [str(ann)]


def test_work_that_came_in_meanwhile_is_not_paid_unasked(paid: Campaign):
    with pytest.raises(DomainError, match=r"This now costs \$"):
        bulk.top_up(campaign=paid, user=None, at_most=Decimal("1.00"))
    assert not Intent.objects.filter(kind="bonus").exists()


def test_a_bonus_shows_its_reason_to_the_worker(paid: Campaign, client: Client):
    bulk.top_up(campaign=paid, user=None)
    bonus = Bonus.objects.get()
    worker = bonus.assignment.worker
    client.force_login(worker.user)
    for address in ("/work/history/", f"/work/assignments/{bonus.assignment.assignment_id}/"):
        page = client.get(address).content.decode()
        assert str(bulk.TOP_UP_REASON) in page
        assert "$17.40" in page
        assert bonus.reason not in page  # without the mark by which it is found again


def submit(name: str, hit_type: Any, seconds: float, number: int, **more: Any) -> None:
    worker = make_worker(name)
    for _ in range(number):
        accepted = timezone.now() - timedelta(hours=1)
        MarketAssignment.objects.create(
            hit=make_hit(hit_type),
            worker=worker,
            accepted_at=accepted,
            submitted_at=accepted + timedelta(seconds=seconds),
            deadline=accepted + timedelta(hours=2),
            **{"status": AssignmentStatus.SUBMITTED, **more},
        )


def test_one_spammer_does_not_set_the_advertised_time(db: None):
    kind = make_type()
    submit("Ann", kind, 60, 1)
    submit("Bob", kind, 80, 1)
    submit("Cem", kind, 70, 1)
    submit("Spam", kind, 2, 20)
    assert get_medians([kind.pk])[kind.pk] == timedelta(seconds=65)
    submit("Slow", kind, 3000, 20, status=AssignmentStatus.REJECTED)
    assert get_medians([kind.pk])[kind.pk] == timedelta(seconds=65)


def test_a_few_workers_advertise_nothing(db: None):
    kind = make_type()
    submit("Spam", kind, 2, 20)
    submit("Ann", kind, 60, 1)
    assert get_medians([kind.pk]) == {}


def test_one_spammer_does_not_set_the_measured_wage(paid: Campaign):
    """Six assignments of hers against one each of two others."""
    ann = Worker.objects.earliest("pk")
    hit = paid.hits.earliest("pk")
    for number, seconds in enumerate((60, 72)):
        other = Worker.objects.create(
            project=paid.project, provider=paid.provider, provider_id=f"O{number}"
        )
        Assignment.objects.create(
            campaign=paid, hit=hit, worker=other, provider_id=f"O{number}", raw="", seconds=seconds
        )
    Assignment.objects.filter(worker=ann).update(seconds=1)
    wage = get_wage(paid)
    # By hour: Ann 360 $, the others 6 $ and 5 $, Bob 20 cents.
    assert wage.median == Decimal("5.50")
    assert get_live(paid).wage.below == 2
