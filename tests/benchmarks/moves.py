"""A move of a slider on the what-if page, with as many assignments as it reads: 20,000 of 12 units.

The first visit reads the answers; a move goes on from what is in memory.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.database import BENCH_DIR, fresh_database, run_in, set_up_django
from tests.benchmarks.generated import write_corpus
from tests.benchmarks.pages import prepare
from tests.benchmarks.report import Figure

EXAMPLES, UNITS = 266, 12
MOVES = 20
MOST_OF_FIRST = 0.8


def measure() -> list[Figure]:
    corpus = write_corpus(BENCH_DIR / "moves", examples=EXAMPLES)
    with fresh_database("sqlite") as environment:
        found = run_in(environment, __name__, str(corpus))
    p95 = statistics.quantiles(found["moves"], n=20)[-1]
    return [
        Figure("assignments", found["assignments"]),
        Figure("first visit of the what-if page", found["first"], "ms"),
        Figure("a move of its sliders, p95", p95, "ms"),
        Figure("that move against the first visit", p95 / found["first"], "x", None, MOST_OF_FIRST),
    ]


def run(corpus: Path) -> dict[str, Any]:
    from django.test import Client

    from tests.benchmarks import studied

    # Everything is judged by three people.
    studied.UNITS, studied.SHARED = UNITS, 1
    user = prepare("moves", corpus)
    project = user.memberships.get().project
    campaign, _ = studied.write_campaigns(project, studied.write_units(project, "SCUs"))
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    thresholds = [f"?worker=on&min_hits=1&max_disagreement={30 + place}" for place in range(MOVES)]
    first, *moves = (visit(client, query) for query in ("", *thresholds))
    return {"first": first, "moves": moves, "assignments": campaign.assignments.count()}


def visit(client: Any, query: str) -> float:
    start = time.perf_counter()
    response = client.get(f"/p/moves/gold/what-if/{query}", HTTP_HX_REQUEST="true")
    elapsed = 1000 * (time.perf_counter() - start)
    assert response.status_code == 200
    assert b"too long to wait" not in response.content, "The page has refused to read so much."
    return elapsed


def main(corpus: str) -> None:
    set_up_django()
    print(json.dumps(run(Path(corpus))))


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
