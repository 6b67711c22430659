"""`python -m tests.benchmarks [NAME …]`: run the benchmarks, or the named ones, and judge them."""

from __future__ import annotations

import sys
from importlib import import_module

from tests.benchmarks.report import Figure, show

# The module of each, and what it is told. They are loaded late: some need libraries that take
# seconds.
BENCHMARKS: dict[str, tuple[str, ...]] = {
    "starts": ("starts",),
    "sentences": ("text",),
    "linting": ("linting",),
    "import-sqlite": ("imports", "sqlite"),
    "import-postgresql": ("imports", "postgresql"),
    "pages-sqlite": ("pages", "sqlite"),
    "pages-postgresql": ("pages", "postgresql"),
    "study-pages-sqlite": ("study_pages", "sqlite"),
    "study-pages-postgresql": ("study_pages", "postgresql"),
    "what-if": ("moves",),
    "slow-clients": ("slow_clients",),
    "studio-sqlite": ("studio", "sqlite"),
    "studio-postgresql": ("studio", "postgresql"),
    "marketplace": ("marketplace",),
    "metric-job": ("metric_job",),
    "noise": ("noise",),
    "aggregating": ("aggregating",),
    "metaeval": ("metaeval",),
    "bertscore": ("bertscore",),
    "movers": ("movers",),
    "reference-free": ("reference_free",),
    "embedded": ("embedded",),
    "estimating": ("estimating",),
    "extracting": ("extracting",),
    "judging": ("judging",),
    "text-scores": ("text_scores",),
    "sharing": ("sharing",),
    "rouge": ("rouge",),
    "asking": ("asking",),
}


def measure(name: str) -> list[Figure]:
    module, *told = BENCHMARKS[name]
    measured: list[Figure] = import_module(f"tests.benchmarks.{module}").measure(*told)
    return measured


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(BENCHMARKS))
    if unknown:
        print(f"No benchmark is called {unknown[0]}. Known: {', '.join(BENCHMARKS)}.")
        return 2
    figures = []
    for name in names or BENCHMARKS:
        print(f"== {name}", flush=True)
        figures += show(measure(name))
    missed = [figure for figure in figures if not figure.is_met]
    print(f"{len(figures)} figures, {len(missed)} missed.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
