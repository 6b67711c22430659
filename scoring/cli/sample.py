"""`python -m scoring sample --scores FILE`: documents to annotate, chosen by difficulty."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scoring.errors import InputError
from scoring.inclusion import AUTO, METHODS
from scoring.io.errors import ProblemList
from scoring.io.score_files import ScoreRow, read_scores
from scoring.pyramid import ScoreTable
from scoring.sampling import (
    BINS,
    DRAWS,
    PER_BIN,
    Sample,
    build_population,
    compare_distributions,
    draw_sample,
)

NAME = "sample"
HELP = "Draw documents to annotate from equal bins of difficulty."
HEADER = ("doc_id", "is_drawn", "metric", "bin", "chance")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scores", type=Path, required=True, help="CSV: doc_id, system, metric, score"
    )
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME",
        help="draw by this metric; may be repeated, in the order of drawing; default: all",
    )
    parser.add_argument(
        "--lower",
        action="append",
        default=[],
        metavar="NAME",
        help="lower is better by this metric",
    )
    parser.add_argument("--bins", type=int, default=BINS)
    parser.add_argument("--per-bin", type=int, default=PER_BIN, help="documents per bin")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--chances", choices=METHODS, default=AUTO, help="how chances are computed")
    parser.add_argument("--draws", type=int, default=DRAWS, help="simulated draws, for chances")
    parser.add_argument(
        "--csv", type=Path, help="write every document to this file: " + ",".join(HEADER)
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    tables = read_tables(arguments.scores, arguments.metric)
    if unknown := [name for name in arguments.lower if name not in tables]:
        raise InputError(f"There are no scores of '{unknown[0]}'. Known: {', '.join(tables)}.")
    sample = draw_sample(
        build_population(tables, arguments.lower),
        bins=arguments.bins,
        per_bin=arguments.per_bin,
        seed=arguments.seed,
        chances=arguments.chances,
        draws=arguments.draws,
    )
    if arguments.csv:
        write_sample(arguments.csv, sample)
    return describe(sample)


def read_tables(path: Path, metrics: Sequence[str] = ()) -> dict[str, ScoreTable]:
    """Systems × documents of each metric, in the order of *metrics* or of the file."""
    problems = ProblemList()
    rows = [row for row in read_scores(path, problems) if not metrics or row.metric in metrics]
    problems.raise_first()
    known = list(dict.fromkeys(row.metric for row in rows))
    if missing := [name for name in metrics if name not in known]:
        raise InputError(f"{path.name} has no scores of '{missing[0]}'.")
    return {name: _table([row for row in rows if row.metric == name]) for name in metrics or known}


def _table(rows: Sequence[ScoreRow]) -> ScoreTable:
    systems = list(dict.fromkeys(row.system for row in rows))
    documents = list(dict.fromkeys(row.document for row in rows))
    lines = {name: place for place, name in enumerate(systems)}
    columns = {name: place for place, name in enumerate(documents)}
    found = np.full((len(systems), len(documents)), np.nan)
    for row in rows:
        found[lines[row.system], columns[row.document]] = row.score
    return ScoreTable(tuple(systems), tuple(documents), found, "")


def describe(sample: Sample) -> dict[str, Any]:
    population, told = sample.population, sample.chances
    chances = sample.probabilities()
    chosen = np.isin(population.documents, sample.documents)
    return {
        "documents": [
            {"doc_id": row.document, "metric": row.metric, "bin": row.bin}
            | {"chance": chances[row.document]}
            for row in sample.drawn
        ],
        "population": len(population.documents),
        "left_out": list(population.left_out),
        "missing": sample.missing,
        "clashes": [
            {"doc_id": row.document, "metric": row.metric, "bin": row.bin, "first": row.first}
            for row in sample.clashes
        ],
        "chances": {"method": told.method, "draws": told.draws, "error": told.error},
        "metrics": [
            {"metric": row.metric, "population": row.population}
            | {"sample": row.sample, "gap": row.gap}
            for row in (
                compare_distributions(means, chosen, metric)
                for metric, means in zip(population.metrics, population.means, strict=True)
            )
        ],
        "signature": sample.signature,
    }


def write_sample(path: Path, sample: Sample) -> None:
    """Every document of the population with its chance; metric and bin of those drawn."""
    drawn = {row.document: row for row in sample.drawn}
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEADER)
        for document, chance in sample.probabilities().items():
            row = drawn.get(document)
            told = (1, row.metric, row.bin) if row else (0, "", "")
            out.writerow((document, *told, repr(chance)))


def show(found: dict[str, Any]) -> str:
    told, width = found["chances"], max(len(row["metric"]) for row in found["metrics"])
    lines = [f"{row['doc_id']}\t{row['metric']}\tbin {row['bin']}" for row in found["documents"]]
    lines += ["", f"{'':{width}}  population    sample  largest gap"]
    lines += [
        f"{row['metric']:<{width}}  {row['population']:>10.4f}{row['sample']:>10.4f}"
        f"{row['gap']:>13.3f}"
        for row in found["metrics"]
    ]
    lines.append(
        f"{len(found['documents']):,} of {found['population']:,} documents; "
        f"{len(found['clashes']):,} clashes; {len(found['left_out']):,} left out"
        + (f"; {found['missing']:,} fewer than requested" if found["missing"] else "")
    )
    lines.append(f"chances: {told['method']}, standard error at most {told['error']:.2g}")
    return "\n".join([*lines, found["signature"]])
