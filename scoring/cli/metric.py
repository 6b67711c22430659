"""`python -m scoring metric NAME --data DIR`: scores of summaries by a metric."""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from scoring.errors import InputError
from scoring.io.texts import SummaryTexts, read_text_files, read_texts
from scoring.metrics import Metric, MetricTable, load_metric
from scoring.metrics.learned import count_scored
from scoring.metrics.protocol import Floats

NAME = "metric"
HELP = "Score one system's summaries, or a whole study, by a metric."
HEADER = ("doc_id", "system", "metric", "score")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", metavar="NAME", help="a metric, as `metrics` lists them")
    parser.add_argument(
        "--data", type=Path, help="a study: references.txt, summaries/<system>.summary, …"
    )
    parser.add_argument("--summaries", type=Path, help="one system's summaries, one per line")
    parser.add_argument(
        "--references", type=Path, action="append", default=[], help="one per line; may be repeated"
    )
    parser.add_argument(
        "--documents", type=Path, action="append", default=[], help="sources, one per line"
    )
    parser.add_argument(
        "--ids", type=Path, help="ids, one per line; by default ids.txt next to the summaries"
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="may be repeated"
    )
    parser.add_argument(
        "--csv", type=Path, help="write every score to this file: " + ",".join(HEADER)
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    metric = load_metric(arguments.metric, read_options(arguments.option))
    texts = _read(arguments)
    table = metric.score(texts.summaries, texts.references, texts.sources)
    if arguments.csv:
        write_scores(arguments.csv, texts, table)
    return {
        "metric": metric.name,
        "signature": metric.signature,
        "summaries": len(texts.summaries),
        "lower_is_better": sorted(metric.lower),
        "learned": describe_learned(metric, texts.summaries),
        "systems": _means(texts, table),
    }


def describe_learned(metric: Metric, summaries: Sequence[str]) -> dict[str, Any] | None:
    """How many of the summaries a metric was trained on; None of one that isn't trained."""
    met = count_scored(metric, summaries)
    return None if met is None else {**asdict(met), "words": met.words}


def say_in_sample(name: str, learned: dict[str, Any] | None) -> list[str]:
    """A line if the metric was trained on what it scored."""
    if not learned or not learned["summaries"]:
        return []
    words = f"in-sample: {name} was trained on {learned['words']}"
    return [f"{words}; its figures are better than they would be on new texts"]


def read_options(given: list[str]) -> dict[str, str]:
    found = {}
    for text in given:
        key, mark, value = text.partition("=")
        if not mark:
            raise InputError(f"--option {text} is not an option. Expected KEY=VALUE.")
        found[key] = value
    return found


def _read(arguments: argparse.Namespace) -> SummaryTexts:
    if (arguments.data is None) == (arguments.summaries is None):
        raise InputError("Give either --data or --summaries.")
    if arguments.data is not None:
        return read_texts(arguments.data)
    return read_text_files(
        arguments.summaries, arguments.references, arguments.documents, arguments.ids
    )


def _means(texts: SummaryTexts, table: MetricTable) -> dict[str, dict[str, float]]:
    """By system, over the summaries that have a score."""
    systems = np.array(texts.systems)
    rows = {name: table.values[systems == name] for name in dict.fromkeys(texts.systems)}
    return {
        name: dict(zip(table.columns, map(_mean, values.T), strict=True))
        for name, values in rows.items()
    }


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def write_scores(path: Path, texts: SummaryTexts, table: MetricTable) -> None:
    """A line for each number, as it is; empty where a summary has none."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEADER)
        rows = zip(texts.documents, texts.systems, table.values.tolist(), strict=True)
        for document, system, values in rows:
            for column, value in zip(table.columns, values, strict=True):
                out.writerow((document, system, column, "" if value != value else repr(value)))


def show(found: dict[str, Any]) -> str:
    systems = found["systems"]
    columns = list(next(iter(systems.values())))
    width = max(map(len, systems))
    widths = [max(len(column), 8) for column in columns]
    titles = "  ".join(f"{name:>{size}}" for name, size in zip(columns, widths, strict=True))
    lines = [f"{'':{width}}  {titles}"]
    for system, means in systems.items():
        cells = (f"{means[name]:>{size}.4f}" for name, size in zip(columns, widths, strict=True))
        lines.append(f"{system:<{width}}  " + "  ".join(cells))
    return "\n".join(
        [*lines, *say_in_sample(found["metric"], found["learned"]), found["signature"]]
    )
