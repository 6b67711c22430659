"""`python -m scoring power ANSWERS --difference .05 --examples 100 --annotators 3`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scoring.cli.progress import ProgressLine
from scoring.estimation.power import LEVEL, ROUNDS, Pilot
from scoring.io.answers import load_answers

NAME = "power"
HELP = "Compute the chance to detect differences, by examples and annotators."
HEAD = f"{'difference':>10}{'examples':>10}{'annotators':>12}{'power':>8}  middle 95 % of pairs"
ROW = "{difference:>10g}{examples:>10,}{annotators:>12,}{power:>8.3f}  {low:.3f} to {high:.3f}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "answers", type=Path, help="the pilot: CSV or JSONL of answers, or a folder of batches"
    )
    parser.add_argument(
        "--difference", type=float, nargs="+", required=True, help="difference of scores to detect"
    )
    parser.add_argument("--examples", type=int, nargs="+", required=True)
    parser.add_argument(
        "--annotators", type=int, nargs="+", required=True, help="annotators per summary"
    )
    parser.add_argument("--systems", nargs="+", default=[], help="to compare; all pairs by default")
    parser.add_argument("--level", type=float, default=LEVEL, help="significance level of the test")
    parser.add_argument(
        "--comparisons",
        type=int,
        default=1,
        help="number of tests that share the level, as with Holm",
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    pilot = Pilot(
        load_answers(arguments.answers),
        systems=arguments.systems,
        rounds=arguments.rounds,
        seed=arguments.seed,
    )
    asked = [
        (difference, examples, annotators)
        for difference in arguments.difference
        for annotators in arguments.annotators
        for examples in arguments.examples
    ]
    rows = []
    with ProgressLine("Drawing studies") as line:
        for difference, examples, annotators in asked:
            found = pilot.power(
                difference,
                examples=examples,
                annotators=annotators,
                level=arguments.level,
                comparisons=arguments.comparisons,
            )
            rows.append(found.to_json())
            line(len(rows), len(asked))
    return {
        "documents": len(pilot.documents),
        "pairs": rows[0]["pairs"],
        "rows": rows,
        "data": pilot.answers.content_hash(),
    }


def show(found: dict[str, Any]) -> str:
    pilot = (
        f"From a pilot of {found['documents']:,} documents, over {found['pairs']:,} pairs of "
        "systems; paired t-test over documents."
    )
    lines = [HEAD, *(ROW.format(**row) for row in found["rows"]), pilot]
    if made_up := max(row["made_up"] for row in found["rows"]):
        lines.append(
            f"Up to {made_up:.1f} annotators per summary are not in the pilot and were simulated."
        )
    return "\n".join(lines)
