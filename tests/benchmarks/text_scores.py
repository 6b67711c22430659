"""A page while ten people send 21 KB to be scored: how much slower than alone it answers.

The whole product runs as `make run` serves it. The ratio is that of p95s of one page, which is
polled by itself and then while the calls are under way.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import servers
from tests.benchmarks.report import Figure

CALLS = 10
POLLS = 60
PAUSE = 0.05
# Five of one person may wait; the sixth is told so at once, which is an answer, too.
ANSWERS = {200, 202, 429}
MOST_RATIO = 5.0
UNIT = "On Friday, the council of Brack paid for lamp {number}, which had been lit on Monday."


def body() -> bytes:
    """21 KB, near the most that is taken: 50 units of one long summary."""
    units = [UNIT.format(number=number) for number in range(50)]
    summary = " ".join(f"Lamp {number} was lit." for number in range(900))[:15_500]
    sent = {"judge": "lexical", "documents": [{"units": units, "summary": summary}]}
    return json.dumps(sent).encode()


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="giza-bench-") as folder:
        product = servers.Product.at(Path(folder) / "var").start()
        try:
            found = _measure(product)
        finally:
            product.stop()
    return [
        Figure("a page alone, p95", 1000 * found["alone"], "ms"),
        Figure("a page during ten calls of 21 KB, p95", 1000 * found["busy"], "ms"),
        Figure("ratio of the two", found["busy"] / found["alone"], "x", None, MOST_RATIO),
        Figure("the slowest of the ten calls", found["slowest"], "s"),
    ]


def _measure(product: servers.Product) -> dict[str, float]:
    key = product.manage("shell", "-c", MAKE_KEY).split()[-1]
    page = f"{product.base_url}/sign-in/"
    for _ in range(5):
        _ask(page)
    alone = [_ask(page) for _ in _polls()]
    threads, slowest = _send(product, key)
    busy = [_ask(page) for _ in _polls(lambda: any(map(threading.Thread.is_alive, threads)))]
    for thread in threads:
        thread.join()
    return {"alone": _p95(alone), "busy": _p95(busy), "slowest": max(slowest)}


MAKE_KEY = """
from annotation.corpora.projects.service import create_project
from annotation.corpora.accounts.service import create_token
from annotation.corpora.models import Project, User
user = User.objects.filter(is_superuser=True).first() or User.objects.first()
project = create_project(user=user, name='Bench', slug='bench')
row, key = create_token(user=user, name='bench', scope='publish')
print(key)
"""


def _polls(goes_on: Callable[[], bool] = lambda: False) -> Any:
    """So many rounds, and more while something is under way; a minute at most."""
    until = time.monotonic() + 60
    count = 0
    while count < POLLS or (goes_on() and time.monotonic() < until):
        yield count
        count += 1
        time.sleep(PAUSE)


def _send(product: servers.Product, key: str) -> tuple[list[threading.Thread], list[float]]:
    slowest: list[float] = []
    url = f"{product.base_url}/api/v1/projects/bench/score/"
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def call() -> None:
        slowest.append(_ask(url, body(), headers))

    threads = [threading.Thread(target=call, daemon=True) for _ in range(CALLS)]
    for thread in threads:
        thread.start()
    return threads, slowest


def _ask(url: str, data: bytes | None = None, headers: dict[str, str] | None = None) -> float:
    began = time.monotonic()
    request = urllib.request.Request(url, data, headers or {})
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            answer.read()
            status = answer.status
    except urllib.error.HTTPError as error:
        status = error.code
    assert status in ANSWERS, status
    return time.monotonic() - began


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]
