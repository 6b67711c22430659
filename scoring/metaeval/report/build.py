"""A report from a study: all that its pages, figures and words are made of, as plain values.

The same study, options and seed give the same record to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.errors import InputError
from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.instances import rank_stability
from scoring.metaeval.levels import SUMMARY, SYSTEM, correlate_all
from scoring.metaeval.numbers import kept, kept_all
from scoring.metaeval.pairs import SHARES, close_pairs, heat_map
from scoring.metaeval.raw_judgements import RawJudgements
from scoring.metaeval.report.abstract import write_abstract
from scoring.metaeval.report.annotators import describe_raw_answers
from scoring.metaeval.report.comparisons import describe_clusters, describe_comparisons
from scoring.metaeval.report.groups import describe_groups, find_copies
from scoring.metaeval.report.options import LEAST_RANKED, ReportOptions
from scoring.metaeval.report.sections import describe_sections
from scoring.metaeval.rows import MEASURES, is_constant, signs_of, tie_width
from scoring.metaeval.study import (
    Study,
    choose_metrics,
    mean_scores,
    merge_equal,
    pair_scores,
    rank_by_people,
)
from scoring.translation import gettext as _

FORMAT = 4


def build_report(
    study: Study,
    options: ReportOptions | None = None,
    *,
    judgements: RawJudgements | None = None,
) -> dict[str, Any]:
    """Everything that can be said of the study's metrics.

    With people's raw judgements, annotators are a random factor too.
    """
    options = options or ReportOptions()
    if not study.metrics:
        raise InputError(_("A report needs at least one metric in addition to human scores."))
    if not study.judged.any():
        raise InputError(_("The human scores '{human}' are empty.").format(human=study.human))
    study, same = merge_equal(_turned(study, options.lower))
    ranked = len(rank_by_people(study))
    board = _leaderboard(study, options) if ranked >= LEAST_RANKED else _empty_board(study)
    # Nothing is compared with a metric that has no correlation.
    metrics = [row["metric"] for row in board if _tau(row) is not None]
    record = _facts(study, metrics, options, ranked) | {"leaderboard": board}
    record |= {"lead": metrics[0] if metrics else None}
    record |= {"same": [[name, kept_name] for name, kept_name in same.items()]}
    ordered = choose_metrics(study, metrics)
    has_ranking = bool(metrics)
    record |= {
        "kinds": describe_groups(ordered, metrics, options) if has_ranking else [],
        "comparisons": describe_comparisons(ordered, options) if has_ranking else [],
        "clusters": describe_clusters(study, options) if ranked >= LEAST_RANKED else [],
        "pairs": _pairs(ordered, options) if has_ranking else {"shares": [], "rows": []},
        "heatmap": _heatmap(ordered, options) if has_ranking else {"shares": [], "rows": {}},
        "stability": _stability(ordered, options) if has_ranking else {"people": {}, "rows": {}},
    }
    if has_ranking and judgements is not None:
        record["annotators"] = describe_raw_answers(ordered, judgements, options)
    record["abstract"] = write_abstract(record)
    record["sections"] = describe_sections(record)
    return record


def _turned(study: Study, lower: Sequence[str]) -> Study:
    """With every metric the higher the better."""
    if unknown := sorted(set(lower) - set(study.metrics)):
        known = ", ".join(study.metrics)
        raise InputError(
            _("lower: there is no metric '{unknown}'. Known: {known}.").format(
                unknown=unknown[0], known=known
            )
        )
    turned = {name: -table if name in lower else table for name, table in study.scores.items()}
    return replace(study, scores=turned)


def write_record(record: dict[str, Any]) -> bytes:
    """The record's bytes: the same every time."""
    said = json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    return f"{said}\n".encode()


def _facts(
    study: Study, metrics: Sequence[str], options: ReportOptions, ranked: int
) -> dict[str, Any]:
    means = {name: _means(study, name, options) for name in study.metrics}
    constant = [name for name in study.metrics if _is_flat(means[name])]
    chosen = options.to_json() | {"swaps": options.limit_swaps(len(metrics))}
    return {
        "format": FORMAT,
        "human": study.human,
        "documents": len(study.documents),
        "judged": int(study.judged.sum()),
        "systems": [{"name": name, "kind": study.kinds.get(name, "")} for name in study.systems],
        "ranked": ranked,
        "metrics": list(metrics),
        "options": chosen,
        "signature": study.sign(report=FORMAT, **chosen),
        "people": kept_all(mean_scores(study.people)),
        "means": {name: kept_all(means[name]) for name in metrics},
        "copies": find_copies(study),
        "constant": constant,
    }


def _means(study: Study, metric: str, options: ReportOptions) -> np.ndarray[Any, Any]:
    return mean_scores(pair_scores(study, metric, inputs=options.inputs)[0])


def _is_flat(means: np.ndarray[Any, Any]) -> bool:
    known = means[~np.isnan(means)]
    return len(known) > 1 and bool(is_constant(known))


