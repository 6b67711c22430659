"""The time worked is kept by the server: it outlives the page, the browser and the device."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment
from annotation.crowd.campaigns.queries import get_live
from annotation.crowd.market.answers import read_answer_xml
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketHit
from annotation.crowd.market.work import accept_hit, return_assignment, submit_assignment
from tests.annotation.crowd.campaigns.playing import collect, make_campaign, make_frozen, publish
from tests.annotation.crowd.working import make_hit, make_type, make_worker

pytestmark = pytest.mark.django_db


def taken(worker: WorkerAccount, minutes: int = 5, hit: MarketHit | None = None) -> str:
    """The address of an assignment that was accepted so long ago."""
    found = accept_hit(hit_id=(hit or make_hit(make_type())).hit_id, worker=worker)
    found.accepted_at -= timedelta(minutes=minutes)
    found.save(update_fields=["accepted_at"])
    return f"/work/assignments/{found.assignment_id}/"


def worked() -> float:
    return MarketAssignment.objects.get().seconds_worked


def submit(seconds: str) -> dict[str, str]:
    found = MarketAssignment.objects.get()
    fields = {"s1": ["present"], "s2": ["absent"], "giza_seconds": [seconds]}
    submit_assignment(assignment_id=found.assignment_id, fields=fields)
    found.refresh_from_db()
    return read_answer_xml(found.answer)


def test_it_only_grows(at_work: Client, worker: WorkerAccount):
    here = taken(worker)
    for seconds in ("80", "11", "0"):
        assert at_work.post(f"{here}time/", {"seconds": seconds}).status_code == 204
    assert worked() == 80
    assert 'data-seconds="80.0"' in at_work.get(here).content.decode()


def test_it_is_never_more_than_the_time_since_accepting(at_work: Client, worker: WorkerAccount):
    here = taken(worker, minutes=2)
    at_work.post(f"{here}time/", {"seconds": "1e9"})
    assert 120 <= worked() < 180


@pytest.mark.parametrize("seconds", ["", "nan", "inf", "-1", "soon"])
def test_it_is_a_number(at_work: Client, worker: WorkerAccount, seconds: str):
    here = taken(worker)
    assert at_work.post(f"{here}time/", {"seconds": seconds}).status_code == 400
    assert worked() == 0


def test_it_is_the_workers_own(at_work: Client, worker: WorkerAccount):
    here = taken(make_worker("Other"))
    assert at_work.post(f"{here}time/", {"seconds": "80"}).status_code == 404
    assert worked() == 0


def test_it_ends_with_the_work(at_work: Client, worker: WorkerAccount):
    here = taken(worker)
    return_assignment(assignment=MarketAssignment.objects.get())
    assert at_work.post(f"{here}time/", {"seconds": "80"}).status_code == 204
    assert worked() == 0


@pytest.mark.parametrize("measured, counted", [("11.0", "80.0"), ("95.5", "95.5"), ("?", "80.0")])
def test_the_longer_time_is_submitted(
    at_work: Client, worker: WorkerAccount, measured: str, counted: str
):
    at_work.post(f"{taken(worker)}time/", {"seconds": "80"})
    assert submit(measured)["giza_seconds"] == counted


def test_a_task_that_measures_no_time_gets_no_field(at_work: Client, worker: WorkerAccount):
    at_work.post(f"{taken(worker)}time/", {"seconds": "80"})
    found = MarketAssignment.objects.get()
    submit_assignment(assignment_id=found.assignment_id, fields={"s1": ["present"]})
    found.refresh_from_db()
    assert set(read_answer_xml(found.answer)) == {"s1"}


def test_nobody_is_too_quick_who_closed_the_tab(
    at_work: Client, worker: WorkerAccount, corpus: Project, owner: User
):
    campaign = publish(make_campaign(make_frozen(corpus, owner), owner))
    here = taken(worker, hit=MarketHit.objects.earliest("pk"))
    at_work.post(f"{here}time/", {"seconds": "80"})
    submit("1.5")
    collect(campaign)
    assert Assignment.objects.get().seconds == 80
    assert get_live(campaign).hasty == 0
