"""`python -m scoring metaeval SCORES.csv --human NAME`: how far metrics go with people."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scoring.crossvalidation import ENDINGS
from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.score_files import load_study, read_kinds
from scoring.io.studies import read_lines
from scoring.measured_coverage import say_departures
from scoring.metaeval.clusters import PERMUTATIONS
from scoring.metaeval.draws import COVERAGE, RESAMPLES
from scoring.metaeval.examine import SECTIONS, Options, examine_kinds
from scoring.metaeval.levels import SKIP, UNDEFINED
from scoring.metaeval.rows import MEASURES
from scoring.metaeval.study import ALL, Study, choose_metrics, leave_out, merge_equal
from scoring.montecarlo import MOST_SWAPS

NAME = "metaeval"
HELP = "Compare metrics with human scores: correlations, intervals and tests."
FOLD_FILES = "*.id or *.sys"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scores",
        type=Path,
        nargs="+",
        help="CSV or JSONL: doc_id, system, metric, score; or SacreROUGE's JSONL",
    )
    parser.add_argument("--human", required=True, help="name of the human scores")
    parser.add_argument("--metrics", nargs="+", help="limit to these metrics")
    parser.add_argument(
        "--systems",
        nargs="+",
        help=f"{ALL}, or a kind such as extractive; by default {ALL} and each known kind",
    )
    parser.add_argument("--kinds", type=Path, help="CSV: system, kind")
    parser.add_argument(
        "--kinds-by-prefix", action="store_true", help="ext_… is extractive, abs_… abstractive"
    )
    parser.add_argument("--leave-out-systems", nargs="+", default=[], metavar="SYSTEM")
    parser.add_argument("--leave-out-flagged", action="store_true", help="ignore flagged rows")
    parser.add_argument("--round", type=int, metavar="DIGITS", help="round scores before ranking")
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    """How the study is examined."""
    parser.add_argument(
        "--undefined", choices=UNDEFINED, default=SKIP, help="inputs without a correlation"
    )
    parser.add_argument(
        "--folds", type=Path, help=f"folder of {FOLD_FILES} files, one document or system per line"
    )
    parser.add_argument(
        "--gaps", type=float, nargs="+", default=[], help="thresholds for close pairs"
    )
    parser.add_argument("--resamples", type=int, default=RESAMPLES)
    parser.add_argument(
        "--swaps",
        type=int,
        help="maximum for a permutation test, which stops once its result is clear; "
        f"by default {MOST_SWAPS:,} or more",
    )
    parser.add_argument(
        "--spa-permutations",
        type=int,
        default=PERMUTATIONS,
        help="permutations of Soft Pairwise Accuracy; default: %(default)s",
    )
    parser.add_argument("--permuted", choices=MEASURES, default="kendall", help="measure to test")
    parser.add_argument("--coverage", type=float, default=COVERAGE)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", nargs="+", choices=tuple(SECTIONS), help="limit the output to these sections"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.resamples < 1 or (arguments.swaps is not None and arguments.swaps < 1):
        raise InputError("--resamples and --swaps must be 1 or more.")
    study, same = merge_equal(read_study(arguments))
    options = Options(
        policy=arguments.undefined,
        resamples=arguments.resamples,
        swaps=arguments.swaps,
        seed=arguments.seed,
        coverage=arguments.coverage,
        gaps=tuple(arguments.gaps),
        permuted=arguments.permuted,
        spa_permutations=arguments.spa_permutations,
        **(read_folds(arguments.folds, study) if arguments.folds else {}),
    )
    found = examine_kinds(study, options, kinds=arguments.systems, only=arguments.only)
    return {**found, "same": same}


def read_study(arguments: argparse.Namespace) -> Study:
    study = load_study(
        arguments.scores,
        human=arguments.human,
        kinds=read_kinds(arguments.kinds) if arguments.kinds else None,
        by_prefix=arguments.kinds_by_prefix,
        flagged=not arguments.leave_out_flagged,
        digits=arguments.round,
    )
    if arguments.leave_out_systems:
        study = leave_out(study, arguments.leave_out_systems)
    return choose_metrics(study, arguments.metrics) if arguments.metrics else study


def read_folds(folder: Path, study: Study) -> dict[str, Any]:
    """Documents or systems of each fold, in the order of the files' names."""
    problems = ProblemList()
    files = [path for path in sorted(folder.glob("*")) if path.suffix in ENDINGS]
    by = {ENDINGS[path.suffix] for path in files}
    if len(by) != 1:
        found = "both .id and .sys files" if by else f"no {FOLD_FILES} file"
        raise InputError(f"{folder} holds {found}. Give a folder of folds, all of one kind.")
    names = tuple(tuple(filter(None, read_lines(path, problems))) for path in files)
    problems.raise_first()
    known = study.documents if by == {"examples"} else study.systems
    for path, members in zip(files, names, strict=True):
        if unknown := sorted(set(members) - set(known)):
            raise InputError(f"{path.name} names '{unknown[0]}', which has no score.")
    return {"folds": names, "folds_by": by.pop()}


