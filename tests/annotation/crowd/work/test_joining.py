"""Becoming a worker: openly or by invitation, with an account or without."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerInvitation
from annotation.crowd.market.workers import invite_workers
from tests.annotation.corpora.pages import page_of
from tests.factories import make_staff

NEW = {
    "name": "Wilma",
    "email": "wilma@example.org",
    "password": "correct-horse-battery",
    "country": "DE",
    "consent": "on",
}


@pytest.fixture
def invitation(db: None) -> WorkerInvitation:
    return invite_workers(user=make_staff(), uses=1, days=1)


@pytest.fixture
def open_market(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MARKET_SIGN_UP", "open")


def test_it_makes_an_account_and_a_worker(client: Client, db: None, open_market: None):
    response = client.post("/work/join/", NEW, follow=True)
    worker = WorkerAccount.objects.get(user__email="wilma@example.org")
    assert worker.country == "DE"
    assert worker.worker_id in page_of(response).text


def test_it_makes_somebody_with_an_account_a_worker_once(as_outsider: Client, open_market: None):
    for _ in range(2):
        as_outsider.post("/work/join/", {"country": "DE", "consent": "on"})
    assert WorkerAccount.objects.count() == 1


@pytest.mark.parametrize("missing", ["consent", "country", "email"])
def test_it_asks_for_what_is_missing(client: Client, db: None, open_market: None, missing: str):
    sent = {name: value for name, value in NEW.items() if name != missing}
    page_of(client.post("/work/join/", sent), 422)
    assert not User.objects.filter(email="wilma@example.org").exists()


def test_it_needs_an_invitation_unless_the_setting_says_open(
    client: Client, invitation: WorkerInvitation
):
    assert page_of(client.get("/work/join/")).actions == []
    assert client.post("/work/join/", NEW).status_code == 422
    # Nothing is left of a refused attempt.
    assert not User.objects.filter(email="wilma@example.org").exists()
    assert client.post(f"/work/join/{invitation.token}/", NEW).status_code == 302
    invitation.refresh_from_db()
    assert invitation.uses_left == 0


def _use_up(invitation: WorkerInvitation) -> None:
    invitation.uses_left = 0
    invitation.save()


def _let_run_out(invitation: WorkerInvitation) -> None:
    invitation.expires_at = timezone.now() - timedelta(seconds=1)
    invitation.save()


@pytest.mark.parametrize("close", [_use_up, _let_run_out])
def test_it_refuses_an_invitation_that_is_closed(
    client: Client, invitation: WorkerInvitation, close
):
    close(invitation)
    address = f"/work/join/{invitation.token}/"
    assert page_of(client.get(address)).actions == []
    assert client.post(address, NEW).status_code == 422
    assert WorkerAccount.objects.count() == 0


def test_it_knows_only_its_own_invitations(client: Client, db: None):
    assert client.get("/work/join/NONE/").status_code == 404
