"""The second factor: set up, asked for on every way in, used once, counted, taken away."""

from __future__ import annotations

import ast
import re
import time
from base64 import b32decode
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.oath import hotp
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.service import create_reset_link
from annotation.corpora.accounts.sign_in import WrongCode, check_code, enable_second_factor
from annotation.corpora.activity.models import Activity
from annotation.corpora.projects import service as projects_service
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.errors import TooMany
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.factories import PASSWORD
from tests.servers import ROOT

pytestmark = pytest.mark.django_db
PAGE, CODE_PAGE = "/account/second-factor/", "/sign-in/code/"
AUTH = "django.contrib.auth"
KEY = "3132333435363738393031323334353637383930"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock that a test moves; the codes of two steps differ."""

    class Clock:
        at = time.time()

    clock = SimpleNamespace(time=lambda: Clock.at)
    monkeypatch.setattr("django_otp.plugins.otp_totp.models.time", clock)
    return Clock


@pytest.fixture
def codes(owner: User, now: Any) -> list[str]:
    """The owner has a second factor; the recovery codes. The code of this moment is used."""
    found = enable_second_factor(user=owner, key=KEY, code=code_at(now.at))
    now.at += 60
    return found


def code_at(moment: float, key: bytes = bytes.fromhex(KEY)) -> str:
    return f"{hotp(key, int(moment) // 30):06d}"


def give_password(email: str = "owner@example.org", **more: str) -> tuple[Client, Any]:
    client = Client()
    sent = {"username": email, "password": PASSWORD, **more}
    return client, client.post("/sign-in/", sent)


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


# Setting it up --------------------------------------------------------------------------------


def test_it_is_set_up_with_a_picture_or_a_key(as_owner: Client, owner: User, now: Any):
    page = page_of(as_owner.get(PAGE))
    assert "<svg " in page.html
    [letters] = re.findall(r"<code>([A-Z2-7 ]{32,})</code>", page.html)
    assert letters in page_of(as_owner.get(PAGE)).html
    key = b32decode(letters.replace(" ", ""))
    wrong = as_owner.post(PAGE, {"code": "000000", "password": PASSWORD})
    assert "This code is wrong" in page_of(wrong, 422).text
    wrong = as_owner.post(PAGE, {"code": code_at(now.at, key), "password": "wrong"})
    assert "not your current password" in page_of(wrong, 422).text
    assert not TOTPDevice.objects.exists()
    sent = {"code": code_at(now.at, key), "password": PASSWORD}
    assert as_owner.post(PAGE, sent).status_code == 302
    shown = page_of(as_owner.get(PAGE)).html
    stored = StaticToken.objects.order_by("pk").values_list("token", flat=True)
    assert len(stored) == 10
    assert "\n".join(stored) in shown
    again = page_of(as_owner.get(PAGE)).html
    assert not any(code in again for code in stored)
    assert "10 left" in again
    assert as_owner.post(PAGE, sent).status_code == 409
    assert Activity.objects.filter(text__startswith="enabled a second factor").exists()


def test_it_is_offered_to_owners_and_staff(as_owner: Client, as_outsider: Client, outsider: User):
    assert "You own a project" not in page_of(as_outsider.get("/account/")).text
    projects_service.create_project(user=outsider, name="Mine", slug="mine")
    assert "You own a project" in page_of(as_outsider.get("/account/")).text
    User.objects.filter(pk=outsider.pk).update(is_staff=True)
    assert "You are staff" in page_of(as_outsider.get("/account/")).text
    assert as_outsider.get(PAGE).status_code == 200


# Signing in -----------------------------------------------------------------------------------


def test_the_password_alone_signs_nobody_in(codes: list[str], now: Any):
    client, answer = give_password(next="/glossary/")
    assert answer["Location"] == f"{CODE_PAGE}?next=%2Fglossary%2F"
    assert not is_in(client)
    assert client.get("/api/v1/me/").status_code == 401
    assert client.get("/work/").status_code == 302
    assert page_of(client.get(answer["Location"])).values["next"] == "/glossary/"
    wrong = client.post(CODE_PAGE, {"code": "000000"})
    assert "This code is wrong" in page_of(wrong, 422).text
    assert not is_in(client)
    right = client.post(CODE_PAGE, {"code": code_at(now.at), "next": "/glossary/"})
    assert (right.status_code, right["Location"]) == (302, "/glossary/")
    assert is_in(client)
    assert client.get("/api/v1/me/").status_code == 200


def test_it_leads_nowhere_else(codes: list[str], now: Any):
    client, _ = give_password()
    sent = {"code": code_at(now.at), "next": "https://evil.test/"}
    assert client.post(CODE_PAGE, sent)["Location"] == "/"


def test_a_code_is_accepted_once(codes: list[str], now: Any, owner: User):
    code = code_at(now.at)
    check_code(user=owner, code=f"{code[:3]} {code[3:]}")
    client, _ = give_password()
    assert client.post(CODE_PAGE, {"code": code}).status_code == 422
    now.at += 60
    assert client.post(CODE_PAGE, {"code": code}).status_code == 422
    assert client.post(CODE_PAGE, {"code": code_at(now.at)}).status_code == 302


def test_a_recovery_code_works_once(codes: list[str]):
    for status in (302, 422):
        client, _ = give_password()
        assert client.post(CODE_PAGE, {"code": codes[0].upper()}).status_code == status
    assert StaticToken.objects.count() == 9


def test_codes_are_tried_only_so_often(codes: list[str], now: Any, settings: Any):
    settings.ATTEMPT_LIMITS = {**settings.ATTEMPT_LIMITS, "code": {"account": "2/hour"}}
    for client in (give_password()[0], give_password()[0]):
        assert client.post(CODE_PAGE, {"code": "000000"}).status_code == 422
    client, _ = give_password()
    refused = client.post(CODE_PAGE, {"code": code_at(now.at)})
    assert "Too many attempts" in page_of(refused, 429).text
    assert not is_in(client)


@pytest.mark.parametrize("change", ["nothing typed", "late", "new password", "deactivated"])
def test_a_code_needs_the_password_before_it(
    change: str, codes: list[str], now: Any, owner: User, monkeypatch: pytest.MonkeyPatch
):
    client = Client() if change == "nothing typed" else give_password()[0]
    if change == "late":
        pending = client.session["pending_sign_in"]
        session = client.session
        session["pending_sign_in"] = {**pending, "until": "2026-01-01T00:00:00+00:00"}
        session.save()
    elif change == "new password":
        accounts_service.change_password(user=owner, password="another-long-phrase")
    elif change == "deactivated":
        User.objects.filter(pk=owner.pk).update(is_active=False)
    answer = client.post(CODE_PAGE, {"code": code_at(now.at)})
    assert (answer.status_code, answer["Location"]) == (302, "/sign-in/")
    assert not is_in(client)


def test_a_password_link_does_not_pass_it_by(codes: list[str], owner: User):
    link = create_reset_link(email=owner.email)
    client = Client()
    form = client.get("/password/" + link.split("/password/")[1])["Location"]
    new = {"new_password1": "another-long-phrase", "new_password2": "another-long-phrase"}
    assert client.post(form, new).status_code == 302
    assert not is_in(client)
    sent = {"username": owner.email, "password": "another-long-phrase"}
    assert Client().post("/sign-in/", sent)["Location"].startswith(CODE_PAGE)


def test_a_worker_signs_in_with_it_too(codes: list[str], now: Any, owner: User):
    WorkerAccount.objects.create(user=owner, country="US", is_adult=True)
    client, _ = give_password(next="/work/")
    assert client.get("/work/").status_code == 302
    sent = {"code": code_at(now.at), "next": "/work/"}
    assert client.post(CODE_PAGE, sent)["Location"] == "/work/"
    assert client.get("/work/").status_code == 200


def test_keys_of_scripts_need_no_code(codes: list[str], owner: User):
    _, key = accounts_service.create_token(user=owner, name="notebook")
    script = Client(headers={"Authorization": f"Bearer {key}"})
    assert script.get("/api/v1/me/").status_code == 200


def auth_names(path: Path) -> set[str]:
    """What a module imports of Django's sign-in."""
    nodes = ast.walk(ast.parse((ROOT / path).read_text()))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if (node.module or "").startswith(AUTH)]
    return {alias.name for node in ours for alias in node.names}


