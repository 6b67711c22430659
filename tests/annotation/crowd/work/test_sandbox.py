"""Which tasks keep their own origin: those of other servers, never ours under whatever name."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client, RequestFactory

from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import QuestionKind
from annotation.crowd.market.question_forms import Question
from annotation.crowd.market.work import accept_hit
from annotation.crowd.work.views_sandbox import Frame, frame_for, own_policy, task_policy
from tests.annotation.crowd.working import external_question, make_hit, make_type

OPAQUE = "allow-scripts allow-forms allow-popups allow-modals"
OWN_ORIGIN = f"{OPAQUE} allow-same-origin allow-popups-to-escape-sandbox"


@pytest.fixture(autouse=True)
def names(settings: Any) -> None:
    settings.PUBLIC_URL = "https://giza.example.org"
    settings.ALLOWED_HOSTS = ["giza.example.org", "work.lab.test", ".many.test", "192.0.2.7"]


def external(url: str) -> Question:
    return Question(QuestionKind.EXTERNAL, url=url, frame_height=800)


def frame_of(url: str, host: str = "giza.example.org", secure: bool = True) -> Frame:
    request = RequestFactory().get("/", headers={"Host": host}, secure=secure)
    return frame_for(request, external(url))


@pytest.mark.parametrize(
    "url",
    [
        "https://giza.example.org/x",
        "https://GIZA.example.org:443/x",
        "http://giza.example.org/x",
        "https://work.lab.test/x",
        "http://work.lab.test:443/x",
        "https://a.many.test/x",
        "https://many.test/x",
        "https://192.0.2.7/x",
    ],
)
def test_it_gives_no_origin_to_a_page_under_a_name_of_ours(url: str):
    assert frame_of(url).sandbox == OPAQUE


@pytest.mark.parametrize(
    "host, secure, url",
    [
        # A request may come by a name that nothing else knows.
        ("new.many.test:8443", True, "https://new.many.test:8443/x"),
        ("127.0.0.1:8000", False, "http://127.0.0.1:8000/x"),
        ("127.0.0.1:8000", False, "http://localhost:8000/x"),
        ("localhost:8000", False, "http://[::1]:8000/x"),
        ("localhost:8000", False, "http://127.8.9.1:8000/x"),
        ("localhost:8000", False, "http://app.localhost:8000/x"),
        ("localhost", False, "http://127.0.0.1/x"),
        ("LOCALHOST:8000", False, "http://[0:0:0:0:0:0:0:1]:8000/x"),
        ("giza.example.org.", True, "https://giza.example.org/x"),
        ("giza.example.org:443", True, "https://GIZA.Example.ORG/x"),
    ],
)
def test_it_gives_none_to_the_host_that_the_request_came_by(
    host: str, secure: bool, url: str, settings: Any
):
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "localhost", "127.0.0.1"]
    assert frame_of(url, host, secure).sandbox == OPAQUE


def test_it_reads_names_as_browsers_do(settings: Any):
    settings.PUBLIC_URL = "https://MÜNCHEN.example:8443/giza/"
    for url in ("https://xn--mnchen-3ya.example/x", "https://münchen.example:8443/giza/x"):
        assert frame_of(url).sandbox == OPAQUE
    assert frame_of("https://munchen.example/x").sandbox == OWN_ORIGIN


def test_it_takes_no_name_for_another_servers_if_every_name_may_be_ours(settings: Any):
    settings.ALLOWED_HOSTS = ["*"]
    assert frame_of("https://lab.example.com/x").sandbox == OPAQUE


def test_it_knows_the_port_behind_a_proxy():
    host = {"Host": "giza.example.org"}
    request = RequestFactory().get("/", headers=host, SERVER_PORT="8123")
    assert frame_for(request, external("http://127.0.0.1:8123/x")).sandbox == OPAQUE
    url = "https://giza.example.org:8123/x"
    assert frame_for(request, external(url)).sandbox == OPAQUE


@pytest.mark.parametrize(
    "url, sources",
    [
        ("https://lab.example.com/x", ["https:"]),
        ("https://giza.example.org.evil.test/x", ["https:"]),
        ("https://notgiza.example.org/x", ["https:"]),
        ("https://giza.example.org:8443/x", ["https:"]),
        ("http://localhost:22362/ad", ["http://localhost:22362", "https:"]),
    ],
)
def test_it_leaves_another_server_its_own_origin(url: str, sources: list[str]):
    frame = frame_of(url)
    assert frame.sandbox == OWN_ORIGIN
    assert frame.sources == ["'self'", *sources]


def test_it_frames_nothing_else_around_our_own_pages():
    assert frame_of("") == Frame(OPAQUE, ["'self'"])
    ours = frame_of("https://work.lab.test/x")
    assert ours.sources == ["'self'", "https://work.lab.test"]


def test_only_tasks_of_others_have_the_height_that_they_ask_for():
    """Our judging page is as tall as its window, on other marketplaces 800 pixels."""
    assert frame_of("https://lab.example.com/x").height == 800
    assert frame_of("https://work.lab.test/judge/x/").height == 0


@pytest.mark.parametrize("policy", [task_policy("https://a.test"), own_policy("https://a.test")])
def test_what_we_serve_is_opaque_whatever_frames_it(policy: str):
    assert policy.startswith(f"sandbox {OPAQUE}; ")
    assert "allow-same-origin" not in policy
    assert "allow-top-navigation" not in policy
    assert "form-action https://a.test/mturk/externalSubmit;" in policy


def test_a_requesters_page_may_use_blobs_and_sockets():
    policy = dict(part.split(" ", 1) for part in task_policy("https://a.test").split("; "))
    assert "wss:" in policy["connect-src"]
    assert "blob:" in policy["img-src"]
    assert policy["worker-src"] == "blob:"


def test_addresses_without_a_scheme_are_shown_on_a_server_without_https():
    plain, secure = (task_policy(f"{scheme}://a.test").split("; ") for scheme in ("http", "https"))
    kinds = ("script-src", "style-src", "img-src", "font-src", "media-src")
    for part in plain:
        assert part.endswith(" https: http:") == part.startswith(kinds)
    assert not any("http:" in part.split() for part in secure)


def test_pages_say_so(at_work: Client, worker: WorkerAccount, settings: Any):
    settings.ALLOWED_HOSTS = ["testserver"]
    elsewhere = make_hit(make_type(), question=external_question("https://lab.example.com/task"))
    ours = make_hit(make_type(), question=external_question("https://giza.example.org/judge/x/"))
    for hit, sandbox in ((elsewhere, OWN_ORIGIN), (ours, OPAQUE), (make_hit(make_type()), OPAQUE)):
        assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
        for address in (
            f"/work/hits/{hit.hit_id}/",
            f"/work/assignments/{assignment.assignment_id}/",
        ):
            assert f'sandbox="{sandbox}"' in at_work.get(address).content.decode()
