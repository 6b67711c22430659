"""A deactivated account does nothing, and nothing of it comes back with the person."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.service import create_reset_link
from annotation.corpora.activity.models import Activity
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Invitation, Project, Role
from annotation.crowd.market.accepting import Deactivated
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerInvitation
from annotation.crowd.market.models_work import MarketAssignment
from annotation.crowd.market.requesters import create_key, create_requester
from annotation.crowd.market.work import accept_hit, submit_assignment
from annotation.crowd.market.workers import invite_workers
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.rest import Rest
from tests.annotation.crowd.working import make_hit, make_type, make_worker

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("deactivate_account", *arguments, stdout=out)
    return out.getvalue().strip()


@pytest.mark.parametrize("paused_before", [False, True])
def test_nothing_comes_back_with_the_account(paused_before: bool, project: Project, owner: User):
    browser, rest, other = sign_in(owner), Rest(owner), sign_in(make_worker().user)
    requester = create_requester(name="Study", project=project)
    create_key(requester=requester, user=owner)
    projects_service.create_invitation(project=project, user=owner, role=Role.OWNER)
    invite_workers(user=owner, uses=1, days=1, project=project)
    link = create_reset_link(email=owner.email)
    path = link[link.index("/", 8) :]
    pending = Client()
    session = pending.session
    session["pending_sign_in"] = {"user": owner.pk}
    session.save()
    if paused_before:
        User.objects.filter(pk=owner.pk).update(is_active=False)
    assert run(owner.email.upper()) == f"{owner.email} is deactivated."
    assert run(owner.email, "--activate") == f"{owner.email} is active."
    assert browser.get("/account/").status_code == 302
    assert rest.get("/me/").status_code == 401
    assert not Invitation.objects.exists()
    assert not WorkerInvitation.objects.exists()
    assert not owner.requester_keys.exists()
    assert not owner.tokens.exists()
    assert Client().get(path, follow=True).context.get("validlink") is not True
    assert Session.objects.count() == 1
    assert other.get("/work/").status_code == 200
    texts = list(Activity.objects.filter(project=None).values_list("text", flat=True))
    assert "deactivated Owner, and ended their sessions, keys and open links" in texts
    assert "activated Owner" in texts
    assert sign_in(owner).get("/account/").status_code == 200


def test_it_names_an_account_that_is_not_there():
    with pytest.raises(CommandError, match="nobody@example.org"):
        run("nobody@example.org")


def test_a_deactivated_worker_accepts_and_submits_nothing(worker: WorkerAccount):
    hit = make_hit(make_type())
    assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
    run(worker.user.email)
    with pytest.raises(Deactivated, match="deactivated"):
        submit_assignment(assignment_id=assignment.assignment_id, fields={"a": ["1"]})
    assert MarketAssignment.objects.get().status == "Accepted"
    with pytest.raises(Deactivated):
        accept_hit(hit_id=hit.hit_id, worker=WorkerAccount.objects.get())