def show(found: dict[str, Any]) -> str:
    head = (
        f"{found['documents']:,} documents, {found['judged']:,} judged; people: {found['human']}; "
        f"undefined inputs: {found['undefined']}; {found['resamples']:,} resamples, "
        f"seed {found['seed']}"
    )
    equal = (
        f"{name} has the same scores as {first}: one metric"
        for name, first in found["same"].items()
    )
    lines = [head, *equal]
    for kind, part in found["sets"].items():
        lines += ["", f"{kind}: {len(part['systems'])} systems"]
        for name, table in TABLES.items():
            if part.get(name):
                lines += ["", *table(part[name])]
        untold = [name for name in part if name in SECTIONS and name not in TABLES and part[name]]
        if untold:
            lines += ["", f"With --json also: {', '.join(untold)}."]
        lines.append(part["signature"])
    return "\n".join(lines)


def _correlation_lines(rows: dict[str, Any]) -> Iterator[str]:
    yield _row("correlation", "level", *MEASURES, "of", "undefined", widths=CORRELATION)
    for metric, levels in rows.items():
        for level, row in levels.items():
            cells = [_figure(row[name]) for name in MEASURES]
            told = [f"{row['count']:,}", f"{row['undefined']:,}"]
            yield _row(metric, level, *cells, *told, widths=CORRELATION)


def _interval_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    names = ("interval", "level", "inputs", "measure", "drawn", "value", "percentiles", "BCa")
    yield _row(*names, widths=INTERVAL)
    for row in rows:
        named = [row[key] for key in ("metric", "level", "inputs", "measure", "method")]
        percentiles = _bounds(row["low"], row["high"])
        bca = _bounds(row["bca_low"], row["bca_high"])
        note = f"  percentiles: {row['bca_note']}" if row["bca_note"] else ""
        yield _row(*named, _figure(row["value"]), percentiles, bca, widths=INTERVAL) + note
    yield from _departures(f"{row['level']} level, {row['method']} resampled" for row in rows)


def _departures(kinds: Iterable[str]) -> Iterator[str]:
    """Each kind once: how often it was measured to hold, where that is not as often as it says."""
    for kind in dict.fromkeys(kinds):
        if told := say_departures(kind):
            yield f"{kind}: {told}"


def _williams_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    keys = ("t", "p_one_sided", "p_two_sided", "p_two_sided_holm", "p_two_sided_bh")
    names = ("t", "one-sided p", "two-sided p", "Holm", "BH")
    yield _row("Williams: first correlates higher", *names, widths=WILLIAMS)
    for row in rows:
        pair = f"{row['first']} > {row['second']}"
        yield _row(pair, *(_figure(row[key]) for key in keys), widths=WILLIAMS)


