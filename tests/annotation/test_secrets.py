"""Secrets are in no log and on no page about a fault, even where everything is logged."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.views.debug import get_default_exception_reporter_filter

from annotation.corpora.accounts.models import ApiToken, User
from annotation.crowd.market.requesters import create_key, create_requester
from annotation.crowd.providers.base import NotReachable
from annotation.crowd.providers.prolific_client import ProlificClient
from deploy import env
from tests.annotation.conftest import sign_in
from tests.annotation.crowd.wire import Wire
from tests.factories import PASSWORD

HUSH = "hush-9f2c"


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """As under LOG_LEVEL=DEBUG, by whichever library."""
    for name in ("", "django", "django.request", "django.db.backends", "botocore", "urllib3"):
        caplog.set_level(logging.DEBUG, logger=name)


def logged(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(f"{caplog.text}{record.__dict__}" for record in caplog.records)


@pytest.mark.parametrize("password", [PASSWORD, HUSH])
def test_it_logs_no_password(password: str, owner: User, caplog: pytest.LogCaptureFixture):
    Client().post("/sign-in/", {"username": owner.email, "password": password})
    Client().get("/no-such-page/")
    assert "no-such-page" in logged(caplog)
    assert password not in logged(caplog)


def test_it_logs_no_key_for_rest(owner: User, caplog: pytest.LogCaptureFixture):
    made = sign_in(owner).post(
        "/api/v1/tokens/", {"name": "notebook"}, content_type="application/json"
    )
    key = made.json()["key"]
    headers = {"Authorization": f"Bearer {key}"}
    assert Client(headers=headers).get("/api/v1/me/").status_code == 200
    assert Client(headers=headers).get("/api/v1/projects/none/").status_code == 404
    assert "/api/v1/projects/none/" in logged(caplog)
    assert key not in logged(caplog)
    assert key not in repr(ApiToken.objects.values())


def test_it_logs_no_secret_of_mturk(owner: User, caplog: pytest.LogCaptureFixture):
    key = create_key(requester=create_requester(name="Lab", owner=owner), user=owner)
    client = Wire().make_client("http://testserver/mturk/", key.access_key, key.secret)
    assert Decimal(client.get_account_balance()["AvailableBalance"]) == 0
    with pytest.raises(client.exceptions.RequestError):
        client.get_hit(HITId="NONE")
    assert "GetHIT" in logged(caplog)
    assert key.secret not in logged(caplog)


def test_it_logs_no_token_of_prolific(caplog: pytest.LogCaptureFixture):
    # Nobody listens there, which is told, and not to whom we would have been known.
    client = ProlificClient("http://127.0.0.1:9", HUSH)
    with pytest.raises(NotReachable) as caught:
        client.get_me()
    assert "127.0.0.1" in logged(caplog)
    assert HUSH not in logged(caplog) + repr(caught.value) + repr(vars(caught.value))


@pytest.mark.parametrize("address", [f"mysql://u:{HUSH}@h/n", f"postgresql://u:{HUSH}@h:x/n"])
def test_it_refuses_a_database_without_its_password(address: str, monkeypatch: Any):
    monkeypatch.setenv("DATABASE_URL", address)
    with pytest.raises(ImproperlyConfigured) as caught:
        env.database("DATABASE_URL", default="")
    assert HUSH not in str(caught.value)
    assert "u:***@h" in str(caught.value)


def test_it_shows_no_password_on_the_page_about_a_fault(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """DEBUG shows visitors what went wrong, and the server's settings with it."""
    settings.DEBUG = True
    settings.SECRET_KEY = settings.PROLIFIC_TOKEN = HUSH
    settings.CELERY_BROKER_URL = f"redis://:{HUSH}@broker:6379/0"

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the door is stuck")

    monkeypatch.setattr("annotation.corpora.accounts.sign_in.forgive_attempts", fail)
    client = Client(raise_request_exception=False)
    answer = client.post("/sign-in/", {"username": owner.email, "password": PASSWORD})
    page = answer.content.decode()
    assert answer.status_code == 500
    assert "the door is stuck" in page
    assert "redis://:***@broker:6379/0" in page
    for secret in (PASSWORD, HUSH):
        assert secret not in page
        assert secret not in logged(caplog)


def test_it_hides_every_secret_among_the_settings(settings: Any, monkeypatch: pytest.MonkeyPatch):
    settings.SECRET_KEY = settings.PROLIFIC_TOKEN = settings.PROLIFIC_WEBHOOK_SECRET = HUSH
    settings.CACHES = {"default": {"LOCATION": f"redis://u:{HUSH}@cache:6379/1"}}
    monkeypatch.setitem(settings.DATABASES["default"], "PASSWORD", HUSH)
    shown = repr(get_default_exception_reporter_filter().get_safe_settings())
    assert "u:***@cache" in shown
    assert HUSH not in shown
