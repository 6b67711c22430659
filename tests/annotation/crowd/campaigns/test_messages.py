"""What a worker asks reaches the people of the project, and their answer reaches the worker."""

from __future__ import annotations

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.notifications.models import Notification, NotificationKind
from annotation.corpora.notifications.service import deliver_mail
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.live import get_stamp, list_needs
from annotation.crowd.campaigns.models import Campaign, Hit
from annotation.crowd.campaigns.queries import get_live
from annotation.crowd.market.models_accounts import Message, Requester, WorkerAccount
from annotation.crowd.market.models_work import MarketHit
from tests import factories
from tests.annotation.conftest import make_member, sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.crowd.working import make_hit, make_type, make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker(published: Campaign) -> WorkerAccount:
    return make_worker("Wilma")


def ask(worker: WorkerAccount, text: str = "Is a flood a burst?", hit_id: str = "") -> Message:
    hit_id = hit_id or MarketHit.objects.earliest("pk").hit_id
    sent = {"subject": "Unclear", "text": text}
    assert sign_in(worker.user).post(f"/work/hits/{hit_id}/contact/", sent).status_code == 302
    return Message.objects.latest("pk")


def place_of(campaign: Campaign) -> str:
    return f"/p/{campaign.project.slug}/crowd/{campaign.pk}/"


def asked(user: User) -> list[Notification]:
    return list(Notification.objects.filter(user=user, kind=NotificationKind.QUESTION))


@pytest.mark.parametrize("times", [1, 2])
def test_the_owners_are_notified(published: Campaign, worker: WorkerAccount, owner: User, times):
    other = factories.make_user("Second")
    factories.add_member(published.project, other, Role.OWNER)
    editor = make_member(published.project, "editor")
    for _ in range(times):
        ask(worker, HOSTILE)
    for person in (owner, other):
        (row,) = asked(person)
        assert row.project == published.project
        assert published.name in row.text
        there = sign_in(person).get(f"/notifications/{row.pk}/")
        assert there["Location"] == f"{place_of(published)}messages/"
    assert asked(editor) == []


def test_it_is_mailed_without_what_the_worker_wrote(
    published: Campaign, worker: WorkerAccount, settings
):
    settings.EMAIL_HOST = "mail.example.org"
    ask(worker, "Secret words")
    assert deliver_mail() == 1
    (sent,) = mail.outbox
    assert published.created_by is not None
    assert sent.to == [published.created_by.email]
    assert "Secret" not in f"{sent.subject} {sent.body}"


def test_the_campaign_shows_how_many_are_new(
    published: Campaign, worker: WorkerAccount, owner: User
):
    stamp = get_stamp(published)
    ask(worker, HOSTILE)
    assert get_stamp(published) != stamp
    at = sign_in(owner)
    here = place_of(published)
    for page in ("", "review/", "workers/", "ledger/", "hits/", "setup/"):
        assert "Messages 1 new" in page_of(at.get(f"{here}{page}")).text
    assert any(need.url == f"{here}messages/" for need in list_needs(get_live(published), None))
    viewer = make_member(published.project, "viewer")
    assert HOSTILE in page_of(sign_in(viewer).get(f"{here}messages/")).text
    # A viewer can't answer, so what they saw stays new.
    shown = page_of(at.get(f"{here}messages/"))
    assert HOSTILE in shown.text
    assert "Messages 1 new" not in page_of(at.get(here)).text


def test_an_answer_reaches_the_worker(published: Campaign, worker: WorkerAccount, owner: User):
    question = ask(worker)
    here = f"{place_of(published)}messages/"
    at = sign_in(owner)
    action = f"{here}{question.pk}/answer/"
    assert action in page_of(at.get(here)).actions
    assert at.post(action, {"text": HOSTILE})["Location"] == here
    assert HOSTILE in page_of(at.get(here)).text
    assert Activity.objects.filter(verb="message", target_id=published.pk).exists()
    desk = sign_in(worker.user)
    for page in ("", "history/", "earnings/", "settings/"):
        assert "Messages 1 new" in page_of(desk.get(f"/work/{page}")).text
    assert HOSTILE in page_of(desk.get("/work/messages/")).text
    assert "Messages 1 new" not in page_of(desk.get("/work/")).text


@pytest.mark.parametrize("text", ["", "   "])
def test_an_answer_has_a_text(published: Campaign, worker: WorkerAccount, owner: User, text: str):
    question = ask(worker)
    action = f"{place_of(published)}messages/{question.pk}/answer/"
    assert sign_in(owner).post(action, {"text": text}).status_code == 400
    assert Message.objects.count() == 1


def test_questions_of_another_requester_stay_there(
    published: Campaign, worker: WorkerAccount, owner: User
):
    """A file of answers may name any HIT; that makes nobody read what was asked about it."""
    elsewhere = make_hit(make_type())
    imported = Hit.objects.filter(campaign=published).earliest("pk")
    Hit.objects.filter(pk=imported.pk).update(provider_id=elsewhere.hit_id)
    question = ask(worker, HOSTILE, elsewhere.hit_id)
    at = sign_in(owner)
    here = f"{place_of(published)}messages/"
    assert HOSTILE not in page_of(at.get(here)).text
    assert at.post(f"{here}{question.pk}/answer/", {"text": "x"}).status_code == 404
    assert asked(owner) == []


def test_the_owner_of_a_requester_without_a_project_answers_there(
    worker: WorkerAccount, owner: User, editor: User
):
    requester = Requester.objects.create(name="Lab", owner=owner)
    question = ask(worker, HOSTILE, make_hit(make_type(requester)).hit_id)
    (row,) = asked(owner)
    here = f"/account/requesters/{requester.pk}/"
    at = sign_in(owner)
    assert at.get(f"/notifications/{row.pk}/")["Location"] == f"{here}#messages-title"
    shown = page_of(at.get(here))
    assert HOSTILE in shown.text
    action = f"{here}messages/{question.pk}/answer/"
    assert action in shown.actions
    assert at.post(action, {"text": "Yes."}).status_code == 302
    assert sign_in(editor).post(action, {"text": "No."}).status_code == 404
    assert worker.unread_messages.get().text == "Yes."


def test_nobody_outside_reads_messages(published: Campaign, worker: WorkerAccount):
    question = ask(worker)
    action = f"{place_of(published)}messages/{question.pk}/answer/"
    desk = sign_in(worker.user)
    assert desk.get(f"{place_of(published)}messages/").status_code == 404
    assert desk.post(action, {"text": "x"}).status_code == 404
    editor = make_member(published.project, "editor")
    assert sign_in(editor).post(action, {"text": "x"}).status_code == 403


def test_there_are_as_many_queries_for_many_messages(published: Campaign, owner: User):
    at, here = sign_in(owner), f"{place_of(published)}messages/"
    ask(make_worker("A"))
    at.get(here)
    with CaptureQueriesContext(connection) as few:
        at.get(here)
    for number in range(5):
        ask(make_worker(f"W{number}"))
    at.get(here)
    with CaptureQueriesContext(connection) as many:
        at.get(here)
    assert len(many) == len(few)
