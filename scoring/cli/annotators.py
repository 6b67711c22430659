"""`python -m scoring annotators ANSWERS`: annotators as a random factor, from raw answers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.io.answers import load_answers
from scoring.io.score_files import load_study
from scoring.measured_coverage import say_departures
from scoring.metaeval.annotators import bootstrap_correlations, describe_annotators, plain
from scoring.metaeval.draws import BY_BOTH, COVERAGE, RESAMPLES, Resampling
from scoring.metaeval.raw_judgements import read_judgements
from scoring.metaeval.rows import MEASURES

NAME = "annotators"
HELP = "Estimate how much annotators vary, and intervals that allow for it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "answers", type=Path, help="CSV or JSONL of answers, or a folder of batches"
    )
    parser.add_argument(
        "--scores",
        type=Path,
        nargs="+",
        default=[],
        help="scores of metrics (CSV or JSONL); adds intervals of their correlations",
    )
    parser.add_argument("--human", help="name of the human scores in --scores")
    parser.add_argument("--measure", choices=MEASURES, default="kendall")
    parser.add_argument("--resamples", type=int, default=RESAMPLES)
    parser.add_argument("--coverage", type=float, default=COVERAGE)
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.resamples < 1:
        raise InputError("--resamples must be 1 or more.")
    if arguments.scores and not arguments.human:
        raise InputError("--scores needs --human, the name of the human scores.")
    resampling = Resampling(BY_BOTH, arguments.resamples, arguments.seed, arguments.coverage)
    judgements = read_judgements(load_answers(arguments.answers))
    found = describe_annotators(judgements, resampling)
    if arguments.scores:
        study = load_study(arguments.scores, human=arguments.human)
        rows = bootstrap_correlations(
            study, judgements, measure=arguments.measure, resampling=resampling
        )
        found |= {"measure": arguments.measure, "correlations": [plain(row) for row in rows]}
    return found


def show(found: dict[str, Any]) -> str:
    return "\n".join(_lines(found))


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{found['judgements']:,} judgements of {found['annotators']:,} annotators; "
        f"{found['resamples']:,} resamples, seed {found['seed']}"
    )
    yield ""
    if found["components"]:
        yield f"{'variance of':<14}{'levels':>8}{'variance':>12}{'share':>9}"
    for row in found["components"]:
        yield (
            f"{row['factor']:<14}{row['levels']:>8,}{row['variance']:>12.5f}{row['share']:>9.1%}"
        )
    for name, reason in found["left_out"].items():
        yield f"{name}: no component, {reason}"
    yield _say_overstatement(found)
    yield ""
    yield from _bounds_lines(found["systems"], "system mean, by what was resampled")
    yield say_departures("mean score where annotators differ")
    if "correlations" in found:
        yield ""
        yield from _bounds_lines(found["correlations"], f"{found['measure']}, system level")


def _say_overstatement(found: dict[str, Any]) -> str:
    if found["reason"]:
        return f"The effect of ignoring annotators can't be estimated: {found['reason']}."
    word = "Warning" if found["is_overstated"] else "Small effect"
    return (
        f"{word}: standard errors of differences between systems are {found['ratio']:.2f} times "
        f"as large with annotators as without. A test at 5 % that ignores them rejects "
        f"{found['false_positives']:.1%} of true nulls."
    )


def _bounds_lines(rows: list[dict[str, Any]], title: str) -> Iterator[str]:
    methods = list(dict.fromkeys(tuple(row["drawn"]) for row in rows))
    names = list(dict.fromkeys(row["name"] for row in rows))
    known = {(row["name"], tuple(row["drawn"])): row for row in rows}
    heads = "".join(f"{' + '.join(drawn):>36}" for drawn in methods)
    yield f"{title:<40}{'value':>8}{heads}"
    for name in names:
        cells = [known[name, drawn] for drawn in methods]
        intervals = "".join(f"{_between(row):>36}" for row in cells)
        yield f"{name:<40}{_figure(cells[0]['value']):>8}{intervals}"


def _between(row: dict[str, Any]) -> str:
    return f"{_figure(row['low'])} to {_figure(row['high'])}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
