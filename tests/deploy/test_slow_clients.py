"""Clients that send or read a byte a second hold up nobody but themselves."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
import pytest

from tests import servers
from tests.servers import Product
from tests.slow_clients import KINDS, LARGE, SlowClients, visit

NUMBER = 40
QUICK = 5.0


@pytest.fixture(scope="module")
def served(prepared: Product, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    product = prepared.copy_to(tmp_path_factory.mktemp("slow") / "var").start()
    yield product
    product.stop()


def web_process(product: Product) -> psutil.Process:
    """The one that answers."""
    children = psutil.Process(product.part.process.pid).children()
    (server,) = (child for child in children if "gunicorn" in child.cmdline())
    (process,) = server.children()
    return process


def read_to_end(one: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := one.recv(65536):
            found += piece
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_slow_clients_hold_up_nobody(served: Product, kind: str) -> None:
    """Eight threads serve, and five times as many clients of each kind are there."""
    with SlowClients(served.port, NUMBER, (kind,)):
        times = visit(served.port, QUICK)
    assert max(times) < QUICK
    assert len(times) > 20


def test_it_cuts_off_a_header_that_does_not_come(served: Product) -> None:
    with socket.create_connection(("127.0.0.1", served.port)) as one:
        begun = time.monotonic()
        one.sendall(b"GET / HTTP/1.1\r\nHost: local")
        assert read_to_end(one) == b""
    assert 5 < time.monotonic() - begun < 60


def test_it_cuts_off_a_client_that_says_nothing(served: Product) -> None:
    with socket.create_connection(("127.0.0.1", served.port)) as one:
        assert read_to_end(one) == b""


def test_it_says_so_when_a_body_does_not_come(served: Product) -> None:
    with socket.create_connection(("127.0.0.1", served.port)) as one:
        one.sendall(KINDS["body"](served.port))
        answer = read_to_end(one)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"took too long to arrive" in answer


def test_a_long_body_passes_while_it_comes(served: Product) -> None:
    """Slower than a form, and as fast as a poor line."""
    with socket.create_connection(("127.0.0.1", served.port)) as one:
        length = 400_000
        head = f"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
        one.sendall(head.encode())
        for _ in range(20):
            one.sendall(b"x" * (length // 20))
            time.sleep(0.2)
        assert one.recv(12) == b"HTTP/1.1 403"  # without its token, as soon as it is whole


def test_a_client_that_reads_slowly_costs_no_thread_and_gets_all(served: Product) -> None:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", served.port))
        request = f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        one.sendall(request.encode())
        time.sleep(1)
        answer = read_to_end(one)
    head, _, body = answer.partition(b"\r\n\r\n")
    lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
    assert int(lengths[0].partition(b":")[2]) == len(body) > 1_000_000


def test_requests_one_after_another_share_a_connection(served: Product) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    for path in ("/sign-in/", "/healthz", "/sign-in/"):
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
        kept = connection.sock
        assert kept is not None
    connection.close()


def test_requests_sent_at_once_are_answered_in_turn(served: Product) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    with socket.create_connection(("127.0.0.1", served.port)) as one:
        one.sendall(request + b"\r\n" + request + b"Connection: close\r\n\r\n")
        assert read_to_end(one).count(b"HTTP/1.1 200") == 2


def test_a_body_in_tiny_chunks_is_cut_off(served: Product) -> None:
    """Reading its chunks would keep the loop from everybody else."""
    head = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as one:
        one.sendall(head + b"1\r\nx\r\n" * 1000)
        assert read_to_end(one).startswith(b"HTTP/1.1 400 ")


def test_whoever_asks_for_another_protocol_gets_this_one(served: Product) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\n"
    before = served.part.printed().lower().count("upgrade")
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as one:
        one.sendall(head + b"Upgrade: websocket\r\n\r\n")
        assert one.recv(12) == b"HTTP/1.1 200"
    assert served.part.printed().lower().count("upgrade") == before


@pytest.mark.parametrize(
    ("chunked", "authorization"),
    [(False, ""), (False, "Bearer giza_made-up"), (True, ""), (True, "Bearer giza_made-up")],
)
def test_a_large_body_of_a_stranger_never_reaches_the_disk(
    served: Product, chunked: bool, authorization: str
) -> None:
    folder = served.data_dir / "tmp"
    web = web_process(served)
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as one:
        length = "Transfer-Encoding: chunked" if chunked else "Content-Length: 400000000"
        said = f"Authorization: {authorization}\r\n" if authorization else ""
        one.sendall(
            f"POST /api/v1/projects/ HTTP/1.1\r\nHost: localhost\r\n{said}{length}\r\n\r\n".encode()
        )
        piece = b"x" * 65536
        sent = 0
        with contextlib.suppress(OSError, BlockingIOError):
            one.setblocking(False)
            while sent < 4 * 2**20:
                try:
                    sent += one.send(b"10000\r\n" + piece + b"\r\n" if chunked else piece)
                except BlockingIOError:
                    break
        one.setblocking(True)
        one.settimeout(60)
        assert one.recv(12) == b"HTTP/1.1 413"
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    held = [open_file.path for open_file in web.open_files() if str(folder) in open_file.path]
    assert held == []


def test_it_stops_in_time_with_slow_clients(prepared: Product, tmp_path: Path) -> None:
    product = prepared.copy_to(tmp_path / "var").start()
    with SlowClients(product.port, 10):
        begun = time.monotonic()
        assert product.stop() == 0
        assert time.monotonic() - begun < 30


def test_a_killed_process_is_replaced_at_once_under_slow_clients(served: Product) -> None:
    with SlowClients(served.port, 10):
        killed = web_process(served)
        os.kill(killed.pid, signal.SIGKILL)
        servers.wait_until(
            lambda: servers.answers(served.base_url), "another one answers", patience=10
        )
    assert web_process(served).pid != killed.pid


def test_it_writes_a_large_upload_to_disk_not_to_memory(served: Product) -> None:
    """And asks who sends it before it reads any of it."""
    web = web_process(served)
    cookie = sign_in(served)
    before = web.memory_info().rss
    size = 200 * 2**20
    with socket.create_connection(("127.0.0.1", served.port), timeout=300) as one:
        head = (
            f"POST /api/v1/gold/import/ HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n"
            f"Content-Length: {size}\r\nContent-Type: application/octet-stream\r\n\r\n"
        )
        one.sendall(head.encode())
        piece, most = b"x" * 2**20, before
        for _ in range(size // len(piece)):
            one.sendall(piece)
            most = max(most, web.memory_info().rss)
        assert one.recv(9) == b"HTTP/1.1 "
    assert most - before < 40 * 2**20


@pytest.mark.parametrize(
    ("megabytes", "status", "words"), [(7, 404, "no such assignment"), (9, 413, "at most 8 MB")]
)
def test_it_reads_the_answers_of_a_task_within_their_bound(
    served: Product, megabytes: int, status: int, words: str
) -> None:
    """Of anybody; what comes of them is told in the frame, in which the task is."""
    body = b"assignmentId=NONE&log=" + b"%22" * (megabytes * 2**20 // 3)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    request = Request(f"{served.base_url}/mturk/externalSubmit", body, headers)
    web = web_process(served)
    before = web.memory_info().rss
    with pytest.raises(HTTPError) as refused:
        urlopen(request, timeout=60)
    with refused.value as answer:
        assert answer.status == status
        assert words in answer.read().decode()
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert web.memory_info().rss - before < 100 * 2**20


def sign_in(product: Product) -> str:
    printed = product.manage(
        "shell",
        "-c",
        "from annotation.corpora.models import User; from django.test import Client; "
        "client = Client(); client.force_login(User.objects.get(email='demo@example.org')); "
        "print('session', client.session.session_key)",
    )
    return f"sessionid={printed.split()[-1]}"
