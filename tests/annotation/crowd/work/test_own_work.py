"""Nobody works on the HITs of their own requester or project, by whatever path."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.campaigns.models import Campaign, Hit
from annotation.crowd.campaigns.service import create_campaign
from annotation.crowd.market.accepting import OwnWork, accept_hit, accept_next
from annotation.crowd.market.models_accounts import Requester, RequesterKey, WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketHit, MarketHitType
from annotation.crowd.market.requesters import create_requester
from annotation.crowd.market.work import submit_assignment
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.crowd.results import make_frozen
from tests.annotation.crowd.working import make_hit, make_requester, make_type, places_of

pytestmark = pytest.mark.django_db
ANSWERS = {"s1": ["present"]}
SAID = "belongs to your own requester or project"


def make_worker_of(user: User) -> WorkerAccount:
    return WorkerAccount.objects.create(user=user, country="DE", is_adult=True)


def of_their_own(user: User, project: Project) -> MarketHitType:
    return make_type(Requester.objects.create(name="Mine", owner=user, balance=100))


def of_a_key(user: User, project: Project) -> MarketHitType:
    """Also a key that no longer works, or may only read."""
    kind = make_type(make_requester("Lab"))
    RequesterKey.objects.create(requester=kind.requester, user=user)
    return kind


def of_a_project(user: User, project: Project) -> MarketHitType:
    factories.add_member(project, user, Role.VIEWER)
    return make_type(create_requester(name="Study", project=project))


def of_a_campaign(user: User, project: Project) -> MarketHitType:
    """Published for the project by a requester that nobody can tell is the project's."""
    factories.add_member(project, user, Role.ANNOTATOR)
    kind = make_type(make_requester("Elsewhere"))
    note_hit(project, make_hit(kind))
    return kind


def note_hit(project: Project, hit: MarketHit) -> Hit:
    owner = project.memberships.get(role=Role.OWNER).user
    campaign: Campaign = create_campaign(
        project=project, user=owner, unit_set=make_frozen(project, owner), name="Round"
    )
    summary = project.examples.earliest("pk").summaries.earliest("pk")
    return Hit.objects.create(
        campaign=campaign,
        summary=summary,
        statements=[],
        reward=hit.hit_type.reward,
        wanted=4,
        provider_id=hit.hit_id,
    )


@pytest.mark.parametrize("make_own", [of_their_own, of_a_key, of_a_project, of_a_campaign])
def test_it_is_refused_by_every_path(make_own, corpus: Project, outsider: User):
    worker, other = make_worker_of(outsider), make_worker_of(factories.make_outsider("Other"))
    kind = make_own(outsider, corpus)
    hit = make_hit(kind)
    with pytest.raises(OwnWork, match=SAID):
        accept_hit(hit_id=hit.hit_id, worker=worker)
    with pytest.raises(OwnWork, match=SAID):
        accept_next(hit_type=kind, worker=worker)
    client = sign_in(outsider)
    for path in (f"/work/hits/{hit.hit_id}/accept/", f"/work/types/{kind.hit_type_id}/next/"):
        assert SAID in page_of(client.post(path), 403).text
    assert not MarketAssignment.objects.exists()
    home = page_of(client.get("/work/")).text
    assert SAID in home
    assert "Accept and work" not in home
    shown = client.get(f"/work/hits/{hit.hit_id}/").content.decode()
    assert SAID in shown
    assert "Accept and work" not in shown
    # Somebody else's work it is not.
    assert accept_hit(hit_id=hit.hit_id, worker=other)


def test_it_is_not_sent_by_somebody_who_joined_meanwhile(project: Project, outsider: User):
    worker = make_worker_of(outsider)
    hit = make_hit(make_type(create_requester(name="Study", project=project)))
    taken = accept_hit(hit_id=hit.hit_id, worker=worker)
    membership = factories.add_member(project, outsider, Role.VIEWER)
    with pytest.raises(OwnWork):
        submit_assignment(assignment_id=taken.assignment_id, fields=ANSWERS)
    sent = {"assignmentId": taken.assignment_id, "s1": "present"}
    refused = Client().post("/mturk/externalSubmit", sent)
    assert (refused.status_code, SAID in refused.content.decode()) == (403, True)
    assert places_of(hit) == (3, 1, 0, 0)
    there = f"/work/assignments/{taken.assignment_id}/"
    assert sign_in(outsider).post(f"{there}return/").status_code == 302
    assert places_of(hit) == (4, 0, 0, 0)
    # Who could decide for the requester once never works for it, whatever they leave.
    Membership.objects.filter(pk=membership.pk).delete()
    with pytest.raises(OwnWork):
        accept_hit(hit_id=hit.hit_id, worker=worker)


def test_what_was_sent_before_joining_stands(project: Project, outsider: User):
    hit = make_hit(make_type(create_requester(name="Study", project=project)))
    taken = accept_hit(hit_id=hit.hit_id, worker=make_worker_of(outsider))
    submit_assignment(assignment_id=taken.assignment_id, fields=ANSWERS)
    factories.add_member(project, outsider, Role.VIEWER)
    submit_assignment(assignment_id=taken.assignment_id, fields=ANSWERS)
    assert places_of(hit) == (3, 0, 1, 0)


def test_it_does_not_go_on_with_it(project: Project, outsider: User):
    worker = make_worker_of(outsider)
    kind = make_type(create_requester(name="Study", project=project))
    for _ in range(2):
        make_hit(kind)
    taken = accept_next(hit_type=kind, worker=worker)
    submit_assignment(assignment_id=taken.assignment_id, fields=ANSWERS)
    factories.add_member(project, outsider, Role.VIEWER)
    there = f"/work/assignments/{taken.assignment_id}/go-on/"
    assert sign_in(outsider).post(there, {"next": "on"}).status_code == 403
    assert MarketAssignment.objects.count() == 1


def test_members_of_other_projects_and_staff_may_work(project: Project, outsider: User):
    factories.make_project(outsider, "other")
    kind = make_type(create_requester(name="Study", project=project))
    for user in (outsider, factories.make_staff()):
        assert accept_hit(hit_id=make_hit(kind).hit_id, worker=make_worker_of(user))
