"""`python -m scoring disagreement --data DIR --first M.COLUMN --second M.COLUMN`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.io.texts import SummaryTexts, read_texts, take_texts
from scoring.metrics import load_metric
from scoring.metrics.disagreement import count_disagreements, lay_out
from scoring.metrics.protocol import Floats

NAME = "disagreement"
HELP = "Count documents on which two metrics prefer different systems."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a study of line files")
    parser.add_argument("--first", default="sem_ncg.ncg3", help="a metric and its column, M.COLUMN")
    parser.add_argument(
        "--second", default="rouge.rougeL_f1", help="the second metric and its column"
    )
    parser.add_argument("--systems", default="*", help="only systems that match; * is a wildcard")
    parser.add_argument(
        "--most", type=int, default=0, help="limit the number of documents; 0: no limit"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    texts = take_texts(read_texts(arguments.data), arguments.systems, arguments.most)
    scored = [_score(name, texts) for name in (arguments.first, arguments.second)]
    tables = [lay_out(texts.documents, texts.systems, values) for _, values in scored]
    systems = tables[0][0]
    found = count_disagreements(systems, tables[0][1], tables[1][1])
    return {
        "first": arguments.first,
        "second": arguments.second,
        "signatures": [signature for signature, _ in scored],
        "pairs": [asdict(one) for one in found],
    }


def _score(named: str, texts: SummaryTexts) -> tuple[str, Floats]:
    """Signature and scores, turned so that more is better."""
    name, _, column = named.partition(".")
    metric = load_metric(name)
    if column not in metric.columns:
        raise InputError(
            f"{name} has no column '{column}'. Give {name}.COLUMN with one of "
            f"{', '.join(metric.columns)}."
        )
    table = metric.score(texts.summaries, texts.references, texts.sources)
    values = table.values[:, metric.columns.index(column)]
    return metric.signature, -values if column in metric.lower else values


def show(found: dict[str, Any]) -> str:
    width = max((len(f"{row['first']} {row['second']}") for row in found["pairs"]), default=0) + 5
    lines = [f"{'':<{width}}{'disagree':>10}{'agree':>8}{'tied':>8}"]
    lines += [
        f"{row['first'] + ' and ' + row['second']:<{width}}"
        f"{row['disagree']:>10,}{row['agree']:>8,}{row['tied']:>8,}"
        for row in found["pairs"]
    ]
    return "\n".join([*lines, *found["signatures"]])
