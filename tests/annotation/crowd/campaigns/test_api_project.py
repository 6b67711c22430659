"""REST for what a project's campaigns may spend, and for links by which workers join."""

from __future__ import annotations

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.market.models_accounts import WorkerInvitation
from annotation.crowd.market.models_work import MarketEntry
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of

DEPOSIT = {"project": "study", "amount": "12.50", "note": "A grant", "key": "first"}


def test_staff_deposit_once_however_often_they_send_it(project: Project, owner: User) -> None:
    assert Rest(owner).get("/projects/study/budget/").json()["available"] == "0.0000"
    assert error_of(Rest(owner).post("/deposits/", DEPOSIT)) == (403, "forbidden")
    staff = Rest(factories.make_staff())
    for _ in range(2):
        answer = staff.post("/deposits/", DEPOSIT)
        assert (answer.status_code, answer.json()["available"]) == (201, "12.5000")
    assert MarketEntry.objects.count() == 1
    assert error_of(staff.post("/deposits/", DEPOSIT | {"amount": "3.00"})) == (409, "conflict")
    assert error_of(staff.post("/deposits/", DEPOSIT | {"amount": 3})) == (400, "invalid")
    assert error_of(staff.post("/deposits/", DEPOSIT | {"project": "x"})) == (404, "not_found")
    assert Rest(owner).get("/projects/study/budget/").json()["available"] == "12.5000"


def test_an_owner_makes_links_for_workers(project: Project, owner: User) -> None:
    rest = Rest(owner)
    made = rest.post("/projects/study/worker-invitations/", {"uses": 4, "note": "Pilot"})
    assert made.status_code == 201
    assert WorkerInvitation.objects.get().token in made.json()["link"]
    [row] = rest.get("/projects/study/worker-invitations/").json()["results"]
    assert (row["uses_left"], row["note"]) == (4, "Pilot")
    refused = rest.post("/projects/study/worker-invitations/", {"uses": 0})
    assert error_of(refused) == (400, "invalid")
    publish_only = Rest(owner, scope="publish")
    refused = publish_only.post("/projects/study/worker-invitations/", {"uses": 1})
    assert error_of(refused) == (403, "forbidden")
