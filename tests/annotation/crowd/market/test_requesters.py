"""Requesters on the account page and on the command line."""

from __future__ import annotations

import json
from io import StringIO

import boto3
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.market.models_accounts import Requester, RequesterKey
from annotation.crowd.market.requesters import MOST_KEYS, create_key, create_requester
from annotation.errors import DomainError
from tests.annotation.conftest import sign_in
from tests.annotation.crowd.market.requesting import make_hit, make_requester
from tests.annotation.crowd.working import make_worker
from tests.factories import make_user

pytestmark = pytest.mark.django_db
ADA = ("--owner", "ada@example.org")


def run(*args: str) -> str:
    out = StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_it_makes_a_requester_that_boto3_can_use(live_server: LiveServer):
    make_user("Ada")
    budget = ["--deposit", "12.50", "--note", "Grant 4711"]
    made = json.loads(run("create_requester", "Lab", *ADA, *budget, "--json"))
    address = {**made["client"], "endpoint_url": f"{live_server.url}/mturk"}
    client = boto3.client("mturk", **address)
    assert client.get_account_balance()["AvailableBalance"] == made["balance"] == "12.50"
    assert (made["access_key"], made["secret_key"]) == (
        made["client"]["aws_access_key_id"],
        made["client"]["aws_secret_access_key"],
    )


def test_it_gives_another_key_to_a_name_that_is_there():
    make_user("Ada")
    make_user("Bob")
    assert "$0.00 available" in run("create_requester", "Lab", *ADA)
    again = run("create_requester", "Lab", *ADA)
    assert "$0.00 available" in again
    assert Requester.objects.get().keys.count() == 2
    with pytest.raises(CommandError, match="exists already"):
        run("create_requester", "Lab", *ADA, "--deposit", "5", "--note", "Grant")
    assert "$2.25" in run("deposit", "Lab", "2.25", "--note", "Grant 4711")
    with pytest.raises(CommandError, match="no requester"):
        run("deposit", "Other", "1", "--note", "Grant 4711")
    with pytest.raises(CommandError, match="not an amount"):
        run("deposit", "Lab", "1.005", "--note", "Grant 4711")
    with pytest.raises(CommandError, match="--note"):
        run("deposit", "Lab", "1")
    with pytest.raises(CommandError, match="--note"):
        run("create_requester", "Other", *ADA, "--deposit", "5")
    with pytest.raises(CommandError, match="nobody@example.org"):
        run("create_requester", "Mine", "--owner", "nobody@example.org")
    with pytest.raises(CommandError, match="bob@example.org isn't allowed"):
        run("create_requester", "Lab", "--owner", "bob@example.org")
    with pytest.raises(CommandError, match="--owner"):
        run("create_requester", "Mine")


def test_it_shows_a_secret_once(as_owner: Client, owner: User, project: Project):
    made = as_owner.post("/account/requesters/", {"name": "<b>Lab</b>", "project": project.slug})
    page = made["Location"]
    assert "&lt;b&gt;Lab&lt;/b&gt;" in as_owner.get("/account/").content.decode()
    as_owner.post(f"{page}keys/", {"scope": "read"})
    key = RequesterKey.objects.get()
    assert key.secret in as_owner.get(page).content.decode()
    again = as_owner.get(page).content.decode()
    assert key.access_key in again
    assert key.secret not in again
    as_owner.post(f"{page}keys/{key.pk}/revoke/")
    assert RequesterKey.objects.count() == 0


def test_it_shows_a_projects_requester_to_its_owners_and_to_staff(
    project: Project, as_owner: Client, as_viewer: Client, outsider: User
):
    requester = create_requester(name="Study", project=project)
    page = f"/account/requesters/{requester.pk}/"
    assert as_owner.get(page).status_code == 200
    assert as_viewer.get(page).status_code == 404
    assert sign_in(outsider).get(page).status_code == 404
    outsider.is_staff = True
    outsider.save()
    assert sign_in(outsider).get(page).status_code == 200


def test_it_shows_late_work_and_messages(as_owner: Client, owner: User):
    requester = make_requester()
    requester.owner = owner
    requester.save()
    hit, worker = make_hit(requester), make_worker()
    late = hit.assignments.create(
        worker=worker, status="Late", deadline=hit.expires_at, submitted_at=hit.expires_at
    )
    requester.messages.create(
        worker=worker, is_from_worker=True, subject="A question", text="<script>alert(1)</script>"
    )
    page = as_owner.get(f"/account/requesters/{requester.pk}/").content.decode()
    assert late.assignment_id in page
    assert "&lt;script&gt;alert(1)" in page


def test_it_has_limits(owner: User):
    requester = create_requester(name="Lab", owner=owner)
    for _ in range(MOST_KEYS):
        create_key(requester=requester, user=owner)
    with pytest.raises(DomainError, match="at most 10 keys"):
        create_key(requester=requester, user=owner)
    with pytest.raises(DomainError, match="name"):
        create_requester(name="  ")
