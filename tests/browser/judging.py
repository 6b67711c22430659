"""Judging pages in a sandboxed frame, as a marketplace shows them, and what they send."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from annotation.crowd.judging_page.question import JudgingTask, Worked, render_page
from annotation.crowd.judging_page.views import page_policy
from tests.servers import ROOT, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page


ACCEPTED = "3ASSIGNMENT"
NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
HOSTILE = "</script><img src=x onerror=alert(1)>"
SCRIPTS = ROOT / "frontend" / "static" / "js"
KEEPER = ("/judge-keeper.js", "/storage.js")
FRAME_POLICY = (
    "sandbox allow-scripts allow-forms; default-src 'none'; "
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-ancestors 'self'"
)
TOP = """<!doctype html><html lang="en"><title>Work</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ margin: 0 }}
iframe {{ display: block; width: 100%; height: 100vh; border: 0 }}
</style>
<iframe src="/frame?{query}" title="Task" sandbox="allow-scripts allow-forms"
  data-keep-draft="3ASSIGNMENT" data-keep-seen="7"></iframe>
"""
KEEPING = '<script type="module" src="/judge-keeper.js"></script>'

TASK = JudgingTask(
    title="Does the summary say it?",
    summary=f"A dam burst near Oslo on Monday.\nNobody was hurt, said the mayor. {HOSTILE}",
    statements=(
        ("s1", "A dam burst."),
        ("s2", "It happened in Bergen."),
        ("s3", f"Nobody was hurt. {HOSTILE}"),
    ),
    instructions="Judge only by the summary.\n\n- Present: it says so.\n- Else: not present.",
    examples=(Worked("It rained.", "It snowed.", "absent", "Rain is not snow."),),
)


@dataclass
class Stage:
    """A page with a frame in it. `page` is what the frame holds; `sent` is what came back.

    `is_keeping` says whether the page around the frame keeps what the frame can't. At `/own` the
    judging page stands alone, under the policy with which we serve it ourselves.
    """

    base_url: str = ""
    is_keeping: bool = True
    page: str = ""
    sent: list[dict[str, list[str]]] = field(default_factory=list)

    def address(self, path: str = "/", assignment: str = ACCEPTED, submit_to: str = "") -> str:
        query = {"assignmentId": assignment, "hitId": "3HIT", "workerId": "A1"}
        query["turkSubmitTo"] = submit_to or self.base_url
        return f"{self.base_url}{path}?{urlencode(query)}"

    def show(self, task: JudgingTask) -> None:
        self.page = render_page(task)

    def open(self, page: Page, task: JudgingTask = TASK, **address: str) -> FrameLocator:
        self.show(task)
        page.goto(self.address(**address))
        frame = page.frame_locator("iframe")
        frame.locator("form.is-live").wait_for()
        return frame


def hand_keys_to(frame: FrameLocator, page: Page) -> None:
    """The frame is another process: it has the keys a while after it was given them."""
    page.locator("iframe").focus()
    body = frame.locator("body")
    wait_until(lambda: bool(body.evaluate("() => document.hasFocus()")), "the frame has the keys")


@contextlib.contextmanager
def running_stage() -> Iterator[Stage]:
    stage = Stage()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(stage))
    stage.base_url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield stage
    finally:
        server.shutdown()
        server.server_close()


def _handler(stage: Stage) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            if address.path in KEEPER:
                self._answer((SCRIPTS / address.path[1:]).read_text(), "text/javascript")
            elif address.path == "/frame":
                self._answer(stage.page, policy=FRAME_POLICY)
            elif address.path == "/own":
                policy = page_policy(ancestors=["'none'"], form_action=["'self'"])
                self._answer(stage.page, policy=policy)
            else:
                top = TOP.format(query=address.query.replace("&", "&amp;"))
                self._answer(top + KEEPING * stage.is_keeping)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            stage.sent.append({"path": [self.path], **parse_qs(body, keep_blank_values=True)})
            self._answer("<p>Thank you.</p>")

        def _answer(self, text: str, kind: str = "text/html", policy: str = "") -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            if policy:
                self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Tests say what matters."""

    return Handler
