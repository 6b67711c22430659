"""A chat endpoint over HTTP that answers, and fails, as real ones do; or a proxy before one."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODEL = "toy-1"
KEY = "sk-never-shown-4711"
CHANGED_ROWS = ("unknown unit", "half", "twice", "words")
GIVEN, WRITTEN = 100, 20  # tokens of every answer

Body = dict[str, Any]
# What becomes of a call: its number, from 0, and its body.
Fate = Callable[[int, Body], str]


class LlmServer:
    """`fates` counts what became of calls; `paid` those that an endpoint would charge.

    With a `target`, that endpoint is asked, and what happens to its answers is made worse.
    """

    def __init__(self, fate: Fate, delay: float = 0.0, target: str = "") -> None:
        self.fate, self.delay, self.target = fate, delay, target
        # As some do, it repeats what it was sent.
        self.says = f"key {KEY}"
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.starts: list[float] = []
        self.fates: Counter[str] = Counter()
        self.most_at_once = 0
        self.over = threading.Event()
        self._at_once = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def paid(self) -> int:
        free = ("limited", "limited with time", "long limit", "denied", "bad request")
        return sum(count for fate, count in self.fates.items() if fate not in free)

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    def begin(self, body: Body, headers: dict[str, str]) -> str:
        with self._lock:
            fate = self.fate(len(self.bodies), body)
            self.bodies.append(body)
            self.headers.append(headers)
            self.starts.append(time.monotonic())
            self.fates[fate] += 1
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        time.sleep(self.delay)
        return fate

    def end(self) -> None:
        with self._lock:
            self._at_once -= 1

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                fate = server.begin(body, dict(self.headers.items()))
                try:
                    if fate == "silence":
                        server.over.wait(60)
                        return
                    status, headers, content = reply_to(fate, body, server)
                finally:
                    server.end()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


def reply_to(fate: str, body: Body, server: LlmServer) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and content."""
    plain: dict[str, tuple[int, dict[str, str]]] = {
        "limited": (429, {}),
        "limited with time": (429, {"Retry-After": "1"}),
        "long limit": (429, {"Retry-After": "3600"}),
        "failed after success": (500, {}),
        "denied": (401, {}),
        "bad request": (400, {}),
    }
    if fate == "failed after success" and server.target:
        forward(body, server.target)
    if fate in plain:
        return *plain[fate], json.dumps({"error": {"message": server.says}}).encode()
    found = forward(body, server.target) if server.target else answer(body)
    return 200, {"Content-Type": "application/json"}, json.dumps(worsen(found, fate)).encode()


def forward(body: Body, target: str) -> Body:
    """What a real endpoint answers."""
    headers = {"Content-Type": "application/json"}
    content = json.dumps(body).encode()
    sent = urllib.request.Request(f"{target}/chat/completions", content, headers)
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(sent, timeout=300) as reply:
        found: Body = json.load(reply)
    return found


def answer(body: Body) -> Body:
    """What a reliable endpoint answers."""
    content = json.dumps({"verdicts": make_verdicts(body)})
    message = {"role": "assistant", "content": content}
    choice: Body = {"index": 0, "message": message, "finish_reason": "stop"}
    if body.get("logprobs"):
        choice["logprobs"] = {"content": list(make_tokens(content))}
    usage = {"prompt_tokens": GIVEN, "completion_tokens": WRITTEN}
    return {"model": MODEL, "choices": [choice], "usage": usage}


def worsen(found: Body, fate: str) -> Body:
    """The same answer, as it is or with a fault."""
    choice = found["choices"][0]
    message, content = choice["message"], choice["message"]["content"]
    rows = json.loads(content)["verdicts"] if fate in CHANGED_ROWS else []
    if fate == "unknown unit":
        rows = [*rows, {"unit": 99, "present": True}]
    if fate == "half":
        rows = rows[::2]
    if fate == "twice":
        rows = [*rows, {**rows[0], "present": not rows[0]["present"]}]
    if fate == "words":
        rows = [{"unit": row["unit"], "present": "yes"} for row in rows]
    if fate in CHANGED_ROWS:
        message["content"] = json.dumps({"verdicts": rows})
    if fate == "cut":
        message["content"] = content[: len(content) // 2]
        choice["finish_reason"] = "length"
    if fate == "wrong shape":
        message["content"] = json.dumps({"verdicts": {"1": "yes"}, "units": [True]})
    if fate == "refusal":
        message |= {"content": None, "refusal": "I can't help with that."}
    if fate == "overcharged":
        found["usage"]["prompt_tokens"] = 10**9
    if fate == "other model":
        found["model"] = "toy-2"
    if fate == "no usage":
        del found["usage"]
    return found


def make_verdicts(body: Body) -> list[Body]:
    """A unit is present if the summary has all of its words."""
    asked = json.loads(body["messages"][1]["content"])
    words = set(asked["summary"].lower().split())
    found = []
    for unit in asked["units"]:
        own = unit["text"].lower().split()
        row: Body = {"unit": unit["unit"], "present": set(own) <= words}
        if '"quote"' in body["messages"][0]["content"]:
            row["quote"] = own[0] if row["present"] else ""
        found.append(row)
    return found


def make_tokens(content: str) -> Iterator[Body]:
    """One token a word; of `true` and `false`, the other with a quarter of the chance."""
    for piece in _pieces(content):
        bare = piece.strip(" ,{}[]")
        top = [{"token": piece, "logprob": -0.223144}]
        if bare in ("true", "false"):
            other = " false" if bare == "true" else " true"
            top.append({"token": other, "logprob": -1.609438})
        yield {"token": piece, "logprob": -0.223144, "top_logprobs": top}


def _pieces(content: str) -> Iterator[str]:
    rest = content
    while rest:
        starts = [rest.find(word) for word in (" true", " false") if word in rest]
        cut = min(starts, default=len(rest))
        if cut:
            yield rest[:cut]
        size = 5 if rest[cut:].startswith(" true") else 6
        if rest[cut:]:
            yield rest[cut : cut + size]
        rest = rest[cut + size :]


def always(fate: str) -> Fate:
    return lambda number, body: fate


def first(fates: Sequence[str]) -> Fate:
    """These first, then answers."""
    return lambda number, body: fates[number] if number < len(fates) else "answer"


@contextmanager
def serving(fate: Fate | None = None, delay: float = 0.0, target: str = "") -> Iterator[LlmServer]:
    server = LlmServer(fate or always("answer"), delay, target)
    try:
        yield server
    finally:
        server.close()


def write_endpoint(folder: Path, url: str, **fields: object) -> Path:
    """A file with the endpoint `toy`."""
    table: dict[str, object] = {
        "url": url,
        "model": MODEL,
        "input_price": "10",
        "output_price": "40",
        "requests_per_minute": 100_000,
        "seconds": 5,
        "longest_pause": 2,
        **fields,
    }
    path = folder / "llm.toml"
    lines = [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    path.write_text("[toy]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path
