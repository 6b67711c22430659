"""A client that comes back: after a line that broke, after a fault, and over a line that is old."""

from __future__ import annotations

import select
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.servers import PATIENCE
from tests.soak import visitor as module
from tests.soak.log import Log
from tests.soak.visitor import GaveUp, Visitor


class Moody(BaseHTTPRequestHandler):
    """Answers by the path: with a status, or not at all; each mood of the list once."""

    protocol_version = "HTTP/1.1"
    moods: list[str] = []

    def do_GET(self) -> None:
        mood = self.moods.pop(0) if self.moods else "200"
        if mood == "drop":
            self.close_connection = True
            return
        self.send_response(int(mood))
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
        self.close_connection = self.path == "/then-close"

    def log_message(self, format: str, *args: object) -> None:
        """Quietly."""


@pytest.fixture
def visitor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Visitor]:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(module, "LONGEST_PAUSE", 0.02)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Moody)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Visitor(f"http://127.0.0.1:{server.server_port}", "session", Log())
    server.shutdown()
    server.server_close()


def test_it_comes_back_after_a_lost_line_and_a_fault(visitor: Visitor):
    Moody.moods = ["drop", "503", "200"]
    assert visitor.call("page: a", "/") == {}
    assert [answer.status for answer in visitor.log.answers] == [503, 200]
    assert [loss.kind for loss in visitor.log.losses] == ["page: a"]
    assert "GET /: 503" in visitor.log.faults[0]


def test_it_takes_a_refusal_for_an_answer(visitor: Visitor):
    Moody.moods = ["404"]
    assert visitor.ask("page: a", "GET", "/")[0] == 404
    assert len(visitor.log.faults) == 1
    Moody.moods = ["409"]
    with pytest.raises(ValueError, match="/ops/: 409"):
        visitor.call("page: a", "/ops/")


def test_it_sees_that_an_idle_line_was_closed(visitor: Visitor):
    visitor.call("page: a", "/then-close")
    assert select.select([visitor.connection.sock], [], [], PATIENCE)[0]
    visitor.call("page: a", "/")
    assert visitor.log.losses == []
    assert len(visitor.log.answers) == 2


def test_it_gives_up_in_the_end(visitor: Visitor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    Moody.moods = ["drop"] * 100
    with pytest.raises(GaveUp, match="no answer"):
        visitor.call("page: a", "/")
    Moody.moods = []


def test_it_opens_whatever_address_a_page_names(visitor: Visitor):
    assert visitor.open("work: task", "http://elsewhere/frame/?assignmentId=A1") == "{}"
