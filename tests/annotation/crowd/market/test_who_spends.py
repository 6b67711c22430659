"""Who may make requesters and put money into budgets: staff, owners, and never a worker."""

from __future__ import annotations

import csv
import io
import uuid
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.projects.models import Invitation, Project, Role
from annotation.corpora.projects.service import (
    accept_invitation,
    create_invitation,
    create_project,
    remove_member,
)
from annotation.crowd.market.models_accounts import Requester, RequesterKey, WorkerInvitation
from annotation.crowd.market.models_work import EntryKind, MarketEntry, MarketHit
from annotation.crowd.market.money import deposit
from annotation.crowd.market.requesters import (
    check_may_create,
    check_may_create_some,
    create_requester,
    works,
)
from annotation.crowd.market.workers import invite_workers, list_invitations, withdraw_invitation
from annotation.crowd.requesters.queries import list_own_requesters, list_projects_without
from annotation.errors import DomainError, Forbidden, NotFound
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.crowd.market.requesting import HIT, books
from tests.annotation.crowd.wire import Wire
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db
migration = import_module("annotation.crowd.migrations.0013_who_is_only_a_worker")
JOIN = {
    "name": "Wilma",
    "email": "wilma@example.org",
    "password": "correct-horse-battery",
    "country": "DE",
    "consent": "on",
}


@pytest.fixture
def at_door(monkeypatch: pytest.MonkeyPatch) -> Client:
    """A browser of somebody who has just signed up at the workers' door."""
    monkeypatch.setattr(settings, "MARKET_SIGN_UP", "open")
    client = Client()
    assert client.post("/work/join/", JOIN).status_code == 302
    return client


@pytest.fixture
def staff() -> User:
    return factories.make_staff()


def deposit_form(**changed: str) -> dict[str, str]:
    return {"amount": "20", "note": "Grant 4711", "key": str(uuid.uuid4()), **changed}


def test_a_worker_creates_no_requester(at_door: Client, project: Project):
    for sent in ({"name": "Mine"}, {"name": "Mine", "project": project.slug}):
        assert at_door.post("/account/requesters/", sent).status_code == 403
    assert not Requester.objects.exists()
    page = page_of(at_door.get("/account/")).text
    assert "Create requester" not in page
    assert "No requesters yet" in page


@pytest.mark.parametrize("path", ["/projects/new/", "/import-gold/"])
def test_a_worker_creates_no_project_by_page(at_door: Client, path: str):
    assert at_door.get(path).status_code == 403
    sent = {"name": "Mine", "slug": "mine", "file": io.BytesIO(b"{}")}
    assert "can't create projects" in page_of(at_door.post(path, sent), 403).text
    assert not Project.objects.exists()


def test_a_worker_creates_no_project_by_rest(at_door: Client):
    made = at_door.post("/api/v1/tokens/", {"name": "one"}, content_type="application/json")
    assert made.status_code == 201
    bearer = {"Authorization": f"Bearer {made.json()['key']}"}
    sent = {"name": "Mine", "slug": "mine"}
    for path, how in (
        ("projects/", {"data": sent, "content_type": "application/json"}),
        ("gold/import/", {"data": {**sent, "file": io.BytesIO(b"{}")}}),
    ):
        refused = Client().post(f"/api/v1/{path}", headers=bearer, **how)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    assert not Project.objects.exists()


def test_a_worker_reaches_no_budget(at_door: Client, project: Project, staff: User):
    """Not their own from before such things were refused, either."""
    worker = User.objects.get(email=JOIN["email"])
    theirs = Requester.objects.create(name="From before", owner=worker, balance=Decimal(100))
    others = [create_requester(name="Study", project=project), create_requester(name="Lab")]
    for requester in (theirs, *others):
        before = books(requester)
        there = f"/account/requesters/{requester.pk}/"
        assert at_door.get(there).status_code == 404
        assert at_door.get(f"{there}statement.csv").status_code == 404
        assert at_door.post(f"{there}deposit/", deposit_form()).status_code == 404
        assert at_door.post(f"{there}keys/").status_code == 404
        assert books(requester) == before


