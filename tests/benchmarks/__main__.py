"""`python -m tests.benchmarks [NAME …]`: run the benchmarks, or the named ones, and judge them."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.benchmarks import (
    aggregating,
    bertscore,
    embedded,
    estimating,
    extracting,
    imports,
    judging,
    linting,
    marketplace,
    metaeval,
    metric_job,
    movers,
    noise,
    pages,
    reference_free,
    rouge,
    sharing,
    starts,
    studio,
    text,
)
from tests.benchmarks.report import Figure, show

BENCHMARKS: dict[str, Callable[[], list[Figure]]] = {
    "starts": starts.measure,
    "sentences": text.measure,
    "linting": linting.measure,
    "import-sqlite": lambda: imports.measure("sqlite"),
    "import-postgresql": lambda: imports.measure("postgresql"),
    "pages-sqlite": lambda: pages.measure("sqlite"),
    "pages-postgresql": lambda: pages.measure("postgresql"),
    "studio-sqlite": lambda: studio.measure("sqlite"),
    "studio-postgresql": lambda: studio.measure("postgresql"),
    "marketplace": marketplace.measure,
    "metric-job": metric_job.measure,
    "noise": noise.measure,
    "aggregating": aggregating.measure,
    "metaeval": metaeval.measure,
    "bertscore": bertscore.measure,
    "movers": movers.measure,
    "reference-free": reference_free.measure,
    "embedded": embedded.measure,
    "estimating": estimating.measure,
    "extracting": extracting.measure,
    "judging": judging.measure,
    "sharing": sharing.measure,
    "rouge": rouge.measure,
}


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(BENCHMARKS))
    if unknown:
        print(f"No benchmark is called {unknown[0]}. Known: {', '.join(BENCHMARKS)}.")
        return 2
    figures = []
    for name in names or BENCHMARKS:
        print(f"== {name}", flush=True)
        figures += show(BENCHMARKS[name]())
    missed = [figure for figure in figures if not figure.is_met]
    print(f"{len(figures)} figures, {len(missed)} missed.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
