"""Requests to servers elsewhere: over by their deadline, bounded in bytes, never to the inside."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from annotation.crowd.providers.base import NotReachable, ProviderError, Unsure
from annotation.crowd.providers.mturk_wire import make_client, run_operation
from annotation.crowd.providers.prolific_client import ProlificClient
from scoring import outgoing
from scoring.outgoing import Bounds, NoReply, NotSent, exchange, is_public
from tests.dripping import BEGINNINGS, answering, dripping
from tests.test_architecture import find_imports, python_files, read

QUICK = Bounds(seconds=0.6, most_bytes=1000)
HEADERS = {"Content-Type": "application/json"}


@pytest.mark.parametrize("part", [name for name in BEGINNINGS if name != "greeting"])
def test_it_ends_at_its_deadline_however_bytes_drip(part: str):
    with dripping(BEGINNINGS[part]) as server:
        began = time.monotonic()
        with pytest.raises(NoReply, match=r"within 0\.6 s"):
            exchange("POST", server.url, Bounds(0.6, 10**7), HEADERS, b"{}")
        assert 0.5 < time.monotonic() - began < 2


def test_it_ends_at_its_deadline_while_tls_is_agreed_on():
    with dripping() as server:
        began = time.monotonic()
        with pytest.raises(NotSent):
            exchange("GET", server.url.replace("http:", "https:"), QUICK, {})
        assert time.monotonic() - began < 2


def test_it_ends_at_its_deadline_while_the_name_is_looked_up(monkeypatch: pytest.MonkeyPatch):
    over = threading.Event()

    def look_up(*_: Any, **__: Any) -> list[Any]:
        over.wait(30)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    began = time.monotonic()
    with pytest.raises(NotSent, match="was not resolved within"):
        exchange("GET", "http://slow.example.org/", QUICK, {})
    over.set()
    assert time.monotonic() - began < 2


def test_it_leaves_no_thread_behind():
    before = threading.active_count()
    with answering(lambda _: b"HTTP/1.1 204 No Content\r\n\r\n") as port:
        for _ in range(5):
            assert exchange("GET", f"http://127.0.0.1:{port}/", QUICK, {}).status == 204
        deadline = time.monotonic() + 5
        while threading.active_count() > before + 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert threading.active_count() <= before + 1  # the server's


def test_it_reads_no_more_bytes_than_it_may():
    long = b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 5000
    with answering(lambda _: long) as port, pytest.raises(NoReply, match="larger than 1,000 bytes"):
        exchange("GET", f"http://127.0.0.1:{port}/", QUICK, {})


def test_it_notices_an_answer_that_breaks_off():
    short = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"
    with answering(lambda _: short) as port, pytest.raises(NoReply):
        exchange("GET", f"http://127.0.0.1:{port}/", QUICK, {})


def test_it_follows_no_redirect():
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    with answering(lambda _: moved) as port:
        assert exchange("GET", f"http://127.0.0.1:{port}/", QUICK, {}).status == 302


def test_it_says_that_nothing_was_sent_where_nobody_listens():
    with pytest.raises(NotSent):
        exchange("POST", "http://127.0.0.1:9/", QUICK, {}, b"x")


def test_it_connects_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch):
    """A name that answers with a public address first and with a private one after it."""
    answers = iter(["93.184.216.34", "127.0.0.1", "127.0.0.1"])
    asked: list[Any] = []

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    def connect(address: Any, *_: Any) -> socket.socket:
        asked.append(address)
        raise OSError("refused")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    bounds = Bounds(1, 1000, is_public_only=True)
    with pytest.raises(NotSent, match="refused"):
        exchange("GET", "http://rebinding.example.org/", bounds, {})
    assert asked == [("93.184.216.34", 80)]
    with pytest.raises(NotSent, match="inside this network"):
        exchange("GET", "http://rebinding.example.org/", bounds, {})


def test_it_refuses_a_name_with_one_address_inside(monkeypatch: pytest.MonkeyPatch):
    rows = [(0, 0, 0, "", (text, 80)) for text in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)
    with pytest.raises(NotSent, match=r"inside this network \(10.0.0.1\)"):
        exchange("GET", "http://both.example.org/", Bounds(1, 1000, is_public_only=True), {})


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "224.0.0.1"),
        *("ff02::1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::1"),
        *("fec0::1", "::127.0.0.1", "::ffff:0:127.0.0.1"),
    ],
)
def test_it_knows_what_is_inside(address: str):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822"])
def test_it_knows_what_is_outside(address: str):
    assert is_public(address)


def test_it_goes_through_the_proxy_of_the_machine(monkeypatch: pytest.MonkeyPatch):
    """For addresses that the operator chose; what somebody else chose is connected to directly."""
    seen: list[bytes] = []

    def refuse(request: bytes) -> bytes:
        seen.append(request)
        return b"HTTP/1.1 403 Forbidden\r\n\r\n"

    with answering(refuse) as port:
        monkeypatch.setattr(outgoing, "getproxies", lambda: {"https": f"http://127.0.0.1:{port}"})
        monkeypatch.setattr(outgoing, "proxy_bypass", lambda host: False)
        with pytest.raises(NotSent, match="403"):
            exchange("GET", "https://api.example.org/", QUICK, {})
        with pytest.raises(NotSent, match="inside this network"):
            exchange("GET", "https://127.0.0.1:1/", Bounds(1, 9, is_public_only=True), {})
    assert [request.split(b"\r\n")[0] for request in seen] == [
        b"CONNECT api.example.org:443 HTTP/1.0"
    ]


# What opens connections, and the files that may import it.
OPENERS = {"http", "urllib", "urllib3", "requests", "httpx", "aiohttp", "socket", "smtplib", "ssl"}
# `http` and `urllib` have parts that connect to nothing.
HARMLESS = {("urllib", "parse"), ("http", "HTTPStatus"), ("http", "cookies")}
MAY_CONNECT = {
    "scoring/outgoing.py": "every request to a server elsewhere goes through it",
    "annotation/mail_backend.py": "mail, with the same deadline",
    "annotation/corpora/notifications/service.py": "the names of SMTP's errors",
}


def test_nothing_else_opens_connections():
    found = {
        str(path)
        for path in python_files("annotation", "scoring")
        for line in find_imports(path, read(path))
        if line.name[0] in OPENERS and line.name[:2] not in HARMLESS
    }
    assert found == set(MAY_CONNECT)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = Bounds(seconds=0.5, most_bytes=1000)
    monkeypatch.setattr("annotation.crowd.providers.mturk_wire.BOUNDS", bounds)
    monkeypatch.setattr("annotation.crowd.providers.prolific_client.BOUNDS", bounds)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody's")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nobody's")


@pytest.mark.parametrize("part", ["status line", "header", "body", "chunks"])
def test_a_call_of_boto3_ends_at_its_deadline(part: str, impatient: None):
    with dripping(BEGINNINGS[part]) as server:
        client = make_client(f"{server.url}/{part.replace(' ', '-')}")
        began = time.monotonic()
        with pytest.raises(NotReachable, match=r"within 0\.5 s"):
            run_operation(client, "GetAccountBalance", {})
        assert time.monotonic() - began < 2


@pytest.mark.parametrize("part", ["status line", "header", "body", "chunks"])
def test_a_call_to_prolific_ends_at_its_deadline(part: str, impatient: None):
    with dripping(BEGINNINGS[part]) as server:
        client = ProlificClient(server.url, "token")
        began = time.monotonic()
        with pytest.raises(NotReachable, match=r"within 0\.5 s"):
            client.get_me()
        # One that may not be repeated says that it may have been carried out.
        with pytest.raises(Unsure) as caught:
            client.pay_bonuses("batch")
        assert not isinstance(caught.value, NotReachable)
        assert time.monotonic() - began < 3


def test_prolific_leads_nowhere_else(impatient: None):
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    with (
        answering(lambda _: moved) as port,
        pytest.raises(ProviderError, match="status 302"),
    ):
        ProlificClient(f"http://127.0.0.1:{port}", "token").get_me()
