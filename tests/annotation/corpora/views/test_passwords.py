"""Passwords: what a change ends, what an e-mail needs, and how a forgotten one is replaced."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.corpora import tasks
from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import ApiToken, User
from annotation.corpora.accounts.service import create_reset_link, send_reset_mail
from annotation.corpora.activity.models import Activity
from annotation.crowd.market.models_accounts import RequesterKey
from annotation.crowd.market.requesters import create_key, create_requester
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db
NEW = "tulips-in-spring"


@pytest.fixture
def asked(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A server that mails; the e-mails that a worker was asked to write to."""
    settings.EMAIL_HOST = "mail.example.org"
    settings.PUBLIC_URL = "https://giza.example.org"
    found: list[str] = []
    monkeypatch.setattr(
        tasks.send_reset_mail, "apply_async", lambda args, **_: found.append(args[0])
    )
    return found


def path_of(link: str) -> str:
    return link.removeprefix("https://giza.example.org").removeprefix("http://127.0.0.1:8000")


def follow(link: str, client: Client | None = None) -> tuple[Client, str]:
    """Open a link; the client and the address of the form that it leads to, if it is valid."""
    client = client or Client()
    answer = client.get(path_of(link))
    return client, answer["Location"] if answer.status_code == 302 else ""


def set_password(link: str, new: str = NEW, **more: str) -> int:
    client, form = follow(link)
    if not form:
        return 0
    data = {"new_password1": new, "new_password2": new, **more}
    return client.post(form, data).status_code


def signs_in(email: str, password: str) -> bool:
    answer = Client().post("/sign-in/", {"username": email, "password": password})
    return answer.status_code == 302


# Changing it ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "left"), [({"revoke_keys": "on"}, 0), ({}, 1)])
def test_a_change_revokes_all_keys_if_one_wants_it(
    sent: dict[str, str], left: int, as_owner: Client, owner: User
):
    accounts_service.create_token(user=owner, name="notebook")
    create_key(requester=create_requester(name="Lab", owner=owner), user=owner)
    assert 'name="revoke_keys"' in as_owner.get("/account/").content.decode()
    elsewhere = sign_in(owner)
    as_owner.post("/account/password/", {"current": PASSWORD, "new": NEW, **sent})
    assert (ApiToken.objects.count(), RequesterKey.objects.count()) == (left, left)
    assert elsewhere.get("/account/").status_code == 302
    assert as_owner.get("/account/").status_code == 200


def test_the_choice_to_revoke_is_ticked(as_owner: Client):
    page = as_owner.get("/account/").content.decode()
    box = re.search(r'<input[^>]*name="revoke_keys"[^>]*>', page)
    assert box is not None
    assert "checked" in box[0]


# Another e-mail -------------------------------------------------------------------------------


@pytest.mark.parametrize("password", ["", "wrong"])
def test_another_email_needs_the_password(password: str, as_owner: Client, owner: User):
    sent = {"name": "Olive", "email": "olive@example.org", "password": password}
    page = page_of(as_owner.post("/account/", sent), 422)
    assert "Enter your current password to change your e-mail address." in page.text
    owner.refresh_from_db()
    assert (owner.name, owner.email) == ("Owner", "owner@example.org")
    assert as_owner.post("/account/", {**sent, "password": PASSWORD}).status_code == 302
    owner.refresh_from_db()
    assert owner.email == "olive@example.org"


def test_another_name_needs_no_password(as_owner: Client, owner: User):
    sent = {"name": "Olive", "email": "OWNER@example.org"}
    assert as_owner.post("/account/", sent).status_code == 302
    owner.refresh_from_db()
    assert owner.name == "Olive"


def test_guessing_it_there_counts_as_signing_in(as_owner: Client, owner: User, settings: Any):
    settings.ATTEMPT_LIMITS = {"sign_in": {"account": "2/hour", "address": "9/hour"}}
    sent = {"name": "Olive", "email": "olive@example.org", "password": "wrong"}
    answers = [as_owner.post("/account/", sent).status_code for _ in range(3)]
    assert answers == [422, 422, 429]
    assert as_owner.post("/account/", {**sent, "password": PASSWORD}).status_code == 429
    assert not signs_in(owner.email, PASSWORD)


# A link by mail -------------------------------------------------------------------------------


def test_it_mails_a_link_that_works_once(
    asked: list[str], owner: User, mailoutbox: list[EmailMessage]
):
    answer = Client().post("/password/", {"email": "Owner@example.org"})
    assert (answer.status_code, answer["Location"]) == (302, "/password/sent/")
    [email] = asked
    tasks.send_reset_mail(email)
    [mail] = mailoutbox
    assert mail.to == ["owner@example.org"]
    assert mail.subject == "Reset your Giza password"
    [link] = re.findall(r"https://giza\.example\.org/password/\S+", str(mail.body))
    assert set_password(link, "short") == 422
    assert set_password(link) == 302
    assert signs_in(owner.email, NEW)
    assert set_password(link) == 0
    assert "no longer valid" in page_of(Client().get(path_of(link))).text


