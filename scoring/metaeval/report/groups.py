"""What is computed of all systems, and of each kind of them that has enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.differences import bootstrap_differences
from scoring.metaeval.draws import BY_BOTH, BY_INPUTS
from scoring.metaeval.levels import SUMMARY, SYSTEM
from scoring.metaeval.numbers import kept
from scoring.metaeval.pairwise import compare_pairs
from scoring.metaeval.permutation import compare_metrics
from scoring.metaeval.report.options import LEAST_RANKED, ReportOptions
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
        "permutation": _permutation(tested, metrics, options, SYSTEM, BY_BOTH),
        "summary_permutation": _permutation(tested, metrics, options, SUMMARY, BY_INPUTS),
        "differences": {
            level: _differences(tested, options, level, method)
            for level, method in ((SYSTEM, BY_BOTH), (SUMMARY, BY_INPUTS))
        },
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


P_VALUES = ("p", "holm", "benjamini_hochberg")
# Of a permutation test also: the p value that all swaps would give, how many were made, and the
# corrections under which more of them might change the verdict.
SWAPPED = (*P_VALUES, "p_low", "p_high", "swaps", "unsettled")


def _williams(study: Study, metrics: Sequence[str], options: ReportOptions) -> dict[str, Any]:
    if len(study.metrics) < 2:
        return {}
    found = compare_by_williams(study, inputs=options.inputs)
    rows = [
        (row.first, row.second, row.p_two_sided, row.p_two_sided_holm, row.p_two_sided_bh, row.q)
        for row in found
    ]
    return _matrices(metrics, rows, (*P_VALUES, "cohens_q"))


def _permutation(
    study: Study, metrics: Sequence[str], options: ReportOptions, level: str, method: str
) -> dict[str, Any]:
    if len(study.metrics) < 2:
        return {}
    found = compare_metrics(
        study,
        method=method,
        level=level,
        inputs=options.inputs,
        most=options.limit_swaps(len(study.metrics)),
        seed=options.seed,
    )
    rows = []
    for row in found:
        pair = (row.first, row.second) if row.difference >= 0 else (row.second, row.first)
        p_values = (row.p_two_sided, row.p_two_sided_holm, row.p_two_sided_bh)
        rows.append((*pair, *p_values, row.p_low, row.p_high, row.swaps, " ".join(row.unsettled)))
    return _matrices(metrics, rows, SWAPPED)


def _matrices(
    metrics: Sequence[str], rows: Sequence[tuple[Any, ...]], names: Sequence[str]
) -> dict[str, Any]:
    """Row by column: figures of a test where the row's metric is the higher, null elsewhere."""
    places = {name: place for place, name in enumerate(metrics)}
    found: dict[str, list[list[Any]]] = {
        name: [[None] * len(metrics) for _ in metrics] for name in names
    }
    for first, second, *values in rows:
        for table, value in zip(found.values(), values, strict=True):
            table[places[first]][places[second]] = (
                kept(value) if isinstance(value, float) else value
            )
    known = [value for row in found["p"] for value in row if value is not None]
    return found if known else {}


def _differences(
    study: Study, options: ReportOptions, level: str, method: str
) -> list[dict[str, Any]]:
    """Of each pair of metrics: how much higher the first correlates, by τ."""
    if len(study.metrics) < 2:
        return []
    resampling = replace(options.resampling, method=method)
    found = bootstrap_differences(study, level=level, inputs=options.inputs, resampling=resampling)
    return [
        {
            "first": row.first,
            "second": row.second,
            "value": kept(row.interval.value),
            "low": kept(row.interval.low),
            "high": kept(row.interval.high),
            "bca_low": kept(row.interval.bca_low),
            "bca_high": kept(row.interval.bca_high),
            "bca_note": row.interval.bca_note,
        }
        for row in found
    ]


def find_copies(study: Study) -> list[list[str]]:
    """Systems whose scores are the same in every table."""
    tables = np.concatenate([study.scores[name] for name in study.scores], axis=1)
    return [
        [study.systems[one], study.systems[two]]
        for one in range(len(tables))
        for two in range(one + 1, len(tables))
        if np.array_equal(tables[one], tables[two], equal_nan=True)
    ]
