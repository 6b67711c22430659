"""A campaign at an MTurk endpoint that is somebody else's: by boto3, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.conf import LazySettings
from pytest_django.live_server_helper import LiveServer

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns import collecting, ledger, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignState,
    Hit,
    ProviderName,
    Worker,
)
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import MarketEntry, MarketHit
from annotation.crowd.market.money import deposit
from annotation.crowd.market.requesters import create_requester
from annotation.crowd.market.work import accept_hit, submit_assignment
from annotation.crowd.providers import mturk_wire, requester_api
from annotation.crowd.providers.mturk import MTurk
from annotation.crowd.review import bulk
from annotation.crowd.review import service as review_service
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.crowd.market.requesting import make_key
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db(transaction=True)

ORIGIN = "https://workers.example.org"


@pytest.fixture
def account() -> Requester:
    """An account at the endpoint; that it is our own software there makes no difference."""
    made = create_requester(name="Elsewhere")
    deposit(requester=made, amount=Decimal(50), note="For tests")
    return made


@pytest.fixture
def endpoint(
    live_server: LiveServer,
    account: Requester,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """Address in the settings, keys in the environment: as anybody would set it up."""
    key = make_key(account)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    settings.MTURK_ENDPOINT_URL = f"{live_server.url}/mturk/"
    settings.MTURK_SUBMIT_ORIGINS = [ORIGIN]
    settings.MARKET_FEE = Decimal("0.20")
    forget_keys(monkeypatch)
    yield settings.MTURK_ENDPOINT_URL
    mturk_wire.make_client.cache_clear()


def forget_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a new process: boto3 reads the environment once."""
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)
    mturk_wire.make_client.cache_clear()


@pytest.fixture
def campaign(frozen: UnitSet, owner: User) -> Campaign:
    return make_campaign(frozen, owner)


def make_campaign(unit_set: UnitSet, owner: User, **fields: Any) -> Campaign:
    given = {"name": "Elsewhere", "reward": "0.10", "assignments_per_hit": 2, **fields}
    return campaigns_service.create_campaign(
        project=unit_set.project, user=owner, unit_set=unit_set, provider="mturk", **given
    )


def publish(campaign: Campaign) -> Campaign:
    job = steps.publish_campaign(campaign=campaign, user=None)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    campaign.refresh_from_db()
    return campaign


def work_off(name: str, *, after: int = 0) -> None:
    """Every HIT that is out, or those that came after one."""
    worker = make_worker(name)
    for hit in MarketHit.objects.filter(pk__gt=after):
        taken = accept_hit(hit_id=hit.hit_id, worker=worker)
        fields = {"s1": ["present"], "s2": ["absent"], "giza_seconds": ["30"]}
        submit_assignment(assignment_id=taken.assignment_id, fields=fields)


def test_it_runs_a_campaign_at_another_endpoint(
    campaign: Campaign, endpoint: str, account: Requester
):
    publish(campaign)
    assert campaign.state == CampaignState.LIVE
    hits = MarketHit.objects.filter(requester=account)
    assert hits.count() == 6
    question = hits.earliest("pk").question
    assert ORIGIN in question
    assert len(question.encode()) <= 65_535
    assert not Requester.objects.filter(project=campaign.project).exists()
    for name in ("ann", "bob"):
        work_off(name)
    assert collecting.collect_campaign(campaign=campaign).new == 12
    rows = list(Assignment.objects.select_related("hit", "worker", "campaign"))
    review_service.approve_assignments(campaign=campaign, assignments=rows, user=None)
    campaigns_service.update_campaign(campaign=campaign, user=None, budget="10")
    campaign.refresh_from_db()
    award = review_service.Award(rows[0], Decimal("0.50"), "Thank you")
    review_service.send_bonuses(campaign=campaign, awards=[award], user=None)
    books = ledger.get_books(campaign)
    paid = -sum(row.amount for row in MarketEntry.objects.exclude(kind="deposit"))
    assert books.spent == paid == Decimal("2.04")
    assert (books.fees, books.open_intents) == (Decimal("0.34"), 0)


