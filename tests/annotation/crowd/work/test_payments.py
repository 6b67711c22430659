"""What is owed to workers: added up, exported safely, paid once."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import delete_project
from annotation.crowd.campaigns.models import Campaign, Hit
from annotation.crowd.campaigns.service import create_campaign
from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.decisions import reject
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import EntryKind, MarketEntry, MarketHit
from annotation.crowd.market.requesters import create_requester, get_project_requester
from annotation.crowd.market.work import return_assignment, submit_assignment
from annotation.crowd.market.workers import record_payout
from annotation.crowd.requesters.payments import get_earnings, stream_payments
from annotation.errors import DomainError, Invalid
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.crowd.results import make_frozen
from tests.annotation.crowd.working import make_hit, make_requester, make_type


@pytest.fixture
def earner(worker: WorkerAccount) -> WorkerAccount:
    worker.user.name = '=HYPERLINK("http://x")'
    worker.user.save()
    for number, amount in enumerate(["-1.50", "-0.1234"]):
        MarketEntry.objects.create(
            requester=make_requester(),
            worker=worker,
            kind=EntryKind.REWARD if number else EntryKind.BONUS,
            key=f"entry-{number}",
            amount=Decimal(amount),
        )
    return worker


@pytest.fixture
def as_staff(owner: User) -> Client:
    owner.is_staff = True
    owner.save()
    return sign_in(owner)


def test_it_pays_once_for_a_key(earner: WorkerAccount):
    for _ in range(2):
        record_payout(worker=earner, amount=Decimal("1.00"), key="march")
    earnings = get_earnings(earner)
    assert (earnings.earned, earnings.paid_out, earnings.owed) == (
        Decimal("1.6234"),
        Decimal("1.00"),
        Decimal("0.6234"),
    )


@pytest.mark.parametrize(
    "amount, error", [("1.6235", DomainError), ("0", Invalid), ("-1", Invalid)]
)
def test_it_pays_no_more_than_is_owed(earner: WorkerAccount, amount: str, error: type[Exception]):
    with pytest.raises(error):
        record_payout(worker=earner, amount=Decimal(amount), key="k")
    assert get_earnings(earner).paid_out == 0


def test_it_exports_what_a_spreadsheet_may_open(
    earner: WorkerAccount, as_staff: Client, tmp_path: Path
):
    response = as_staff.get("/work/payments/csv/")
    text = b"".join(response).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["name"] for row in rows} == {'\'=HYPERLINK("http://x")'}
    sums = [(row["earned"], row["paid_out"], row["owed"]) for row in rows]
    assert sums == [("1.5000", "0.0000", "1.5000"), ("0.1234", "0.0000", "0.1234")]
    file = tmp_path / "payments.csv"
    call_command("export_payments", output=file)
    assert file.read_bytes().decode() == text
    out = io.StringIO()
    call_command("export_payments", stdout=out)
    assert out.getvalue() == text


def test_it_records_a_payout_from_the_page(earner: WorkerAccount, as_staff: Client):
    page = page_of(as_staff.get("/work/payments/"))
    assert "Workers are owed $1.62." in page.text
    sent = {"amount": page.values["amount"], "key": page.values["key"], "note": "March"}
    for _ in range(2):
        as_staff.post(f"/work/payments/{earner.worker_id}/", sent)
    assert get_earnings(earner).owed == 0
    assert "nothing owed" in page_of(as_staff.get("/work/payments/")).text


def test_it_makes_links_for_workers(as_staff: Client):
    as_staff.post("/work/invitations/", {"uses": 3, "days": 7, "note": "Panel"})
    page = page_of(as_staff.get("/work/payments/"))
    assert "Panel · 3 uses left" in page.text
    assert as_staff.post("/work/invitations/", {"uses": 0}).status_code == 400


@pytest.fixture
def campaign(corpus: Project, owner: User) -> Campaign:
    """Of a project with a requester, with a HIT that is out."""
    unit_set = make_frozen(corpus, owner)
    made: Campaign = create_campaign(
        project=corpus, user=owner, unit_set=unit_set, name="Round 1", reward="0.10"
    )
    return made


def earn(worker: WorkerAccount, hit: MarketHit, amount: str) -> None:
    taken = hit.assignments.create(worker=worker, status="Approved", deadline=hit.expires_at)
    MarketEntry.objects.create(
        requester=hit.requester,
        worker=worker,
        assignment=taken,
        kind=EntryKind.REWARD,
        key=f"reward:{taken.pk}",
        amount=-Decimal(amount),
    )


def test_it_names_requester_project_and_campaign(
    worker: WorkerAccount, campaign: Campaign, as_staff: Client
):
    """What is owed adds up by each of them, since payouts count against the oldest earnings."""
    project = campaign.project
    requester = get_project_requester(project=project)
    requester.name = "=Study"
    requester.save()
    study = make_type(requester)
    hit, other = make_hit(study), make_hit(make_type(make_requester("Elsewhere")))
    summary = project.examples.earliest("pk").summaries.earliest("pk")
    fields = {"campaign": campaign, "summary": summary, "statements": []}
    Hit.objects.create(**fields, reward=study.reward, wanted=4, provider_id=hit.hit_id)
    earn(worker, hit, "2.00")
    earn(worker, other, "1.00")
    record_payout(worker=worker, amount=Decimal("2.25"), key="march")
    rows = list(csv.DictReader(io.StringIO("".join(stream_payments()))))
    names = [(row["requester"], row["project"], row["campaign"]) for row in rows]
    assert names == [("'=Study", project.name, "Round 1"), ("Elsewhere", "", "")]
    sums = [(row["earned"], row["paid_out"], row["owed"]) for row in rows]
    assert sums == [("2.0000", "2.0000", "0.0000"), ("1.0000", "0.2500", "0.7500")]
    assert get_earnings(worker).owed == Decimal("0.75")
    page = page_of(as_staff.get("/work/payments/")).text
    for said in (
        "Workers are owed $0.75.",
        "=Study",
        project.name,
        "Round 1",
        "Elsewhere",
        "Owed by",
    ):
        assert said in page


def test_a_project_stays_while_something_is_owed_for_it(worker: WorkerAccount, project: Project):
    """Else nobody could say what the money is for."""
    earn(worker, make_hit(make_type(get_project_requester(project=project))), "2.00")
    with pytest.raises(DomainError, match=r"still owed \$2\.00"):
        delete_project(project=project)
    assert Project.objects.filter(pk=project.pk).exists()
    record_payout(worker=worker, amount=Decimal("2.00"), key="all")
    delete_project(project=project)
    assert not Project.objects.filter(pk=project.pk).exists()


@pytest.mark.parametrize("is_submitted", [False, True])
@pytest.mark.parametrize("by_campaign", [False, True])
def test_a_project_stays_while_work_for_it_may_be_paid(
    worker: WorkerAccount, campaign: Campaign, is_submitted: bool, by_campaign: bool
):
    """It would be approved by the clock, and owed for a project that nobody can name."""
    project = campaign.project
    payer = make_requester("Lab") if by_campaign else get_project_requester(project=project)
    kind = make_type(payer)
    hit = make_hit(kind)
    if by_campaign:
        summary = project.examples.earliest("pk").summaries.earliest("pk")
        fields = {"campaign": campaign, "summary": summary, "statements": []}
        Hit.objects.create(**fields, reward=kind.reward, wanted=4, provider_id=hit.hit_id)
    taken = accept_hit(worker=worker, hit_id=hit.hit_id)
    if is_submitted:
        submit_assignment(assignment_id=taken.assignment_id, fields={"s1": ["present"]})
    with pytest.raises(DomainError, match="1 assignment .* waiting for a decision"):
        delete_project(project=project)
    assert MarketHit.objects.get().expires_at == hit.expires_at
    taken.refresh_from_db()
    if is_submitted:
        reject(requester=payer, assignment_id=taken.assignment_id, feedback="Empty.")
    else:
        return_assignment(assignment=taken)
    delete_project(project=project)
    assert not Project.objects.filter(pk=project.pk).exists()


def test_it_lists_every_requester_for_staff(as_staff: Client, project: Project):
    made = [create_requester(name="Study", project=project), create_requester(name="Lab")]
    page = as_staff.get("/work/payments/").content.decode()
    for requester in made:
        assert f"/account/requesters/{requester.pk}/" in page
