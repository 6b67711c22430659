"""Every page of a project that has been studied to its end, with 11,490 examples and with 100.

Of each page: its time, and how many queries it sends and rows it reads more than in the small one.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.benchmarks.database import BENCH_DIR, fresh_database, run_in, set_up_django
from tests.benchmarks.generated import EXAMPLES, write_corpus
from tests.benchmarks.page_list import PAGES
from tests.benchmarks.pages import MOST_RATIO, SMALL, count_queries, prepare
from tests.benchmarks.report import Figure
from tests.benchmarks.studied import study

# ROUNDS=5 for a first look.
ROUNDS, WARM_UP = int(os.environ.get("ROUNDS", "30")), 3


@dataclass
class Visits:
    """Of one page in one project; times are in milliseconds, `cpu` that of the web process."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    queries: int = 0
    rows: int = 0


def measure(vendor: str) -> list[Figure]:
    small = write_corpus(BENCH_DIR / "small", examples=SMALL)
    large = write_corpus(BENCH_DIR)
    with fresh_database(vendor) as environment:
        found = run_in(environment, __name__, str(small), str(large))
    return [
        figure
        for page, sizes in found.items()
        for figure in judge(f"{vendor}: {page}", *(Visits(**sizes[n]) for n in ("small", "large")))
    ]


def judge(name: str, few: Visits, many: Visits) -> list[Figure]:
    p95, cpu = find_p95(many.wall), find_p95(many.cpu) / find_p95(few.cpu)
    return [
        Figure(f"{name}, p95 at {EXAMPLES:,} examples", p95, "ms"),
        Figure(f"{name}, ratio to {SMALL}", p95 / find_p95(few.wall), "x", None, MOST_RATIO),
        Figure(f"{name}, ratio of processor time", cpu, "x"),
        Figure(f"{name}, queries more", many.queries - few.queries, "", None, 0),
        Figure(f"{name}, ratio of rows", many.rows / max(few.rows, 1), "x", None, MOST_RATIO),
    ]


def find_p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def addresses(slug: str, ids: dict[str, Any], round_: int) -> dict[str, str]:
    """Another example and page each round, spread over the project."""
    from annotation.corpora.corpus.models import Example
    from annotation.corpora.projects.models import Project

    project = Project.objects.get(slug=slug)
    place = round_ * 7919 % project.example_count
    example = Example.objects.get(project=project, position=place)
    filled = ids | {
        "example": example.pk,
        "summary": example.summaries.earliest("pk").pk,
        "assignment": ids["first_assignment"] + place,
        "page": place // 50 + 1,
        "near": round_ % 5 + 1,
    }
    return {page: f"/p/{slug}/{path.format(**filled)}" for page, path in PAGES.items()}


def visit(client: Any, address: str, visits: Visits) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    response = client.get(address)
    visits.wall.append(1000 * (time.perf_counter() - wall))
    visits.cpu.append(1000 * (time.process_time() - cpu))
    assert response.status_code == 200, (address, response.status_code)


@contextmanager
def counted_rows(visits: Visits) -> Iterator[None]:
    """Rows that come from the database into the process."""
    from django.db.models.sql import compiler

    read = compiler.cursor_iter

    def counting(*arguments: Any) -> Iterator[Any]:
        for rows in read(*arguments):
            visits.rows += len(rows)
            yield rows

    with patch.object(compiler, "cursor_iter", counting):
        yield


def prepare_projects(small: Path, large: Path) -> tuple[Any, dict[str, dict[str, Any]]]:
    """The user who opens the pages, and the ids of each project."""
    from django.db import connection

    prepare("small", small)
    user = prepare("large", large)
    ids = {slug: study(slug) for slug in ("small", "large")}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return user, ids


def run(small: Path, large: Path) -> dict[str, Any]:
    """The two projects take turns, so that a noisy moment of the machine hits both."""
    from django.test import Client

    user, ids = prepare_projects(small, large)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    found = {page: {slug: Visits() for slug in ids} for page in PAGES}
    for round_ in range(WARM_UP + ROUNDS):
        for slug in ids:
            for page, address in addresses(slug, ids[slug], round_).items():
                visits = found[page][slug] if round_ >= WARM_UP else Visits()
                visit(client, address, visits)
                if round_ == WARM_UP:
                    with counted_rows(visits):
                        visits.queries = count_queries(client, address)
    return {
        page: {slug: asdict(visits) for slug, visits in sizes.items()}
        for page, sizes in found.items()
    }


def main(small: str, large: str) -> None:
    set_up_django()
    print(json.dumps(run(Path(small), Path(large))))


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