def _leaderboard(study: Study, options: ReportOptions) -> list[dict[str, Any]]:
    """The best by Kendall's τ at the system level first; those without one last."""
    rows: dict[str, dict[str, Any]] = {name: {"metric": name} for name in study.metrics}
    for level in (SYSTEM, SUMMARY):
        found = bootstrap(study, level=level, inputs=options.inputs, resampling=options.resampling)
        for each in found:
            row = rows[each.metric]
            values = [kept(each.value), kept(each.low), kept(each.high)]
            row.setdefault(level, {})[each.measure] = values
            corrected = [kept(each.bca_low), kept(each.bca_high), each.bca_note]
            row.setdefault("bca", {}).setdefault(level, {})[each.measure] = corrected
    for name, row in rows.items():
        row["undefined"] = correlate_all(study, name, level=SUMMARY)["kendall"].undefined
        row |= _coverage(study, name)
        if row["systems"] < LEAST_RANKED:
            row |= _unknown()
    return sorted(rows.values(), key=_standing)


def _coverage(study: Study, metric: str) -> dict[str, Any]:
    """How many systems metric and people both score, and which of people's the metric lacks.

    `lacks` counts single summaries of the other systems that people scored and the metric did not.
    """
    has = np.asarray((~np.isnan(study.scores[metric])).any(axis=1))
    judged = ~np.isnan(study.people)
    ranked = np.asarray(judged.any(axis=1))
    lacks = judged & np.isnan(study.scores[metric]) & has[:, None]
    missing = [name for at, name in enumerate(study.systems) if ranked[at] and not has[at]]
    return {"systems": int((has & ranked).sum()), "missing": missing, "lacks": int(lacks.sum())}


def _unknown() -> dict[str, Any]:
    nothing = {measure: [None, None, None] for measure in MEASURES}
    return {SYSTEM: nothing, SUMMARY: nothing, "bca": {}}


def _tau(row: dict[str, Any], level: str = SYSTEM) -> float | None:
    value: float | None = row[level]["kendall"][0]
    return value


def _standing(row: dict[str, Any]) -> tuple[float, ...]:
    """Ties by the summary level; then the order in which the study has them stays."""
    values = (_tau(row), _tau(row, SUMMARY), row[SYSTEM]["pearson"][0])
    return tuple(2.0 if value is None else -value for value in values)


def _empty_board(study: Study) -> list[dict[str, Any]]:
    """Too few systems: every metric is named, without figures."""
    return [
        {"metric": name, "undefined": 0} | _coverage(study, name) | _unknown()
        for name in study.metrics
    ]


def _pairs(study: Study, options: ReportOptions) -> dict[str, Any]:
    rows = [_pair_row(study, name, options) for name in study.metrics]
    return {"shares": list(SHARES), "rows": rows}


def _pair_row(study: Study, metric: str, options: ReportOptions) -> dict[str, Any]:
    found = close_pairs(study, metric, inputs=options.inputs, resampling=options.resampling)
    first, second = (
        mean_scores(table) for table in pair_scores(study, metric, inputs=options.inputs)
    )
    counts = [_count_right(first, second, row.high) for row in found]
    return {
        "metric": metric,
        "values": kept_all(row.tau for row in found),
        "low": kept_all(row.ci_low for row in found),
        "high": kept_all(row.ci_high for row in found),
        "gap": kept_all(row.high for row in found),
        "pairs": [row.pairs for row in found],
        "right": [right for right, __ in counts],
        "wrong": [wrong for __, wrong in counts],
    }


def _count_right(first: Any, second: Any, gap: float) -> tuple[int, int]:
    """Pairs up to a gap that metric and people order alike, and otherwise; ties are neither."""
    above, below = np.triu_indices(len(first), k=1)
    inside = np.abs(first[above] - first[below]) <= gap + tie_width(first)
    product = signs_of(first) * signs_of(second) * inside
    return int((product > 0).sum()), int((product < 0).sum())


def _heatmap(study: Study, options: ReportOptions) -> dict[str, Any]:
    return {
        "shares": list(SHARES),
        "rows": {name: _map_of(study, name, options) for name in study.metrics},
    }


def _map_of(study: Study, metric: str, options: ReportOptions) -> list[list[float | None]]:
    """Rows begin at 0 %, 10 % …; columns end at 10 %, 20 % …"""
    found = heat_map(study, metric, inputs=options.inputs, resampling=options.resampling)
    cells = {(row.from_share, row.to_share): kept(row.tau) for row in found}
    starts = (0, *SHARES[:-1])
    return [[cells.get((start, end)) for end in SHARES] for start in starts]


def _stability(study: Study, options: ReportOptions) -> dict[str, Any]:
    return {
        "people": _stable(study, study.human, options),
        "rows": {name: _stable(study, name, options) for name in study.metrics},
    }


def _stable(study: Study, name: str, options: ReportOptions) -> dict[str, Any]:
    found = rank_stability(study, name, resamples=options.resamples, seed=options.seed)
    return {
        "inputs": [row.inputs for row in found],
        "mean": kept_all(row.mean for row in found),
        "sd": kept_all(row.sd for row in found),
    }
