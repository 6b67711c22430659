"""An experiment on its own server, as those of psiTurk: cookies, storage, a backend."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

# What the page learns is shown in it and sent with the answers.
PAGE = """<!doctype html><html lang="en"><title>Experiment</title><body>
<h1>Experiment</h1><p id="state">loading</p><p id="learnt"></p>
<button id="done">Finish</button>
<script>
const query = new URLSearchParams(location.search);
const learnt = {};
async function attempt(name, act) {
  try { learnt[name] = String(await act()); } catch (error) { learnt[name] = error.name; }
}
function inWorker() {
  const code = new Blob(["postMessage(6 * 7)"], { type: "text/javascript" });
  return new Promise((done, fail) => {
    const worker = new Worker(URL.createObjectURL(code));
    worker.onmessage = (event) => done(event.data);
    worker.onerror = () => fail(new Error("worker"));
  });
}
function asImage() {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>';
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  return image.decode().then(() => image.width);
}
function bySocket() {
  return new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onerror = socket.onopen = () => done("asked");
  });
}
async function start() {
  await attempt("origin", () => self.origin);
  await attempt("storage", () => { localStorage.trial = "1"; return localStorage.trial; });
  await attempt("cookie", () => document.cookie.includes("seat=7"));
  await attempt("backend", async () => {
    const response = await fetch("/sync", { method: "POST", body: query.get("assignmentId") });
    return (await response.json()).seat;
  });
  await attempt("worker", inWorker);
  await attempt("image", asImage);
  await attempt("socket", bySocket);
  await attempt("alert", () => { alert("Read this"); return "shown"; });
  await attempt("confirm", () => confirm("Sure?"));
  await attempt("parent", () => parent.document.title);
  await attempt("address", () => parent.location.href);
  await attempt("top", () => { top.location.href = "https://evil.test/"; return "asked"; });
  await attempt("giza", () => fetch(`${query.get("turkSubmitTo")}/work/earnings/`,
    { credentials: "include" }).then((response) => response.text()));
  await attempt("session", () => document.cookie.includes("sessionid"));
  document.querySelector("#learnt").textContent = JSON.stringify(learnt);
  document.querySelector("#state").textContent = "ready";
}
document.querySelector("#done").addEventListener("click", () => {
  const form = document.createElement("form");
  form.method = "POST";
  form.action = `${query.get("turkSubmitTo")}/mturk/externalSubmit`;
  for (const [name, value] of [["assignmentId", query.get("assignmentId")], ["code", "done"]]) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
});
start();
</script></body></html>"""


@dataclass
class TaskApp:
    """`pages` are further documents by path, or functions that make them; `asked` the paths and
    cookies of what came.

    While it `is_hanging` it takes connections and says nothing.
    """

    port: int = 0
    pages: dict[str, str | Callable[[], str]] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    is_hanging: bool = False
    server: ThreadingHTTPServer | None = None

    def address(self, path: str = "/exp", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def start(self) -> None:
        """At the port that it had, if it was stopped."""
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        self.server = None


@contextlib.contextmanager
def running_app() -> Iterator[TaskApp]:
    app = TaskApp()
    app.start()
    try:
        yield app
    finally:
        app.is_hanging = False
        app.stop()


def _handler(app: TaskApp) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            app.asked.append((path, self.headers.get("Cookie", "")))
            while app.is_hanging:
                time.sleep(0.1)
            if path in app.redirects:
                self._answer("", {"Location": app.redirects[path]}, 302)
            elif path == "/exp":
                self._answer(PAGE, {"Set-Cookie": "seat=7; Path=/"})
            elif path in app.pages:
                page = app.pages[path]
                self._answer(page() if callable(page) else page)
            else:
                self._answer("none", status=404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            app.asked.append((f"{self.path} {body}", self.headers.get("Cookie", "")))
            has_seat = "seat=7" in self.headers.get("Cookie", "")
            self._answer(json.dumps({"seat": 7 if has_seat else 0}))

        def _answer(
            self, text: str, headers: dict[str, str] | None = None, status: int = 200
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Tests say what matters."""

    return Handler