def test_a_workers_key_from_before_publishes_nothing(wire: Wire):
    worker = make_worker()
    theirs = Requester.objects.create(name="From before", owner=worker.user, balance=Decimal(100))
    key = RequesterKey.objects.create(requester=theirs, user=worker.user, scope="pay")
    client = wire.make_client("http://testserver/mturk/", key.access_key, key.secret)
    with pytest.raises(ClientError, match="no longer works"):
        client.create_hit(**HIT)
    assert not MarketHit.objects.exists()
    call_command("change_rights", worker.user.email, "--projects", "yes", stdout=io.StringIO())
    assert client.get_account_balance()["AvailableBalance"] == "100.00"


def test_staff_create_requesters_for_any_project_or_none(staff: User, project: Project):
    client = sign_in(staff)
    for sent in ({"name": "Lab"}, {"name": "Study", "project": project.slug}):
        assert client.post("/account/requesters/", sent).status_code == 302
    lab, study = Requester.objects.order_by("pk")
    assert (lab.project, lab.owner) == (None, staff)
    assert (study.project, study.owner) == (project, None)
    page = page_of(client.get(f"/account/requesters/{study.pk}/")).text
    assert f"of the project {project.name}" in page


def test_an_owner_creates_one_for_their_project_only(
    as_owner: Client, owner: User, project: Project, outsider: User
):
    other = factories.make_project(outsider, "other")
    for sent in ({"name": "Lab"}, {"name": "Lab", "project": other.slug}):
        assert as_owner.post("/account/requesters/", sent).status_code == 400
    for elsewhere in (None, other):
        with pytest.raises(Forbidden):
            create_requester(name="Lab", project=elsewhere, user=owner)
    sent = {"name": "Lab", "project": project.slug}
    assert as_owner.post("/account/requesters/", sent).status_code == 302
    assert Requester.objects.get().project == project
    assert as_owner.post("/account/requesters/", sent).status_code == 400
    with pytest.raises(DomainError, match="already has a requester"):
        create_requester(name="Lab", project=project, user=owner)
    assert project.name in page_of(as_owner.get("/account/")).text


def test_staff_add_money_once_and_say_where_from(staff: User, project: Project):
    client, requester = sign_in(staff), create_requester(name="Study", project=project)
    there = f"/account/requesters/{requester.pk}/"
    sent = deposit_form()
    for _ in range(2):
        assert client.post(f"{there}deposit/", sent).status_code == 302
    assert books(requester) == (Decimal(20), Decimal(0))
    entry = MarketEntry.objects.get()
    assert (entry.note, entry.created_by) == ("Grant 4711", staff)
    page = page_of(client.get(there)).text
    assert "Grant 4711 added by Staff" in " ".join(page.split())
    for wrong in ({"amount": "0"}, {"amount": "x"}, {"amount": "1.001"}, {"note": " "}):
        assert client.post(f"{there}deposit/", {**sent, **wrong}).status_code == 422
    said = Activity.objects.filter(project=project).latest("pk")
    assert (said.actor, "$20.00" in said.text, "Grant 4711" in said.text) == (staff, True, True)


def test_an_owner_asks_staff_for_money(
    as_owner: Client, owner: User, staff: User, project: Project
):
    requester = create_requester(name="Study", project=project)
    there = f"/account/requesters/{requester.pk}/"
    page = page_of(as_owner.get(there)).text
    assert "Only staff can add money." in page
    assert staff.email in page
    assert "Add money" not in page
    refused = page_of(as_owner.post(f"{there}deposit/", deposit_form()), 403).text
    assert "Only staff can add money to a budget" in refused
    with pytest.raises(Forbidden, match="Only staff"):
        deposit(requester=requester, amount=Decimal(5), note="Mine", user=owner)
    assert books(requester) == (Decimal(0), Decimal(0))


