"""`python -m scoring pyramid --units SCUs.txt --labels DIR`: scores by system, compared."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.labels import read_labels
from scoring.io.studies import read_units
from scoring.pyramid import METHODS, LabelledUnits, ScoreTable, label_units, score_summaries
from scoring.significance import SAMPLES, compare_systems, mean_intervals

NAME = "pyramid"
HELP = "Compute Pyramid scores of summaries and systems from presence labels."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--units", type=Path, required=True, help="units with their weights")
    parser.add_argument("--labels", type=Path, required=True, help="folder of <system>.label files")
    parser.add_argument(
        "--ids", type=Path, help="document ids, one per line; by default ids.txt next to the units"
    )
    parser.add_argument("--method", choices=tuple(METHODS), default="exhaustive")
    parser.add_argument("--sample", type=int, metavar="K", help="units per document, for lite")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--samples",
        type=int,
        help="resamples; by default enough for the number of pairs",
    )
    parser.add_argument("--summaries", action="store_true", help="print the score of every summary")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.samples is not None and arguments.samples < 1:
        raise InputError("--samples must be 1 or more.")
    units = load_units(arguments.units, arguments.labels, arguments.ids)
    table = score_summaries(
        units, method=arguments.method, sample=arguments.sample, seed=arguments.seed
    )
    found = describe(table, arguments.samples, arguments.seed)
    if arguments.summaries:
        found["summaries"] = {
            system: dict(zip(table.documents, row.tolist(), strict=True))
            for system, row in zip(table.systems, table.scores, strict=True)
        }
    return found


def load_units(units: Path, labels: Path, ids: Path | None = None) -> LabelledUnits:
    """Units and labels from files; the first problem that they hold is raised."""
    problems = ProblemList()
    weights = {
        document: [unit.weight for unit in found]
        for document, found in read_units(units, ids, problems).items()
    }
    rows = read_labels(labels, list(weights), problems)
    problems.raise_first()
    return label_units(weights, rows)


def describe(table: ScoreTable, samples: int | None, seed: int) -> dict[str, Any]:
    """What is printed, as plain values; the best system first."""
    intervals = mean_intervals(table, samples=samples or SAMPLES, seed=seed).tolist()
    rows = zip(
        table.systems, table.means().tolist(), table.ranks().tolist(), intervals, strict=True
    )
    systems = [
        {"system": name, "score": mean, "low": low, "high": high, "rank": rank}
        for name, mean, rank, (low, high) in rows
    ]
    return {
        "documents": len(table.documents),
        "systems": sorted(systems, key=lambda row: row["rank"] or len(systems) + 1),
        "comparisons": [
            asdict(pair) for pair in compare_systems(table, samples=samples, seed=seed)
        ],
        "signature": table.signature,
    }


def show(found: dict[str, Any]) -> str:
    lines = [
        "{rank:>3}  {score:.4f}  [{low:.4f}, {high:.4f}]  {system}".format(**row)
        for row in found["systems"]
    ]
    pairs = found["comparisons"]
    decided = sum(pair["p_permutation_holm"] <= 0.05 for pair in pairs)
    told = f"{decided} of {len(pairs)} pairs differ (permutation test, Holm, p ≤ 0.05)"
    return "\n".join([*lines, told, found["signature"]])
