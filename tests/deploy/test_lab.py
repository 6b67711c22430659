"""A lab's server, started as compose.yaml starts it: PostgreSQL, Redis, two workers."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest

from deploy import serve
from tests import servers
from tests.deploy.test_services import in_env_file, read_unit
from tests.servers import Lab, Part, answers

NAME = "giza.example.org"
FROM_PROXY = {"Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
# What a stranger would have to add to, one way or another, to get in or to spend.
TABLES = (
    *("corpora_user", "corpora_project", "corpora_membership", "crowd_workeraccount"),
    *("crowd_requester", "crowd_requesterkey", "crowd_markethit", "crowd_marketentry"),
)
Send = Callable[..., tuple[int, str]]


def test_it_serves(lab):
    assert answers(lab.base_url)
    assert answers(lab.base_url, "/sign-in/")


def test_it_runs_on_postgresql_and_redis(lab):
    shown = lab.manage(
        "shell",
        "-c",
        "from django.db import connection; from django.core.cache import caches; "
        "from deploy.celery import app; caches['default'].set('k', 1); "
        "print(connection.vendor, type(caches['default']).__name__, app.conf.broker_url[:5])",
    )
    assert shown.split()[-3:] == ["postgresql", "SteadyRedisCache", "redis"]


def test_it_has_the_demo(lab):
    with psycopg.connect(lab.environment["DATABASE_URL"]) as database:
        (count,) = database.execute("SELECT count(*) FROM corpora_summary").fetchall()[0]
    assert count > 0


@pytest.fixture(scope="module")
def guided(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Send]:
    """The web server as its unit and its file of settings start it, on the lab's own database.

    Only what differs from machine to machine is put in: addresses, secrets and the port.
    """
    own = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "DATA_DIR", "SECRET_KEY")
    port = servers.find_free_port()
    settings = in_env_file() | {name: lab.environment[name] for name in own}
    environment = servers.clean_environment(**settings | {"PORT": str(port)})
    arguments = read_unit("giza-web.service")["Service"]["ExecStart"].split()[3:]
    assert serve.parse(arguments).part == "web"
    log: Path = tmp_path_factory.mktemp("guided") / "web.log"
    part = Part(arguments, environment, log).start()

    def send(method: str, path: str, form: dict[str, str] | None = None, **headers: str):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        body = urlencode(form) if form else None
        typed = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        connection.request(method, path, body, FROM_PROXY | typed | headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    try:
        part.wait_for(lambda: answers_as(send), "the guide's web server comes up")
        yield send
    finally:
        part.stop()


def answers_as(send: Send) -> bool:
    try:
        return send("GET", "/sign-in/")[0] == http.client.OK
    except OSError:
        return False


@pytest.fixture
def unchanged(lab: Lab) -> Iterator[None]:
    """Whatever a test does, nobody has come in and nothing was published."""

    def count() -> dict[str, int]:
        with psycopg.connect(lab.environment["DATABASE_URL"]) as database:
            return {
                table: int(database.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])
                for table in TABLES
            }

    before = count()
    yield
    assert count() == before


@pytest.mark.usefixtures("unchanged")
def test_a_stranger_can_not_join(guided: Send):
    """The guide's settings ask workers for an invitation, and there is no other way in."""
    status, page = guided("GET", "/work/join/")
    assert (status, "You need an invitation" in page) == (200, True)
    account = {"email": "s@example.org", "name": "S", "password": "a-long-Passphrase-9"}
    account |= {"country": "DE", "consent": "on"}
    cookie = {"Cookie": f"csrftoken={'a' * 32}", "Origin": f"https://{NAME}"}
    for path in ("/work/join/", "/work/join/guessed/", "/sign-up/", "/invitations/guessed/"):
        form = account | {"csrfmiddlewaretoken": "a" * 32, "password2": account["password"]}
        status, page = guided("POST", path, form, **cookie)
        assert status in {403, 404, 409, 422}, (path, status)


@pytest.mark.usefixtures("unchanged")
def test_a_stranger_can_not_spend(guided: Send):
    for path in ("/", "/projects/", "/work/", "/payments/"):
        status, _ = guided("GET", path)
        assert status in {302, 404}, path
    for path in ("/api/v1/projects/", "/api/v1/account/keys/"):
        status, _ = guided("POST", path, {"name": "mine"})
        assert status in {401, 404, 405}, path
    for operation in ("CreateHIT", "GetAccountBalance", "ApproveAssignment"):
        target = {"X-Amz-Target": f"MTurkRequesterServiceV20170117.{operation}"}
        status, page = guided("POST", "/mturk/", {"Reward": "9.00"}, **target)
        assert status in {400, 401, 403}, operation
        assert "__type" in json.loads(page)


def test_it_leads_strangers_to_https(guided: Send):
    status, _ = guided("GET", "/sign-in/", **{"X-Forwarded-Proto": "http"})
    assert status == 301
