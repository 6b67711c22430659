"""What no page may do is seen, whatever a test looks at."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.sessions import watched_pages

POLICY = "default-src 'self' 'unsafe-inline' https://elsewhere.example.org"
FAULTS = {
    "/well": ("", ""),
    "/broken-page": ("", "status of 500"),
    "/picture": ("<img src='/broken-picture'>", "status of 500"),
    "/outside": ("<script>fetch('https://elsewhere.example.org/x')</script>", "another server"),
    "/breach": ("<script>fetch('https://evil.example.org/x')</script>", "Security Policy"),
    "/error": ("<script>throw new Error('oh')</script>", "script error: oh"),
    "/dialog": ("<script>alert('hi')</script>", "dialog: hi"),
}


class Pages(BaseHTTPRequestHandler):
    """Each with its fault."""

    def do_GET(self) -> None:
        self.send_response(500 if "broken" in self.path else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(f"<!doctype html>{FAULTS.get(self.path, [''])[0]}".encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("path", FAULTS)
def test_it_tells_of_each_fault(path: str, browser: Browser, home: str) -> None:
    told = ""
    try:
        with watched_pages(browser, home) as open_page:
            open_page().goto(path, wait_until="networkidle")
    except AssertionError as error:
        told = str(error)
    expected = FAULTS[path][1]
    assert expected in told
    assert bool(told) is bool(expected)


def test_nobody_stops_the_clock_of_pages_that_others_use() -> None:
    """A page's clock is its context's, and a seat's context is used by test after test."""
    for path in sorted(Path(__file__).parent.rglob("test_*.py")):
        functions = path.read_text(encoding="utf-8").split("\ndef ")
        stopping = [text for text in functions if re.search(r"desk\.clock\.install", text)]
        assert not [text for text in stopping if "desk = open_desk(" not in text], path