def test_it_keeps_workers_out(campaign: Campaign, endpoint: str, frozen: UnitSet, owner: User):
    """One is excluded by hand; the next campaign is closed to everybody who worked in this."""
    publish(campaign)
    work_off("ann")
    collecting.collect_campaign(campaign=campaign)
    ann = Worker.objects.get(provider=ProviderName.MTURK)
    bulk.exclude_worker(campaign=campaign, worker=ann, user=owner, reason="Too quick.")
    bulk.include_worker(campaign=campaign, worker=ann, user=owner)
    bulk.include_worker(campaign=campaign, worker=ann, user=owner)
    second = make_campaign(frozen, owner, name="Second", exclude_earlier_workers=True)
    publish(second)
    asked = MarketHit.objects.latest("pk").hit_type.requirements
    assert [row["Comparator"] for row in asked] == ["DoesNotExist"] * 2
    client = MTurk(second).client
    held = [
        client.list_workers_with_qualification_type(QualificationTypeId=row["QualificationTypeId"])[
            "Qualifications"
        ]
        for row in asked
    ]
    assert [[row["WorkerId"] for row in rows] for rows in held] == [[], [ann.provider_id]]


def test_it_keeps_out_who_begins_in_another_campaign_meanwhile(
    campaign: Campaign, endpoint: str, frozen: UnitSet, owner: User
):
    """Two campaigns at once: who is paid for the first one does not judge again in the second."""
    second = make_campaign(frozen, owner, name="Second", exclude_earlier_workers=True)
    publish(second)
    last = MarketHit.objects.latest("pk")
    publish(campaign)
    work_off("ann", after=last.pk)
    collecting.collect_campaign(campaign=campaign)
    second.refresh_from_db()
    collecting.collect_campaign(campaign=second)
    client = MTurk(second).client
    held = [
        row["WorkerId"]
        for asks in last.hit_type.requirements
        for row in client.list_workers_with_qualification_type(
            QualificationTypeId=asks["QualificationTypeId"]
        )["Qualifications"]
    ]
    assert held == [Worker.objects.get(provider=ProviderName.MTURK).provider_id]


def test_it_pages_through_everything(
    project: Project,
    owner: User,
    endpoint: str,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
):
    """More HITs than are asked for one by one, and more than a page of HITs and of assignments."""
    monkeypatch.setattr(requester_api, "PAGE", 2)
    monkeypatch.setattr(requester_api, "ASK_EACH", 1)
    factories.import_examples(project, tmp_path)
    unit_set = factories.make_set(project, owner)
    for row in project.examples.all():
        factories.add_unit(unit_set, row, owner, "The dam burst.")
    factories.freeze(unit_set, owner)
    unit_set.refresh_from_db()
    campaign = publish(make_campaign(unit_set, owner, assignments_per_hit=5))
    for name in ("ann", "bob", "cem", "dee", "eve"):
        work_off(name)
    assert collecting.collect_campaign(campaign=campaign).new == 30
    found = MTurk(campaign).find_published(Hit.objects.all())
    assert {row.provider_id for row in found.values()} == set(
        MarketHit.objects.values_list("hit_id", flat=True)
    )


def test_it_points_to_a_page_on_a_public_host(
    frozen: UnitSet, owner: User, endpoint: str, settings: LazySettings
):
    settings.PUBLIC_URL = "https://giza.example.org"
    publish(make_campaign(frozen, owner, delivery="external"))
    question = MarketHit.objects.earliest("pk").question
    assert "<ExternalURL>https://giza.example.org/judge/" in question


def test_it_says_what_stands_in_the_way(
    campaign: Campaign, endpoint: str, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
):
    assert steps.list_obstacles(campaign) == []
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    forget_keys(monkeypatch)
    assert "InvalidSignatureException" in steps.list_obstacles(campaign)[0]
    settings.MTURK_ENDPOINT_URL = ""
    assert "MTURK_ENDPOINT_URL" in steps.list_obstacles(campaign)[0]


FEES = [("0.15", 4, "0.03"), ("0.15", 9, "0.03"), ("0.15", 10, "0.06"), ("0.02", 4, "0.01")]


def test_it_takes_the_fees_of_mturk(campaign: Campaign):
    for reward, places, fee in FEES:
        assert MTurk(campaign).fee(Decimal(reward), places) == Decimal(fee), (reward, places)
