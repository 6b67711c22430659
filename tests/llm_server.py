"""A chat endpoint over HTTP that answers, and fails, as real ones do."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODEL = "toy-1"
KEY = "sk-never-shown-4711"
GIVEN, WRITTEN = 100, 20  # tokens of every answer

Body = dict[str, Any]
# What becomes of a call: its number, from 0, and its body.
Fate = Callable[[int, Body], str]


class LlmServer:
    """`fates` counts what became of calls; `paid` those that an endpoint would charge."""

    def __init__(self, fate: Fate, delay: float = 0.0) -> None:
        self.fate, self.delay = fate, delay
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
                    status, headers, content = reply_to(fate, body, server.says)
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


def reply_to(fate: str, body: Body, says: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and content."""
    plain: dict[str, tuple[int, dict[str, str]]] = {
        "limited": (429, {}),
        "limited with time": (429, {"Retry-After": "1"}),
        "long limit": (429, {"Retry-After": "3600"}),
        "failed after success": (500, {}),
        "denied": (401, {}),
        "bad request": (400, {}),
    }
    if fate in plain:
        return *plain[fate], json.dumps({"error": {"message": says}}).encode()
    return 200, {"Content-Type": "application/json"}, json.dumps(make_answer(fate, body)).encode()


def make_answer(fate: str, body: Body) -> Body:
    rows = make_verdicts(body)
    if fate == "unknown unit":
        rows = [*rows, {"unit": 99, "present": True}]
    if fate == "half":
        rows = rows[::2]
    if fate == "twice":
        rows = [*rows, {**rows[0], "present": not rows[0]["present"]}]
    content: str = json.dumps({"verdicts": rows})
    message: Body = {"role": "assistant", "content": content}
    if fate == "cut":
        message["content"] = content[: len(content) // 2]
    if fate == "wrong shape":
        message["content"] = json.dumps({"verdicts": {"1": "yes"}, "units": [True]})
    if fate == "words":
        message["content"] = json.dumps(
            {"verdicts": [{"unit": row["unit"], "present": "yes"} for row in rows]}
        )
    if fate == "refusal":
        message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": "length" if fate == "cut" else "stop",
    }
    if body.get("logprobs"):
        choice["logprobs"] = {"content": list(make_tokens(message["content"]))}
    usage = {"prompt_tokens": GIVEN, "completion_tokens": WRITTEN}
    if fate == "overcharged":
        usage["prompt_tokens"] = 10**9
    found = {"model": MODEL, "choices": [choice], "usage": usage}
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
def serving(fate: Fate | None = None, delay: float = 0.0) -> Iterator[LlmServer]:
    server = LlmServer(fate or always("answer"), delay)
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
