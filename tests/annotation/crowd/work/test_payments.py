"""What is owed to workers: added up, exported safely, paid once."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from annotation.corpora.models import User
from annotation.crowd.market.payouts import record_payout
from annotation.crowd.models import EntryKind, MarketEntry, WorkerAccount
from annotation.crowd.selectors.payments import get_earnings
from annotation.errors import DomainError, Invalid
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.crowd.working import make_requester


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
    row = next(csv.DictReader(io.StringIO(text)))
    assert row["name"] == '\'=HYPERLINK("http://x")'
    assert (row["earned"], row["paid_out"], row["owed"]) == ("1.6234", "0.0000", "1.6234")
    file = tmp_path / "payments.csv"
    call_command("export_payments", output=file)
    assert file.read_bytes().decode() == text
    out = io.StringIO()
    call_command("export_payments", stdout=out)
    assert out.getvalue() == text


def test_it_records_a_payout_from_the_page(earner: WorkerAccount, as_staff: Client):
    page = page_of(as_staff.get("/work/payments/"))
    assert "$1.62 is owed to workers" in page.text
    sent = {"amount": page.values["amount"], "key": page.values["key"], "note": "March"}
    for _ in range(2):
        as_staff.post(f"/work/payments/{earner.worker_id}/", sent)
    assert get_earnings(earner).owed == 0
    assert "nothing is owed" in page_of(as_staff.get("/work/payments/")).text


def test_it_makes_links_for_workers(as_staff: Client):
    as_staff.post("/work/invitations/", {"uses": 3, "days": 7, "note": "Panel"})
    page = page_of(as_staff.get("/work/payments/"))
    assert "Panel · 3 may still join" in page.text
    assert as_staff.post("/work/invitations/", {"uses": 0}).status_code == 400
