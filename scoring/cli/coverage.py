"""`python -m scoring coverage`: how often 95 % intervals hold the truth, and tests reject it."""

from __future__ import annotations

import argparse
from typing import Any

from scoring.cli.progress import ProgressLine
from scoring.coverage import KINDS, simulate_studies
from scoring.coverage.simulate import COVERED, REJECTED, STUDIES, choose_kinds

NAME = "coverage"
HELP = "Simulate studies with known truth: how often intervals hold it and tests reject it."
HEAD = ("kind", "variant", "printed by", "share", "wanted", "as wanted")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--studies", type=int, default=STUDIES, help="to simulate, for each kind")
    parser.add_argument("--kind", nargs="+", default=[], help="beginnings of kinds' names; all")
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    kinds = choose_kinds(KINDS, arguments.kind)
    with ProgressLine("Simulating studies") as line:
        rows = simulate_studies(kinds, arguments.studies, seed=arguments.seed, tell=line)
    return {
        "studies": arguments.studies,
        "seed": arguments.seed,
        "rows": [row.to_json() for row in rows],
    }


def show(found: dict[str, Any]) -> str:
    """A table in Markdown, as the documents hold it."""
    lines = [_line(HEAD), _line(["---"] * len(HEAD))]
    for row in found["rows"]:
        low, high = REJECTED if row["is_test"] else COVERED
        share = f"{row['share']:.1%} ± {row['error']:.1%}"
        wanted = f"{low:.0%} to {high:.0%}"
        verdict = "yes" if row["is_held"] else "**no**"
        lines.append(_line([row["kind"], row["variant"], row["printed"], share, wanted, verdict]))
    return "\n".join(lines)


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