def test_it_tells_nothing_of_whether_an_account_exists(
    asked: list[str], owner: User, mailoutbox: list[EmailMessage], django_assert_num_queries: Any
):
    """The same answer after the same work; who has an account, a worker looks up later."""
    pages = []
    counts = []
    for email in (owner.email, "nobody@example.org"):
        with django_assert_num_queries(4) as queries:
            answer = Client().post("/password/", {"email": email})
        pages.append((answer.status_code, answer["Location"], answer.content))
        counts.append([query["sql"].split(" ")[0] for query in queries.captured_queries])
    assert pages[0] == pages[1]
    assert counts[0] == counts[1]
    assert asked == [owner.email, "nobody@example.org"]
    send_reset_mail(email="nobody@example.org")
    User.objects.filter(pk=owner.pk).update(is_active=False)
    send_reset_mail(email=owner.email)
    assert mailoutbox == []


def test_it_is_asked_for_only_so_often(asked: list[str], owner: User, settings: Any):
    settings.ATTEMPT_LIMITS = {"reset": {"account": "1/hour", "address": "3/hour"}}
    emails = [owner.email, owner.email, "a@example.org", "a@example.org", "b@example.org"]
    answers = [Client().post("/password/", {"email": email}).status_code for email in emails]
    assert answers == [302, 429, 302, 429, 302]
    assert Client().post("/password/", {"email": "c@example.org"}).status_code == 429


def test_without_mail_it_says_whom_to_ask(owner: User):
    page = page_of(Client().get("/password/"))
    assert "Ask its administrators" in page.text
    assert Client().post("/password/", {"email": owner.email}).status_code == 200


# A link by staff ------------------------------------------------------------------------------


@pytest.fixture
def staff(outsider: User) -> User:
    outsider.is_staff = True
    outsider.save()
    return outsider


def test_staff_make_a_link_that_is_shown_once(staff: User, owner: User):
    client = sign_in(staff)
    assert client.post("/account/reset-links/", {"email": owner.email}).status_code == 302
    page = page_of(client.get("/account/reset-links/"))
    [link] = re.findall(r"https?://[^\s\"]+/password/[^\s\"]+", page.html)
    assert link not in client.get("/account/reset-links/").content.decode()
    assert Activity.objects.get(text__contains="created a password link").actor == staff
    accounts_service.create_token(user=owner, name="notebook")
    assert set_password(path_of(link), revoke_keys="on") == 302
    assert signs_in(owner.email, NEW)
    assert not ApiToken.objects.exists()
    assert set_password(path_of(link)) == 0


def test_only_staff_make_links_and_not_for_other_staff(staff: User, owner: User, as_owner: Client):
    assert as_owner.get("/account/reset-links/").status_code == 404
    other = make_user("Other")
    other.is_staff = True
    other.save()
    client = sign_in(staff)
    refused = client.post("/account/reset-links/", {"email": other.email})
    assert "only superusers" in page_of(refused, 422).text
    unknown = client.post("/account/reset-links/", {"email": "nobody@example.org"})
    assert "No active account" in page_of(unknown, 422).text
    User.objects.filter(pk=staff.pk).update(is_superuser=True)
    made = sign_in(staff).post("/account/reset-links/", {"email": other.email})
    assert made.status_code == 302


def test_the_command_makes_a_link(owner: User):
    out = StringIO()
    call_command("create_reset_link", "OWNER@example.org", stdout=out)
    assert set_password(out.getvalue().strip()) == 302
    assert signs_in(owner.email, NEW)
    with pytest.raises(CommandError, match="No active account"):
        call_command("create_reset_link", "nobody@example.org")


def test_a_link_ends(owner: User, monkeypatch: pytest.MonkeyPatch):
    link = create_reset_link(email=owner.email)
    assert follow(link)[1]
    later = PasswordResetTokenGenerator()._now() + timedelta(hours=25)
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: later)
    assert follow(link)[1] == ""


@pytest.mark.parametrize("change", ["account", "email", "sign_in"])
def test_a_link_ends_with_what_it_was_made_for(change: str, owner: User):
    link = create_reset_link(email=owner.email)
    client, form = follow(link)
    if change == "account":
        User.objects.filter(pk=owner.pk).update(is_active=False)
    elif change == "email":
        User.objects.filter(pk=owner.pk).update(email="olive@example.org")
    else:
        assert signs_in(owner.email, PASSWORD)
    client.post(form, {"new_password1": NEW, "new_password2": NEW})
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)
