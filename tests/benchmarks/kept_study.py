"""Some pages of the studied projects, again and again, while somebody works on them.

`python -m tests.benchmarks.kept_study [PAGE …]` measures the named pages of `page_list.PAGES`, or
all of them. The first run writes both projects into `build/bench/study`, which takes many minutes;
later ones bring that database up to date and only visit pages. Remove the folder to start again.
ROUNDS=5 visits each page five times instead of twelve.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from typing import Any

from tests import servers
from tests.benchmarks.database import BENCH_DIR, set_up_django
from tests.benchmarks.generated import write_corpus
from tests.benchmarks.page_list import PAGES
from tests.benchmarks.pages import SMALL, count_queries
from tests.benchmarks.study_pages import Visits, addresses, counted_rows, prepare_projects, visit

KEPT = BENCH_DIR / "study"
WARM_UP = 2


def build() -> None:
    """The two projects, and the ids that the addresses of their pages need."""
    small = write_corpus(BENCH_DIR / "small", examples=SMALL)
    _, ids = prepare_projects(small, write_corpus(BENCH_DIR))
    (KEPT / "ids.json").write_text(json.dumps(ids))


def measure(names: list[str]) -> None:
    from django.test import Client

    from annotation.corpora.accounts.models import User

    ids: dict[str, dict[str, Any]] = json.loads((KEPT / "ids.json").read_text())
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(email="bench@example.org"))
    rounds = int(os.environ.get("ROUNDS", "12"))
    print(f"{'page':34}{'ms':>9}{'cpu ms':>9}{'of 100':>9}{'ratio':>7}{'rows':>13}{'queries':>10}")
    for page in names or PAGES:
        sizes = {slug: Visits() for slug in ids}
        for round_ in range(WARM_UP + rounds):
            for slug, visits in sizes.items():
                address = addresses(slug, ids[slug], round_)[page]
                visit(client, address, visits if round_ >= WARM_UP else Visits())
                if round_ == WARM_UP:
                    with counted_rows(visits):
                        visits.queries = count_queries(client, address)
        _print(page, sizes["small"], sizes["large"])


def _print(page: str, few: Visits, many: Visits) -> None:
    """Medians: with few rounds, a p95 is the slowest of them."""
    before, after = statistics.median(few.cpu), statistics.median(many.cpu)
    figures = f"{statistics.median(many.wall):9.1f}{after:9.1f}{before:9.1f}{after / before:7.2f}"
    counts = f"{few.rows:>6} {many.rows:>6}{few.queries:>5} {many.queries:>4}"
    print(f"{page:34}{figures}{counts}", flush=True)


def main(names: list[str]) -> int:
    if unknown := sorted(set(names) - set(PAGES)):
        print(f"No page is called {unknown[0]}. Known: {', '.join(PAGES)}.")
        return 2
    is_built = (KEPT / "ids.json").exists()
    if not is_built:
        shutil.rmtree(KEPT, ignore_errors=True)
    environment = servers.clean_environment(
        SECRET_KEY=servers.SECRET_KEY, DATA_DIR=KEPT / "data", LOG_LEVEL="ERROR"
    )
    os.environ.clear()
    os.environ.update(environment)
    migrate = [sys.executable, "-m", "deploy.serve", "migrate"]
    subprocess.run(migrate, cwd=servers.ROOT, check=True, stdout=subprocess.DEVNULL)
    set_up_django()
    if not is_built:
        build()
    measure(names)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
