"""`python -m scoring coverage`: how often 95 % intervals hold the truth, and tests reject it."""

from __future__ import annotations

import argparse
import json
from typing import Any

from scoring.cli.progress import ProgressLine
from scoring.coverage import KINDS, simulate_studies
from scoring.coverage.simulate import STUDIES, choose_kinds
from scoring.errors import InputError
from scoring.measured_coverage import COVERED, FILE, NO, REJECTED, read_measured

NAME = "coverage"
HELP = "Simulate studies to count how often intervals cover the truth."
HEAD = ("kind", "variant", "printed by", "share", "expected", "as expected")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--studies", type=int, default=STUDIES, help="studies to simulate per kind")
    parser.add_argument("--kind", nargs="+", default=[], help="prefixes of kinds; all by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", action="store_true", help="save the result for reports and pages")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    kinds = choose_kinds(KINDS, arguments.kind)
    with ProgressLine("Simulating studies") as line:
        rows = simulate_studies(kinds, arguments.studies, seed=arguments.seed, tell=line)
    found: dict[str, Any] = {
        "studies": arguments.studies,
        "seed": arguments.seed,
        "rows": [row.to_json() for row in rows],
    }
    if arguments.save:
        save(found)
    return found


def save(found: dict[str, Any]) -> None:
    """These kinds in place of what the file has of them, in the order of the table of kinds."""
    old = read_measured() if FILE.exists() else found
    if (old["studies"], old["seed"]) != (found["studies"], found["seed"]):
        raise InputError(
            f"The file has {old['studies']:,} studies, seed {old['seed']}. Simulate the same."
        )
    names = [kind.name for kind in KINDS]
    new = {row["kind"] for row in found["rows"]}
    kept = [row for row in old["rows"] if row["kind"] in names and row["kind"] not in new]
    rows = sorted(kept + found["rows"], key=lambda row: names.index(row["kind"]))
    text = json.dumps(found | {"rows": rows}, ensure_ascii=False, indent=1)
    FILE.write_text(f"{text}\n", encoding="utf-8")
    read_measured.cache_clear()


def show(found: dict[str, Any]) -> str:
    """A table in Markdown, as the documents hold it."""
    lines = [_line(HEAD), _line(["---"] * len(HEAD))]
    for row in found["rows"]:
        low, high = REJECTED if row["is_test"] else COVERED
        share = f"{row['share']:.1%} ± {row['error']:.1%}"
        wanted = f"{low:.0%} to {high:.0%}"
        verdict = f"**{row['verdict']}**" if row["verdict"] == NO else row["verdict"]
        lines.append(_line([row["kind"], row["variant"], row["printed"], share, wanted, verdict]))
    return "\n".join(lines)


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
