"""Whoever published work or could pay for it is never paid for it, whatever they left meanwhile."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.apps import apps
from django.db import connection
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Door
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.market.accepting import NoPlace, OwnWork, accept_hit
from annotation.crowd.market.decisions import approve, approve_overdue
from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.models_accounts import Requester, RequesterTie, WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketEntry, MarketHit
from annotation.crowd.market.money import deposit, release_expired
from annotation.crowd.market.requesters import create_key, create_requester, revoke_key
from annotation.crowd.market.work import submit_assignment
from annotation.crowd.providers.marketplace import Marketplace
from annotation.crowd.review import service as crowd
from annotation.doors import through
from annotation.errors import Forbidden
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.crowd.campaigns.playing import collect, make_campaign, make_frozen, publish
from tests.annotation.crowd.market.requesting import HIT, HIT_TYPE
from tests.annotation.crowd.wire import Wire

pytestmark = pytest.mark.django_db
ANSWERS = {"s1": ["present"]}
ADDRESS = "http://testserver/mturk/"


def make_worker_of(user: User) -> WorkerAccount:
    return WorkerAccount.objects.create(user=user, country="DE", is_adult=True)


@pytest.fixture
def study(project: Project) -> Requester:
    made = create_requester(name="Study", project=project)
    deposit(requester=made, amount=Decimal(1000), note="grant", user=factories.make_staff())
    return made


def sign_with(wire: Wire, requester: Requester, user: User, scope: str = "pay") -> Any:
    key = create_key(requester=requester, user=user, scope=scope)
    return wire.make_client(ADDRESS, key.access_key, key.secret)


def publish_one(client: Any, **fields: Any) -> str:
    made: str = client.create_hit(**{**HIT, **fields})["HIT"]["HITId"]
    return made


def work_on(hit_id: str, worker: WorkerAccount) -> MarketAssignment:
    taken = accept_hit(hit_id=hit_id, worker=worker)
    submit_assignment(assignment_id=taken.assignment_id, fields=ANSWERS)
    return taken


def leave(project: Project, user: User) -> None:
    other = factories.make_user("Other")
    factories.add_member(project, other, Role.OWNER)
    membership = Membership.objects.get(project=project, user=user)
    projects_service.remove_member(membership=membership, user=other)


def demote_and_leave(project: Project, user: User) -> None:
    other = factories.make_user("Other")
    factories.add_member(project, other, Role.OWNER)
    membership = Membership.objects.get(project=project, user=user)
    projects_service.change_role(membership=membership, role=Role.VIEWER, user=other)
    projects_service.remove_member(membership=membership, user=user)


def delete(project: Project, user: User) -> None:
    assert sign_in(user).post(f"/p/{project.slug}/delete/", {"confirm": project.slug}).status_code


@pytest.mark.parametrize("go", [leave, demote_and_leave, delete])
def test_leaving_does_not_open_it(
    go: Any, wire: Wire, owner: User, project: Project, study: Requester
):
    hit_id = publish_one(sign_with(wire, study, owner))
    go(project, owner)
    assert not Membership.objects.filter(user=owner).exists()
    MarketHit.objects.update(expires_at=timezone.now() + timedelta(hours=1))
    with pytest.raises(OwnWork):
        accept_hit(hit_id=hit_id, worker=make_worker_of(owner))


def test_revoking_the_key_does_not_open_it(wire: Wire, study: Requester):
    staff = factories.make_user("Keeper", is_staff=True)
    key = create_key(requester=study, user=staff, scope="publish")
    hit_id = publish_one(wire.make_client(ADDRESS, key.access_key, key.secret))
    revoke_key(key=key)
    with pytest.raises(OwnWork):
        accept_hit(hit_id=hit_id, worker=make_worker_of(staff))


def test_giving_the_requester_away_does_not_open_it(wire: Wire, owner: User):
    mine = create_requester(name="Mine", owner=owner)
    deposit(requester=mine, amount=Decimal(100), note="grant", user=factories.make_staff())
    hit_id = publish_one(sign_with(wire, mine, owner))
    mine.owner = factories.make_user("Other")
    mine.save(update_fields=["owner"])
    with pytest.raises(OwnWork):
        accept_hit(hit_id=hit_id, worker=make_worker_of(owner))


def test_deleting_the_project_closes_its_hits(
    wire: Wire, owner: User, project: Project, study: Requester
):
    hit_id = publish_one(sign_with(wire, study, owner))
    delete(project, owner)
    assert not Project.objects.filter(pk=project.pk).exists()
    with pytest.raises(NoPlace):
        accept_hit(hit_id=hit_id, worker=make_worker_of(factories.make_outsider("Alice")))
    release_expired(timezone.now() + timedelta(seconds=1))
    study.refresh_from_db()
    assert (study.held, study.balance) == (Decimal(0), Decimal(1000))


def test_they_neither_approve_nor_reward_their_own_work(
    wire: Wire, owner: User, project: Project, study: Requester
):
    alice = factories.make_outsider("Alice")
    worker = make_worker_of(alice)
    theirs = sign_with(wire, study, owner)
    done = work_on(publish_one(theirs), worker)
    invitation = projects_service.create_invitation(project=project, user=owner, role=Role.OWNER)
    projects_service.accept_invitation(invitation=invitation, user=alice)
    alice.refresh_from_db()
    mine = sign_with(wire, study, alice)
    bonus = {
        "WorkerId": worker.worker_id,
        "AssignmentId": done.assignment_id,
        "BonusAmount": "400.00",
        "Reason": "me",
    }
    with pytest.raises(ClientError, match="their own work"):
        mine.approve_assignment(AssignmentId=done.assignment_id)
    # What was sent before joining is approved by somebody else; a bonus nobody pays any more.
    theirs.approve_assignment(AssignmentId=done.assignment_id)
    for client in (mine, theirs):
        with pytest.raises(ClientError, match="their own work"):
            client.send_bonus(**bonus)
    assert list(MarketEntry.objects.filter(worker=worker).values_list("amount", flat=True)) == [
        Decimal("-0.15")
    ]


def test_what_was_sent_by_somebody_tied_is_not_paid(
    wire: Wire, owner: User, study: Requester, outsider: User
):
    """As it may have been kept before there were ties."""
    done = work_on(publish_one(sign_with(wire, study, owner)), make_worker_of(outsider))
    long_ago = timezone.now() - timedelta(days=1)
    RequesterTie.objects.create(requester=study, user=outsider, created_at=long_ago)
    MarketAssignment.objects.update(auto_approve_at=timezone.now() - timedelta(seconds=1))
    assert approve_overdue(timezone.now()) == 0
    with pytest.raises(TurkError, match="their own work"):
        approve(requester=study, assignment_id=done.assignment_id)
    done.refresh_from_db()
    assert done.status == "Submitted"
    client = sign_with(wire, study, owner)
    client.reject_assignment(AssignmentId=done.assignment_id, RequesterFeedback="Own work.")
    done.refresh_from_db()
    assert done.status == "Rejected"


def test_a_campaign_pays_nobody_by_themselves(corpus: Project, owner: User):
    campaign = publish(make_campaign(make_frozen(corpus, owner), owner))
    alice = factories.make_outsider("Alice")
    work_on(MarketHit.objects.earliest("pk").hit_id, make_worker_of(alice))
    collected = collect(campaign)
    factories.add_member(corpus, alice, Role.OWNER)
    rows = list(collected.assignments.select_related("hit", "worker", "campaign"))
    award = crowd.Award(rows[0], Decimal(5), "me")
    for decide in (
        lambda: crowd.approve_assignments(campaign=collected, assignments=rows, user=alice),
        lambda: crowd.send_bonuses(campaign=collected, awards=[award], user=alice),
    ):
        with pytest.raises(Forbidden, match="your own work"):
            decide()
    Campaign.objects.update(approve_rule="all")
    collected.refresh_from_db()
    with through(Door.JOB, lambda: alice):
        collect(collected)
    assert not MarketEntry.objects.filter(worker__user=alice).exists()
    assert crowd.approve_assignments(campaign=collected, assignments=rows, user=owner) == 1


def test_a_reward_stays_what_it_was_when_work_was_accepted(
    wire: Wire, owner: User, study: Requester, outsider: User
):
    client = sign_with(wire, study, owner, scope="publish")
    hit_id = publish_one(client)
    dear = client.create_hit_type(**{**HIT_TYPE, "Reward": "400.00"})["HITTypeId"]
    fair = client.create_hit_type(**{**HIT_TYPE, "Reward": "0.20"})["HITTypeId"]
    renamed = client.create_hit_type(**{**HIT_TYPE, "Reward": "0.20", "Title": "New"})["HITTypeId"]
    client.update_hit_type_of_hit(HITId=hit_id, HITTypeId=fair)
    work_on(hit_id, make_worker_of(outsider))
    with pytest.raises(ClientError, match="reward can't be changed"):
        client.update_hit_type_of_hit(HITId=hit_id, HITTypeId=dear)
    client.update_hit_type_of_hit(HITId=hit_id, HITTypeId=renamed)
    hit = MarketHit.objects.select_related("hit_type").get()
    assert (hit.hit_type.reward, hit.hit_type.title) == (Decimal("0.20"), "New")


@pytest.mark.parametrize("is_noted", [True, False])
def test_keys_change_nothing_that_a_campaign_pays(
    wire: Wire, corpus: Project, owner: User, is_noted: bool
):
    campaign = publish(make_campaign(make_frozen(corpus, owner), owner))
    provider_id = campaign.hits.earliest("pk").provider_id
    if not is_noted:
        campaign.hits.update(provider_id="")
    study = Requester.objects.get(project=corpus)
    client = sign_with(wire, study, owner)
    dear = client.create_hit_type(**{**HIT_TYPE, "Reward": "400.00"})["HITTypeId"]
    closes = MarketHit.objects.get(hit_id=provider_id).expires_at
    for act, given in (
        (client.update_hit_type_of_hit, {"HITTypeId": dear}),
        (client.create_additional_assignments_for_hit, {"NumberOfAdditionalAssignments": 5}),
        (client.update_expiration_for_hit, {"ExpireAt": closes - timedelta(days=1000)}),
        (client.update_expiration_for_hit, {"ExpireAt": closes + timedelta(days=100)}),
        (client.delete_hit, {}),
    ):
        with pytest.raises(ClientError, match="belongs to a campaign"):
            act(HITId=provider_id, **given)
    hit = MarketHit.objects.get(hit_id=provider_id)
    assert (hit.expires_at, hit.is_deleted) == (closes, False)
    # The campaign itself still may.
    extend = {"HITId": provider_id, "NumberOfAdditionalAssignments": 1}
    Marketplace(campaign).call("CreateAdditionalAssignmentsForHIT", extend)


def test_keys_pay_nothing_that_a_campaigns_books_do_not_know(
    wire: Wire, corpus: Project, owner: User, outsider: User
):
    """A bonus, or an overturned rejection, would pass the campaign's cap unseen."""
    campaign = publish(make_campaign(make_frozen(corpus, owner), owner))
    provider_id = campaign.hits.earliest("pk").provider_id
    taken = work_on(provider_id, make_worker_of(outsider))
    client = sign_with(wire, Requester.objects.get(project=corpus), owner)
    named = {"AssignmentId": taken.assignment_id}
    bonus = {"WorkerId": taken.worker.worker_id, "BonusAmount": "0.10", "Reason": "Good."}
    with pytest.raises(ClientError, match="belongs to a campaign"):
        client.send_bonus(**named, **bonus)
    client.reject_assignment(**named, RequesterFeedback="Empty.")
    with pytest.raises(ClientError, match="belongs to a campaign"):
        client.approve_assignment(**named, OverrideRejection=True)
    taken.refresh_from_db()
    assert taken.status == "Rejected"
    assert not MarketEntry.objects.filter(kind__in=["reward", "bonus"]).exists()


def test_the_migration_ties_who_is_there(owner: User, project: Project, study: Requester):
    create_key(requester=study, user=owner)
    RequesterTie.objects.all().delete()
    migration = import_module("annotation.crowd.migrations.0014_requester_ties")
    migration.tie_everybody(apps, SimpleNamespace(connection=connection))
    membership = Membership.objects.get(user=owner)
    tie = RequesterTie.objects.get()
    assert (tie.user, tie.requester, tie.created_at) == (owner, study, membership.created_at)