def test_there_is_one_way_in():
    """Whatever signs somebody in must ask for the code; only one module calls Django's `login`."""
    files = [path.relative_to(ROOT) for path in (ROOT / "annotation").rglob("*.py")]
    found = [path for path in files if {"login", "LoginView"} & auth_names(path)]
    assert found == [Path("annotation/corpora/accounts/sign_in.py")]


# Taking it away -------------------------------------------------------------------------------


def test_disabling_needs_the_password_and_a_code(codes: list[str], now: Any, owner: User):
    client = sign_in(owner)
    address = f"{PAGE}disable/"
    for code, password in [("000000", PASSWORD), (code_at(now.at), "wrong"), ("", PASSWORD)]:
        refused = client.post(address, {"code": code, "password": password})
        assert refused.status_code == 422
    assert client.post(address, {"code": codes[1], "password": PASSWORD}).status_code == 302
    assert not TOTPDevice.objects.exists()
    assert not StaticToken.objects.exists()
    assert give_password()[1]["Location"] == "/"


def test_new_recovery_codes_replace_the_old_ones(codes: list[str], now: Any, owner: User):
    client = sign_in(owner)
    assert client.post(f"{PAGE}codes/", {"code": "000000"}).status_code == 422
    assert client.post(f"{PAGE}codes/", {"code": code_at(now.at)}).status_code == 302
    new = set(StaticToken.objects.values_list("token", flat=True))
    assert len(new) == 10
    assert not new & set(codes)


