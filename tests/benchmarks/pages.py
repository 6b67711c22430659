"""Pages in a project of 100 examples and in one of 11,490: time and number of queries.

A search reads every reference through, as nothing is indexed: it may take longer where there are
more, and asks less, as it leaves documents out where there are many.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.benchmarks.database import BENCH_DIR, fresh_database, run_in, set_up_django
from tests.benchmarks.generated import EXAMPLES, write_corpus
from tests.benchmarks.report import Figure

SMALL = 100
ROUNDS = 150
WARM_UP = 10
MOST_RATIO = 2.0
RARE, COMMON = "search for three words", "search for a syllable"
MOST_RATIOS = {RARE: 3.0, COMMON: 3.0}
SYLLABLE = "ka"


def measure(vendor: str) -> list[Figure]:
    small = write_corpus(BENCH_DIR / "small", examples=SMALL)
    large = write_corpus(BENCH_DIR)
    with fresh_database(vendor) as environment:
        found = run_in(environment, __name__, str(small), str(large))
    figures = []
    for page, sizes in found.items():
        few, many = sizes["small"], sizes["large"]
        figures += [
            Figure(f"{vendor}: {page}, p95 at {SMALL} examples", few["p95_ms"], "ms"),
            Figure(f"{vendor}: {page}, p95 at {EXAMPLES:,} examples", many["p95_ms"], "ms"),
            Figure(
                f"{vendor}: {page}, ratio of the two",
                many["p95_ms"] / few["p95_ms"],
                "x",
                None,
                MOST_RATIOS.get(page, MOST_RATIO),
            ),
            Figure(
                f"{vendor}: {page}, queries more",
                many["queries"] - few["queries"],
                "",
                None if page in MOST_RATIOS else 0,
                0,
            ),
            Figure(f"{vendor}: {page}, queries", many["queries"]),
        ]
    return figures


def prepare(slug: str, corpus: Path) -> Any:
    from annotation.corpora.accounts.models import User
    from annotation.corpora.projects import service as projects_service
    from tests import factories

    user = User.objects.filter(email="bench@example.org").first()
    user = user or User.objects.create_user(
        "bench@example.org", "bench", name="Bench", can_create_projects=True
    )
    project = projects_service.create_project(user=user, name=slug, slug=slug)
    factories.import_corpus(project, corpus)
    return user


def addresses(slug: str, round_: int) -> dict[str, str]:
    """Another page, example and question each round, spread over the project."""
    from annotation.corpora.corpus.models import Example, Reference
    from annotation.corpora.projects.models import Project

    project = Project.objects.get(slug=slug)
    position = round_ * 7919 % project.example_count
    example = Example.objects.get(project=project, position=position)
    words = Reference.objects.get(example=example).text.split()[2:5]
    return {
        "overview": f"/p/{slug}/",
        "example list": f"/p/{slug}/examples/?page={position // 25 + 1}",
        "example page": f"/p/{slug}/examples/{example.pk}/",
        RARE: f"/p/{slug}/search/?{urlencode({'q': ' '.join(words)})}",
        COMMON: f"/p/{slug}/search/?q={SYLLABLE}",
    }


def visit(client: Any, address: str) -> float:
    start = time.perf_counter()
    response = client.get(address)
    elapsed = time.perf_counter() - start
    assert response.status_code == 200, (address, response.status_code)
    return 1000 * elapsed


def count_queries(client: Any, address: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries)


def run(small: Path, large: Path) -> dict[str, Any]:
    """The two projects take turns, so that a noisy moment of the machine hits both."""
    from django.db import connection
    from django.test import Client

    prepare("small", small)
    user = prepare("large", large)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    times: dict[str, dict[str, list[float]]] = {}
    queries: dict[str, dict[str, int]] = {}
    for round_ in range(WARM_UP + ROUNDS):
        for slug in ("small", "large"):
            for page, address in addresses(slug, round_).items():
                elapsed = visit(client, address)
                if round_ >= WARM_UP:
                    times.setdefault(page, {}).setdefault(slug, []).append(elapsed)
                if round_ == WARM_UP:
                    queries.setdefault(page, {})[slug] = count_queries(client, address)
    return {
        page: {
            slug: {
                "p95_ms": statistics.quantiles(values, n=20)[-1],
                "queries": queries[page][slug],
            }
            for slug, values in sizes.items()
        }
        for page, sizes in times.items()
    }


def main(small: str, large: str) -> None:
    set_up_django()
    print(json.dumps(run(Path(small), Path(large))))


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