def _permutation_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The p value with the bounds that its random swaps leave it, and what is not settled."""
    names = ("level", "swapped", "differs", "p", "p of all swaps", "swaps", "Holm", "BH", "")
    yield _row("permutation: first minus second", *names, widths=PERMUTATION)
    for row in rows:
        pair = f"{row['first']} − {row['second']}"
        p_values = (row["p_two_sided_holm"], row["p_two_sided_bh"])
        yield _row(
            pair,
            row["level"],
            row["method"],
            _figure(row["difference"]),
            f"{row['p_two_sided']:.5f}",
            f"{row['p_low']:.5f} to {row['p_high']:.5f}",
            f"{row['swaps']:,}",
            *(f"{value:.4f}" for value in p_values),
            f"  not settled: {', '.join(row['unsettled'])}" if row["unsettled"] else "",
            widths=PERMUTATION,
        )
    yield from _departures(f"test: two metrics, PERM-{row['method'].upper()}" for row in rows)


def _difference_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    names = ("level", "measure", "drawn", "differs", "percentiles", "BCa")
    yield _row("difference of correlations", *names, widths=DIFFERENCE)
    for row in rows:
        named = [row[key] for key in ("level", "measure", "method")]
        bounds = (_bounds(row["low"], row["high"]), _bounds(row["bca_low"], row["bca_high"]))
        pair = f"{row['first']} − {row['second']}"
        yield _row(pair, *named, _figure(row["value"]), *bounds, widths=DIFFERENCE)

    yield from _departures(f"difference of correlations, {row['level']} level" for row in rows)


def _top_k_lines(rows: dict[str, Any]) -> Iterator[str]:
    metrics = list(next(iter(rows.values())))
    yield f"{'top k, Pearson, system':<24}" + "".join(f"{k:>8}" for k in rows)
    for metric in metrics:
        cells = (f"{_figure(part[metric]['pearson']):>8}" for part in rows.values())
        yield f"{metric:<24}" + "".join(cells)


def _pairwise_lines(found: dict[str, Any]) -> Iterator[str]:
    yield (
        f"pairs of systems: {found['pairs']:,}, of which people decide {found['human_decided']:,} "
        f"at {found['confidence']:.0%}"
    )
    for metric, row in found["metrics"].items():
        yield f"{metric:<24}{_figure(row['f1']):>8}  F1, decides {row['decided']:,}"


def _meta_metric_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    names = ("meta-metrics", "acc_eq", "interval", "chance", "ε", "SPA", "chance", "PDP")
    yield _row(*names, "interval", "cluster", "Holm", widths=META_METRICS)
    for row in sorted(
        rows, key=lambda row: -row["acc_eq"] if row["acc_eq"] == row["acc_eq"] else 1
    ):
        figures = [_figure(row[key]) for key in ("acc_eq_chance", "epsilon", "spa", "spa_chance")]
        yield _row(
            row["metric"],
            _figure(row["acc_eq"]),
            _bounds(row["acc_eq_low"], row["acc_eq_high"]),
            *figures,
            _figure(row["pdp"]),
            _bounds(row["pdp_low"], row["pdp_high"]),
            str(row["cluster"]),
            str(row["cluster_holm"]),
            widths=META_METRICS,
        )
    yield "The chance level of PDP is 0. Clusters rank metrics by acc_eq."


def _cluster_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield _row("systems by human score", "mean", "cluster", "Holm", widths=CLUSTERS)
    for row in rows:
        clusters = (str(row["cluster"]), str(row["cluster_holm"]))
        yield _row(row["name"], _figure(row["mean"]), *clusters, widths=CLUSTERS)


def _close_lines(rows: dict[str, Any]) -> Iterator[str]:
    yield _row("close pairs", "share", "up to", "pairs", "τ-b", "interval", widths=CLOSE)
    for metric, parts in rows.items():
        for row in parts:
            share = "given" if row["to_share"] is None else f"{row['to_share']} %"
            cells = [share, f"{row['high']:.4f}", f"{row['pairs']:,}", _figure(row["tau"])]
            yield _row(metric, *cells, _bounds(row["ci_low"], row["ci_high"]), widths=CLOSE)


# Widths of columns; those of words are negative, and stand at the left.
CORRELATION = (-24, -22, 10, 10, 10, 8, 11)
INTERVAL = (-24, -10, -8, -10, -9, 8, 20, 20)
WILLIAMS = (-50, 8, 13, 13, 8, 8)
PERMUTATION = (-50, -9, -8, 8, 9, 20, 9, 8, 8, -30)
DIFFERENCE = (-50, -9, -9, -8, 8, 20, 20)
CLOSE = (-24, 7, 10, 8, 8, 20)
META_METRICS = (-24, 8, 18, 8, 8, 8, 8, 8, 18, 9, 6)
CLUSTERS = (-32, 8, 9, 6)
TABLES: dict[str, Callable[[Any], Iterator[str]]] = {
    "correlations": _correlation_lines,
    "intervals": _interval_lines,
    "williams": _williams_lines,
    "permutation": _permutation_lines,
    "differences": _difference_lines,
    "top_k": _top_k_lines,
    "pairwise": _pairwise_lines,
    "meta_metrics": _meta_metric_lines,
    "clusters": _cluster_lines,
    "close_pairs": _close_lines,
}


def _row(*cells: str, widths: Sequence[int]) -> str:
    return "".join(
        f"{cell:<{-width}}" if width < 0 else f"{cell:>{width}}"
        for cell, width in zip(cells, widths, strict=True)
    ).rstrip()


def _figure(value: float) -> str:
    return "–" if value != value else f"{value:.3f}"


def _bounds(low: float, high: float) -> str:
    return f"{_figure(low)} to {_figure(high)}"
