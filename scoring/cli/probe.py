"""`python -m scoring probe JUDGE`: what a judge can read, by category.

Each probe is a text with a statement that it makes and a false twin of the statement. The table
says how many of the true ones the judge finds, and how many of the false ones it rejects.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from scoring.judge.catalogue import JudgeOptions, load_judge
from scoring.judge.probes import ADVICE, ProbeReport, probe_judge

NAME = "probe"
HELP = "Test what a judge can read: negation, roles, numbers and more."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("judge", help="a judge, as for `score`")
    parser.add_argument("--function", default="", help="default: the judge's default")
    parser.add_argument("--threads", type=int, default=0, help="0: the library decides")
    parser.add_argument("--out", type=Path, help="also write the figures to a file")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    judge = load_judge(arguments.judge, JudgeOptions(threads=arguments.threads))
    found = probe_judge(judge, arguments.function).to_json()
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


ROW = "  {category:<16} {pairs:>5} {true:>11} {false:>15} {ordered:>20}"


def show(found: dict[str, Any]) -> str:
    report = ProbeReport.from_json(found)
    head = {"category": "", "pairs": "pairs", "true": "true found", "false": "false rejected"}
    lines = [
        f"{report.judge} ({report.function}): {report.total.pairs} pairs",
        ROW.format(**head, ordered="true above false"),
    ]
    lines += [
        ROW.format(
            category=row.category,
            pairs=row.pairs,
            true=f"{row.true_found:.0%}",
            false=f"{row.false_rejected:.0%}",
            ordered=f"{row.ordered:.0%}",
        )
        for row in (*report.categories, report.total)
    ]
    return "\n".join(lines if report.reads else [*lines, ADVICE])
