"""How long `make run` takes until it serves, once everything is installed."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.benchmarks.report import Figure
from tests.servers import Product

MOST_SECONDS = 5.0
TRIES = 3


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="giza-starts-") as folder:
        first = _seconds(Path(folder) / "var")
        again = min(_seconds(Path(folder) / "var") for _ in range(TRIES))
    return [
        Figure("first start: tables, static files and the demo", first, "s"),
        Figure("second start until it serves", again, "s", None, MOST_SECONDS),
    ]


def _seconds(data_dir: Path) -> float:
    product = Product.at(data_dir)
    start = time.perf_counter()
    product.start()
    elapsed = time.perf_counter() - start
    product.stop()
    return elapsed
