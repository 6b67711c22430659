"""What is told of all systems, and of each kind of them that has enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.draws import BY_BOTH
from scoring.metaeval.levels import SYSTEM
from scoring.metaeval.pairwise import compare_pairs
from scoring.metaeval.permutation import compare_metrics
from scoring.metaeval.report.abstract import LEAST_RANKED
from scoring.metaeval.report.numbers import kept
from scoring.metaeval.report.options import ReportOptions
from scoring.metaeval.study import (
    ALL,
    Study,
    choose_kind,
    choose_metrics,
    list_kinds,
    rank_by_people,
)
from scoring.metaeval.top_k import SMALLEST, top_k_curve
from scoring.metaeval.williams import compare_by_williams

# Williams' test has count − 3 degrees of freedom; with fewer systems than these it says nothing.
LEAST_TESTED = 5
Matrix = list[list[float | None]]


def describe_groups(
    study: Study, metrics: Sequence[str], options: ReportOptions
) -> list[dict[str, Any]]:
    """All systems first; kinds follow if at least two of them have enough systems.

    Metrics without a correlation in a group are neither tested nor given a verdict there.
    """
    kinds = [
        kind for kind in sorted(list_kinds(study)) if _count(study, kind) >= options.least_systems
    ]
    groups = [ALL, *(kinds if len(kinds) > 1 else [])]
    return [_group(choose_kind(study, kind), kind, metrics, options) for kind in groups]


def _count(study: Study, kind: str) -> int:
    """Systems of the kind that people scored."""
    return len(rank_by_people(choose_kind(study, kind)))


def _group(
    study: Study, kind: str, metrics: Sequence[str], options: ReportOptions
) -> dict[str, Any]:
    ranked = len(rank_by_people(study))
    kendall = _kendall(study, options)
    known = [name for name in metrics if kendall[name][0] is not None]
    tested = choose_metrics(study, [name for name in known if _size(study, name) >= LEAST_TESTED])
    return {
        "kind": kind,
        "words": kind.capitalize(),
        "systems": ranked,
        "kendall": kendall,
        "f1": _f1(choose_metrics(study, known), options) if ranked > 2 and known else {},
        "top": _top(study, metrics) if ranked >= SMALLEST else {"k": [], "rows": {}},
        "williams": _williams(tested, metrics, options),
        "permutation": _permutation(tested, metrics, options),
    }


def _size(study: Study, metric: str) -> int:
    """Systems that metric and people both score."""
    known = ~np.isnan(study.scores[metric]), ~np.isnan(study.people)
    return int((known[0].any(axis=1) & known[1].any(axis=1)).sum())


def _kendall(study: Study, options: ReportOptions) -> dict[str, list[float | None]]:
    rows = bootstrap(
        study,
        level=SYSTEM,
        measures=["kendall"],
        inputs=options.inputs,
        resampling=options.resampling,
    )
    found = {row.metric: [kept(row.value), kept(row.low), kept(row.high)] for row in rows}
    few: dict[str, list[float | None]] = {
        name: [None] * 3 for name in found if _size(study, name) < LEAST_RANKED
    }
    return found | few


def _f1(study: Study, options: ReportOptions) -> dict[str, float | None]:
    found = compare_pairs(study, resamples=options.resamples, seed=options.seed)
    return {row.metric: kept(row.f1) for row in found.metrics}


def _top(study: Study, metrics: Sequence[str]) -> dict[str, Any]:
    """Pearson's r by k, from few systems to all."""
    found = {(row.metric, row.k): row.value for row in top_k_curve(study, measures=["pearson"])}
    ks = sorted({k for _, k in found})
    return {"k": ks, "rows": {metric: [kept(found[metric, k]) for k in ks] for metric in metrics}}


def _williams(study: Study, metrics: Sequence[str], options: ReportOptions) -> dict[str, Any]:
    if len(study.metrics) < 2:
        return {}
    found = compare_by_williams(study, inputs=options.inputs)
    rows = [
        (row.first, row.second, row.p_two_sided, row.p_two_sided_holm, row.p_two_sided_bh)
        for row in found
    ]
    return _matrices(metrics, rows)


def _permutation(study: Study, metrics: Sequence[str], options: ReportOptions) -> dict[str, Any]:
    if len(study.metrics) < 2:
        return {}
    found = compare_metrics(
        study,
        method=BY_BOTH,
        inputs=options.inputs,
        resamples=options.count_permutations(len(study.metrics)),
        seed=options.seed,
    )
    rows = []
    for row in found:
        pair = (row.first, row.second) if row.difference >= 0 else (row.second, row.first)
        rows.append((*pair, row.p_two_sided, row.p_two_sided_holm, row.p_two_sided_bh))
    return _matrices(metrics, rows)


def _matrices(
    metrics: Sequence[str], rows: Sequence[tuple[str, str, float, float, float]]
) -> dict[str, Any]:
    """Row by column: p values where the row's metric is the higher, null elsewhere."""
    places = {name: place for place, name in enumerate(metrics)}
    found = {name: _empty(len(metrics)) for name in ("p", "holm", "benjamini_hochberg")}
    for first, second, *values in rows:
        for table, value in zip(found.values(), values, strict=True):
            table[places[first]][places[second]] = kept(value)
    known = [value for row in found["p"] for value in row if value is not None]
    return found if known else {}


def _empty(size: int) -> Matrix:
    return [[None] * size for _ in range(size)]


def find_copies(study: Study) -> list[list[str]]:
    """Systems whose scores are the same in every table."""
    tables = np.concatenate([study.scores[name] for name in study.scores], axis=1)
    return [
        [study.systems[one], study.systems[two]]
        for one in range(len(tables))
        for two in range(one + 1, len(tables))
        if np.array_equal(tables[one], tables[two], equal_nan=True)
    ]
