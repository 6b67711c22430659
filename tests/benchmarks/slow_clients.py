"""What a page takes while 600 clients send or read a byte a second: ours, and gthread before it.

Each server is compared with itself without them, in the same run, on the same data.
"""

from __future__ import annotations

import contextlib
import math
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.report import Figure
from tests.servers import (
    ROOT,
    SECRET_KEY,
    answers,
    clean_environment,
    find_free_port,
    run_serve,
    wait_until,
)
from tests.slow_clients import SlowClients, p95, visit

NUMBER = 200
SECONDS = 6.0
# The clients of this very process take turns with the page on the same machine.
MOST_RATIO = 6.0
FILES = 8192
GUNICORN = (sys.executable, "-m", "gunicorn", "--preload", "--no-control-socket")
SERVERS = {
    "served": (sys.executable, "-m", "deploy.serve", "web"),
    "gthread": (*GUNICORN, "--worker-class", "gthread", "--threads", "8", "deploy.wsgi"),
}


def measure() -> list[Figure]:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))
    with tempfile.TemporaryDirectory(prefix="giza-slow-") as folder:
        environment = clean_environment(SECRET_KEY=SECRET_KEY, DATA_DIR=folder)
        run_serve(environment, "migrate")
        found = {name: _measure(environment, line) for name, line in SERVERS.items()}
    free, busy, failed = found["served"]
    gthread_free, _, gthread_failed = found["gthread"]
    return [
        Figure("sign-in page, p95 alone", free, "ms"),
        Figure(f"the same with {3 * NUMBER} slow clients", busy, "ms"),
        Figure("ratio of the two", busy / free, "x", None, MOST_RATIO),
        Figure("pages that failed meanwhile", failed, "", None, 0),
        Figure("gthread: p95 alone", gthread_free, "ms"),
        Figure("gthread: share of pages that failed meanwhile", 100 * gthread_failed, "%"),
    ]


def _measure(environment: dict[str, str], line: Sequence[str]) -> tuple[float, float, float]:
    """p95 alone and with slow clients in ms, and the share of pages that never came."""
    with _running(environment, line) as port:
        visit(port, 1)
        free = p95(visit(port, SECONDS))
        with SlowClients(port, NUMBER):
            times = visit(port, SECONDS)
    failed = sum(math.isinf(taken) for taken in times) / len(times)
    return 1000 * free, 1000 * p95(times), failed


@contextlib.contextmanager
def _running(environment: dict[str, str], line: Sequence[str]) -> Iterator[int]:
    port = find_free_port()
    bind = [] if "deploy.serve" in line else ["--bind", f"127.0.0.1:{port}"]
    with (Path(environment["DATA_DIR"]) / "log").open("w") as log:
        process = subprocess.Popen(
            [*line, *bind],
            cwd=ROOT,
            env=environment | {"PORT": str(port)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until(lambda: answers(address, "/sign-in/"), "it serves")
            yield port
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