def test_a_command_resets_a_lost_device(codes: list[str], owner: User):
    out = StringIO()
    call_command("reset_second_factor", "OWNER@example.org", stdout=out)
    assert "password only" in out.getvalue()
    assert give_password()[1]["Location"] == "/"
    assert Activity.objects.filter(text__startswith="removed the second factor").exists()
    for email, words in [(owner.email, "has no second factor"), ("x@example.org", "No account")]:
        with pytest.raises(CommandError, match=words):
            call_command("reset_second_factor", email)


# Another e-mail -------------------------------------------------------------------------------


def change_email(client: Client, **more: str) -> int:
    sent = {"name": "Owner", "email": "new@example.org", "password": PASSWORD, **more}
    return client.post("/account/", sent).status_code


def test_another_email_needs_a_code(codes: list[str], as_owner: Client, owner: User):
    assert "A code" in page_of(as_owner.get("/account/")).text
    for wrong in ({}, {"code": "000000"}):
        assert change_email(as_owner, **wrong) == 422
        owner.refresh_from_db()
        assert owner.email == "owner@example.org"
    assert change_email(as_owner, code=codes[0]) == 302
    owner.refresh_from_db()
    assert owner.email == "new@example.org"


def test_without_a_second_factor_it_needs_none(as_owner: Client):
    assert "A code" not in page_of(as_owner.get("/account/")).text
    assert change_email(as_owner) == 302


def test_wrong_codes_are_counted_across_emails(codes: list[str], owner: User, settings: Any):
    settings.ATTEMPT_LIMITS = {**settings.ATTEMPT_LIMITS, "code": {"account": "2/hour"}}
    for name in ("a", "b"):
        User.objects.filter(pk=owner.pk).update(email=f"{name}@example.org")
        owner.refresh_from_db()
        with pytest.raises(WrongCode):
            check_code(user=owner, code="000000")
    User.objects.filter(pk=owner.pk).update(email="c@example.org")
    owner.refresh_from_db()
    with pytest.raises(TooMany):
        check_code(user=owner, code="000000")


def test_keys_are_counted_across_emails(owner: User, settings: Any):
    settings.ATTEMPT_LIMITS = {**settings.ATTEMPT_LIMITS, "key": {"account": "1/hour"}}
    accounts_service.create_token(user=owner, name="one")
    owner.email = "other@example.org"
    owner.save()
    with pytest.raises(TooMany):
        accounts_service.create_token(user=owner, name="two")
