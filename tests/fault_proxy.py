"""A proxy between boto3 and an endpoint that fails as networks and services do."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

# Of a hundred calls: how many meet which fate. The rest go through.
FATES = {"drop": 1.5, "lose": 2, "fail": 2, "throttle": 1.5, "delay": 2}
DELAY = 0.3


class FaultProxy:
    """Passes calls on to `target`; `calls` counts them, `fates` what became of them."""

    def __init__(self, target: str, seed: int = 1) -> None:
        self.target = urlsplit(target)
        self.calls: Counter[str] = Counter()
        self.fates: Counter[str] = Counter()
        self._rng = random.Random(seed)
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def choose(self, operation: str) -> str:
        with self._lock:
            self.calls[operation] += 1
            drawn, fate = self._rng.uniform(0, 100), "pass"
            for name, share in FATES.items():
                if drawn < share:
                    fate = name
                    break
                drawn -= share
            self.fates[fate] += 1
            return fate

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True  # the client was killed

            def do_POST(self) -> None:
                proxy.handle(self)

            def log_message(self, *_: object) -> None:
                """Quiet: the test says what matters."""

        return Handler

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        operation = request.headers.get("X-Amz-Target", "").rpartition(".")[2]
        fate = self.choose(operation)
        if fate == "drop":
            return _hang_up(request)
        if fate == "throttle":
            return _answer(request, 400, b'{"__type": "ThrottlingException"}')
        if fate == "delay":
            time.sleep(DELAY)
        try:
            status, content = self._pass_on(request, body)
        except (OSError, http.client.HTTPException):
            return _hang_up(request)  # the web server was killed
        if fate == "lose":
            return _hang_up(request)
        if fate == "fail":
            return _answer(request, 500, b'{"__type": "ServiceFault"}')
        return _answer(request, status, content)

    def _pass_on(self, request: BaseHTTPRequestHandler, body: bytes) -> tuple[int, bytes]:
        """With the headers as they came: the signature covers the host that the client named."""
        connection = http.client.HTTPConnection(
            self.target.hostname or "", self.target.port, timeout=20
        )
        try:
            left_out = ("connection", "content-length", "expect")
            headers = {k: v for k, v in request.headers.items() if k.lower() not in left_out}
            connection.request("POST", request.path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def _hang_up(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    request.connection.close()


def _answer(request: BaseHTTPRequestHandler, status: int, content: bytes) -> None:
    request.send_response(status)
    request.send_header("Content-Type", "application/x-amz-json-1.1")
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content)