def test_a_statement_names_who_added_what(staff: User, project: Project, as_owner: Client):
    requester = create_requester(name="Study", project=project)
    deposit(requester=requester, amount=Decimal(5), note="=Grant", user=staff)
    call_command("deposit", "Study", "2.50", "--note", "Left from May", stdout=io.StringIO())
    MarketEntry.objects.create(
        requester=requester,
        worker=make_worker(),
        kind=EntryKind.REWARD,
        key="reward",
        amount=Decimal(-1),
    )
    response: Any = as_owner.get(f"/account/requesters/{requester.pk}/statement.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(response).decode())))
    assert [(row["kind"], row["amount"], row["balance"]) for row in rows] == [
        ("deposit", "5.0000", "5.0000"),
        ("deposit", "2.5000", "7.5000"),
        ("reward", "-1.0000", "6.5000"),
    ]
    assert [(row["note"], row["added_by"]) for row in rows] == [
        ("'=Grant", staff.email),
        ("Left from May", "manage.py"),
        ("", ""),
    ]


def test_whom_an_owner_invites_can_create_projects(project: Project, owner: User):
    """Also a worker: they are both from then on."""
    worker = make_worker().user
    with pytest.raises(Forbidden):
        create_project(user=worker, name="Mine", slug="mine")
    made = create_invitation(project=project, user=owner, role=Role.ANNOTATOR)
    accept_invitation(invitation=made, user=worker)
    create_project(user=worker, name="Mine", slug="mine")
    assert sign_in(worker).get("/work/").status_code == 200


def test_a_command_changes_what_an_account_may_do(outsider: User):
    def change(*arguments: str) -> str:
        out = io.StringIO()
        call_command("change_rights", outsider.email, *arguments, stdout=out)
        return out.getvalue()

    assert "not staff, can create projects" in change()
    assert ": staff, cannot create projects" in change("--staff", "yes", "--projects", "no")
    outsider.refresh_from_db()
    assert (outsider.is_staff, outsider.can_create_projects) == (True, False)
    assert Activity.objects.get().text.endswith("now staff, can't create projects")
    with pytest.raises(CommandError, match=r"nobody@example\.org"):
        call_command("change_rights", "nobody@example.org", "--staff", "yes")


def test_a_project_made_by_command_lets_its_owner_in(outsider: User, tmp_path: Any):
    User.objects.update(can_create_projects=False)
    path = factories.write_jsonl(tmp_path / "corpus.jsonl", [factories.example("e1")])
    line = ["import_corpus", str(path), "--project", "new", "--owner", outsider.email]
    call_command(*line, stdout=io.StringIO())
    outsider.refresh_from_db()
    assert outsider.can_create_projects


def test_an_owner_lets_workers_in(as_owner: Client, project: Project, monkeypatch: Any):
    """By a link of their own; and takes it back."""
    there = f"/p/{project.slug}/members/"
    assert as_owner.post(f"{there}workers/", {"uses": 2, "days": 7}).status_code == 302
    assert as_owner.post(f"{there}workers/", {"uses": 0, "days": 7}).status_code == 400
    [link] = WorkerInvitation.objects.all()
    page = page_of(as_owner.get(there))
    assert "2 uses left" in page.text
    assert "Address for workers" not in page.text
    assert Client().post(f"/work/join/{link.token}/", JOIN).status_code == 302
    assert not User.objects.get(email=JOIN["email"]).can_create_projects
    assert as_owner.post(f"/work/invitations/{link.pk}/withdraw/").status_code == 302
    late = {**JOIN, "email": "late@example.org"}
    assert Client().post(f"/work/join/{link.token}/", late).status_code == 404
    monkeypatch.setattr(settings, "MARKET_SIGN_UP", "open")
    assert "Address for workers" in page_of(as_owner.get(there)).text


def test_others_let_no_workers_in(project: Project, editor: User, outsider: User, owner: User):
    other = factories.make_project(outsider, "other")
    for user, of in ((editor, project), (owner, other), (owner, None)):
        with pytest.raises(Forbidden):
            invite_workers(user=user, uses=1, days=1, project=of)
    link = invite_workers(user=owner, uses=1, days=1, project=project)
    for user in (editor, outsider):
        with pytest.raises(NotFound):
            withdraw_invitation(user=user, pk=link.pk)
    assert WorkerInvitation.objects.exists()


def test_a_closed_door_says_nothing_of_accounts(client: Client, owner: User):
    page = page_of(client.post("/work/join/", {**JOIN, "email": owner.email}), 422).text
    assert "There is an account" not in page


def test_a_link_for_workers_ends_with_its_owners_role(project: Project, owner: User):
    """And one of staff, when they are no longer staff."""
    staff = factories.make_staff()
    factories.add_member(project, outgoing := factories.make_user("Outgoing"), Role.OWNER)
    links = [
        invite_workers(user=outgoing, uses=1, days=1, project=project),
        invite_workers(user=staff, uses=1, days=1),
    ]
    assert set(list_invitations()) == set(links)
    project.memberships.filter(user=outgoing).update(role=Role.EDITOR)
    User.objects.filter(pk=staff.pk).update(is_staff=False)
    assert not list_invitations().exists()
    for number, link in enumerate(links):
        sent = {**JOIN, "email": f"late{number}@example.org"}
        assert Client().post(f"/work/join/{link.token}/", sent).status_code == 422


# Ownership from before -------------------------------------------------------------------------


def test_owning_a_project_gives_a_mere_worker_nothing(project: Project):
    user = make_worker().user
    factories.add_member(project, user, Role.OWNER)
    requester = create_requester(name="Study", project=project)
    RequesterKey.objects.create(requester=requester, user=user, scope="pay")
    client = sign_in(user)
    assert client.get(f"/account/requesters/{requester.pk}/").status_code == 404
    assert client.post(f"/account/requesters/{requester.pk}/keys/").status_code == 404
    assert not list_own_requesters(user).exists()
    assert not works(user.requester_keys.get())
    with pytest.raises(Forbidden):
        invite_workers(user=user, uses=1, days=1, project=project)
    Requester.objects.all().delete()
    assert not list_projects_without(user).exists()
    for act in (lambda: check_may_create(user, project), lambda: check_may_create_some(user)):
        with pytest.raises(Forbidden):
            act()


def test_keys_end_when_the_right_is_withdrawn(project: Project, owner: User):
    requester = create_requester(name="Study", project=project)
    RequesterKey.objects.create(requester=requester, user=owner, scope="pay")
    call_command("change_rights", owner.email, "--projects", "no", stdout=io.StringIO())
    assert not owner.requester_keys.exists()


def test_links_of_workers_end_when_an_owner_goes(project: Project, owner: User):
    second = factories.make_user("Second")
    gone = factories.add_member(project, second, Role.OWNER)
    for user in (owner, second):
        invite_workers(user=user, uses=2, days=1, project=project)
    elsewhere = invite_workers(user=factories.make_staff(), uses=1, days=1)
    remove_member(membership=gone, user=owner)
    assert list(WorkerInvitation.objects.all()) == [elsewhere]
    text = "withdrew 2 worker invitations because an owner left"
    assert project.activities.filter(actor=owner, text=text).count() == 1


# Accounts of an older database -----------------------------------------------------------------


def test_the_upgrade_lets_in_no_worker_by_projects_of_workers(project: Project, owner: User):
    names = ("Own", "Friend", "Invited", "Member", "Staff", "Late")
    people = {name: make_worker(name).user for name in names}
    User.objects.filter(pk=people["Staff"].pk).update(is_staff=True)
    User.objects.update(can_create_projects=True)
    own = factories.make_project(User.objects.get(name="Own"), "own")
    factories.add_member(own, people["Friend"], Role.OWNER)
    factories.add_member(project, people["Member"], Role.VIEWER)
    for user, host, where in (
        (people["Invited"], owner, project),
        (people["Friend"], people["Own"], own),
        (people["Own"], people["Friend"], own),
        (people["Late"], people["Invited"], project),
    ):
        Invitation.objects.create(
            project=where,
            created_by=host,
            accepted_by=user,
            accepted_at=clock.now(),
            expires_at=clock.now(),
        )
    migration.withdraw_from_mere_workers(apps, connection.schema_editor())
    found = User.objects.filter(can_create_projects=True).values_list("name", flat=True)
    assert set(found) == {"Owner", "Invited", "Member", "Staff", "Late"}
