"""`python -m scoring correlations --data DIR`: how far every metric goes with people, in one table.

DIR is a study in line files with people's labels: documents, references, summaries, SCUs and
labels. A metric is named as `name` or `name:option=value,option=value`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from scoring.cli.metric import describe_learned, say_in_sample
from scoring.cli.progress import ProgressLine
from scoring.cli.pyramid import load_units
from scoring.errors import InputError
from scoring.io.texts import SummaryTexts, read_texts
from scoring.measured_coverage import say_departures
from scoring.metaeval.bootstrap import Interval, bootstrap
from scoring.metaeval.draws import BY_BOTH, Resampling
from scoring.metaeval.levels import SUMMARY, SYSTEM
from scoring.metaeval.rows import MEASURES
from scoring.metaeval.study import Floats, Study
from scoring.metrics import METRICS, Metric, load_metric
from scoring.pyramid import score_summaries

NAME = "correlations"
HELP = "Score a labelled study by every metric, and correlate with human scores."
PEOPLE = "people"
LACKS = "it needs models that are named by its options"
LEVELS = (SYSTEM, SUMMARY)
# Documents that are scored at a time: encoders keep what they have read of them.
AT_ONCE = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="folder of a labelled study")
    parser.add_argument(
        "--metrics", nargs="+", default=[], metavar="NAME[:KEY=VALUE,…]", help="all by default"
    )
    parser.add_argument("--measure", choices=MEASURES, default="pearson")
    parser.add_argument(
        "--resamples", type=int, default=400, help="resamples of systems and documents"
    )
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    chosen, left_out = choose_metrics(arguments.metrics)
    texts = read_texts(arguments.data)
    people = score_summaries(load_units(arguments.data / "SCUs.txt", arguments.data / "labels"))
    systems, documents = tuple(people.systems), tuple(people.documents)
    with ProgressLine("Scoring") as tell:
        tables = score_study(chosen, texts, systems, documents, tell)
    study = Study(systems, documents, {}, PEOPLE, tables | {PEOPLE: people.scores})
    resampling = Resampling(BY_BOTH, arguments.resamples, arguments.seed)
    rows = list_correlations(study, arguments.measure, resampling)
    return {
        "data": arguments.data.name,
        "measure": arguments.measure,
        "systems": len(systems),
        "documents": len(documents),
        "signatures": {name: metric.signature for name, metric in chosen.items()},
        "left_out": left_out,
        "learned": {
            name: learned
            for name, metric in chosen.items()
            if (learned := describe_learned(metric, texts.summaries))
        },
        "metrics": rows,
    }


def choose_metrics(given: Sequence[str]) -> tuple[dict[str, Metric], dict[str, str]]:
    """By the name that was given. Of all, those that run as they are; why not, of the others."""
    if given:
        return dict(map(_named, given)), {}
    left_out = {name: LACKS for name, entry in METRICS.items() if entry.needs_models}
    return {name: load_metric(name) for name in METRICS if name not in left_out}, left_out


def _named(text: str) -> tuple[str, Metric]:
    name, _, rest = text.partition(":")
    pairs = [part.partition("=") for part in rest.split(",") if part]
    for key, mark, _value in pairs:
        if not mark:
            raise InputError(f"{text}: '{key}' is not an option. Expected KEY=VALUE.")
    return text, load_metric(name, {key: value for key, _mark, value in pairs})


def score_study(
    metrics: Mapping[str, Metric],
    texts: SummaryTexts,
    systems: Sequence[str],
    documents: Sequence[str],
    tell: ProgressLine,
) -> dict[str, Floats]:
    """Each column of each metric as systems × documents; turned, where less is better."""
    places = {name: row for row, name in enumerate(systems)}
    columns = {name: column for column, name in enumerate(documents)}
    shape = (len(places), len(columns))
    found: dict[str, Floats] = {}
    for done, rows in _parts(texts, columns):
        summaries = [texts.summaries[row] for row in rows]
        references, sources = (
            [side[row] for row in rows] for side in (texts.references, texts.sources)
        )
        where = np.array([(places[texts.systems[r]], columns[texts.documents[r]]) for r in rows])
        for name, metric in metrics.items():
            table = metric.score(summaries, references, sources)
            for column, values in zip(table.columns, table.values.T, strict=True):
                kept = found.setdefault(f"{name} {column}", np.full(shape, np.nan))
                kept[where[:, 0], where[:, 1]] = -values if column in metric.lower else values
        tell(done, len(columns))
    return found


def _parts(texts: SummaryTexts, columns: Mapping[str, int]) -> Iterator[tuple[int, list[int]]]:
    """Rows of a few documents at a time, with how many documents are done after them."""
    names = list(columns)
    for start in range(0, len(names), AT_ONCE):
        part = set(names[start : start + AT_ONCE])
        rows = [row for row, document in enumerate(texts.documents) if document in part]
        yield min(start + AT_ONCE, len(names)), rows


def list_correlations(study: Study, measure: str, resampling: Resampling) -> list[dict[str, Any]]:
    """A row for each column of a metric: the figure and its interval at both levels."""
    levels = {
        level: bootstrap(study, level=level, measures=(measure,), resampling=resampling)
        for level in LEVELS
    }
    return [
        {"metric": metric} | {level: _told(rows[place]) for level, rows in levels.items()}
        for place, metric in enumerate(study.metrics)
    ]


def _told(row: Interval) -> dict[str, float]:
    return {"value": row.value, "low": row.low, "high": row.high}


def show(found: dict[str, Any]) -> str:
    head = f"{found['data']}: {found['systems']} systems, {found['documents']} documents"
    lines = [
        f"{head}; {found['measure']} with human scores, 95 % intervals over systems and documents"
    ]
    lines.append(f"{'':<44}{'system level':<26}summary level")
    for row in found["metrics"]:
        cells = "".join(f"{_cell(row[level]):<26}" for level in LEVELS)
        lines.append(f"{row['metric']:<44}{cells}".rstrip())
    lines += filter(None, map(_say_departures, LEVELS, repeat(found["measure"])))
    for name, learned in found["learned"].items():
        lines += say_in_sample(name, learned)
    lines += [f"{name} was left out: {why}" for name, why in found["left_out"].items()]
    return "\n".join(lines)


def _say_departures(level: str, measure: str) -> str:
    return say_departures(f"{level} level, both resampled", f"{measure}, percentile")


def _cell(told: Mapping[str, float]) -> str:
    return "{value:+.3f} ({low:+.3f} to {high:+.3f})".format(**told)
