"""Everything that is known of the metrics of a study, as plain values under plain names.

A section is one statistic. Levels, measures and methods are named with every figure; the signature
reproduces them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from scoring.errors import InputError
from scoring.metaeval.bootstrap import RESAMPLED_LEVELS, bootstrap
from scoring.metaeval.clusters import PERMUTATIONS, cluster_systems
from scoring.metaeval.differences import bootstrap_differences
from scoring.metaeval.draws import (
    BY_BOTH,
    BY_INPUTS,
    COVERAGE,
    METHODS,
    RESAMPLES,
    Resampling,
)
from scoring.metaeval.instances import rank_stability, score_variance
from scoring.metaeval.intervals import fisher_interval
from scoring.metaeval.levels import (
    LEVELS,
    SKIP,
    SUMMARY,
    SYSTEM,
    correlate_all,
    correlate_folds,
    correlate_significant,
)
from scoring.metaeval.meta_metrics import score_meta_metrics
from scoring.metaeval.pairs import close_pairs, heat_map
from scoring.metaeval.pairwise import compare_pairs
from scoring.metaeval.permutation import compare_metrics
from scoring.metaeval.rows import MEASURES
from scoring.metaeval.study import (
    ALL,
    EVERY,
    JUDGED,
    Study,
    choose_documents,
    choose_kind,
    choose_systems,
    list_kinds,
)
from scoring.metaeval.top_k import top_k_curve
from scoring.metaeval.williams import compare_by_williams
from scoring.translation import gettext as _

FEWEST_SYSTEMS = 3
Section = dict[str, Any] | list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Options:
    """What an examination is made with.

    `gaps` are differences of metric scores at which realistic pairs are cut, beside the shares.
    Permutation tests stop when their verdicts are settled, or after `swaps`; `spa_permutations` are
    those of Soft Pairwise Accuracy. `folds` are lists of documents, or of systems
    where `folds_by` says so.
    """

    policy: str = SKIP
    resamples: int = RESAMPLES
    swaps: int | None = None
    seed: int = 0
    coverage: float = COVERAGE
    gaps: tuple[float, ...] = ()
    permuted: str = "kendall"
    folds: tuple[tuple[str, ...], ...] = ()
    folds_by: str = "examples"
    spa_permutations: int = PERMUTATIONS

    def by(self, method: str) -> Resampling:
        return Resampling(method, self.resamples, self.seed, self.coverage)


PLAIN_OPTIONS = Options()


def examine(
    study: Study, options: Options = PLAIN_OPTIONS, *, only: Iterable[str] | None = None
) -> dict[str, Any]:
    """One set of systems; all sections unless told which."""
    chosen = list(SECTIONS) if only is None else list(only)
    for name in chosen:
        if name not in SECTIONS:
            raise InputError(
                _("There is no section '{name}'. Known: {sections}.").format(
                    name=name, sections=", ".join(SECTIONS)
                )
            )
    if len(study.systems) < FEWEST_SYSTEMS:
        raise InputError(
            _("A correlation needs at least {fewest_systems} systems; there are {systems}.").format(
                fewest_systems=FEWEST_SYSTEMS, systems=len(study.systems)
            )
        )
    sections = {name: SECTIONS[name](study, options) for name in chosen}
    return {"systems": list(study.systems), "signature": sign(study, options), **sections}


def examine_kinds(
    study: Study,
    options: Options = PLAIN_OPTIONS,
    *,
    kinds: Sequence[str] | None = None,
    only: Iterable[str] | None = None,
) -> dict[str, Any]:
    """The whole study and each kind of its systems, mixed, extractive and abstractive apart.

    A kind with fewer than three systems is passed over unless it was asked for.
    """
    wanted = kinds or [
        ALL,
        *(kind for kind in list_kinds(study) if _count(study, kind) >= FEWEST_SYSTEMS),
    ]
    sections = None if only is None else list(only)
    return {
        "human": study.human,
        "documents": len(study.documents),
        "judged": int(study.judged.sum()),
        "undefined": options.policy,
        "resamples": options.resamples,
        "seed": options.seed,
        "coverage": options.coverage,
        "sets": {
            kind: examine(choose_kind(study, kind), options, only=sections) for kind in wanted
        },
    }


def sign(study: Study, options: Options) -> str:
    said = asdict(replace(options, folds=()))
    said.pop("folds")
    by = said.pop("folds_by")
    said["gaps"] = ",".join(map(str, options.gaps)) or "none"
    said["folds"] = len(options.folds) or "none"
    if by != "examples":
        said["folds_by"] = by
    return study.sign(**said)


def examine_means(study: Study, options: Options) -> Section:
    """The mean of every metric over all its cells, and how many there are."""
    del options
    return {
        name: {"mean": float(np.nanmean(table)), "cells": int((~np.isnan(table)).sum())}
        for name, table in study.scores.items()
        if not np.isnan(table).all()
    }


def examine_correlations(study: Study, options: Options) -> Section:
    """By metric and level, each measure; `system, every input` is Deutsch et al. 2022, §3."""
    return {metric: _levels(study, metric, options) for metric in study.metrics}


def examine_significant(study: Study, options: Options) -> Section:
    """REALSumm's summary level: only inputs with p ≤ .05."""
    del options
    return [
        asdict(correlate_significant(study, metric, measure=measure))
        for metric in study.metrics
        for measure in MEASURES
    ]


def examine_intervals(study: Study, options: Options) -> Section:
    """Every metric, level, measure and method: percentile and BCa."""
    return [
        {**asdict(row), "inputs": inputs}
        for method in METHODS
        for level, inputs in _levels_and_inputs(study)
        for row in bootstrap(
            study, level=level, policy=options.policy, inputs=inputs, resampling=options.by(method)
        )
    ]


def examine_fisher(study: Study, options: Options) -> Section:
    """Fisher's intervals, which apply to the system level."""
    found = []
    for metric in study.metrics:
        for measure, row in correlate_all(study, metric, level=SYSTEM).items():
            low, high = fisher_interval(row.value, row.count, measure, options.coverage)
            told = {"metric": metric, "level": SYSTEM, "measure": measure, "value": row.value}
            found.append({**told, "low": low, "high": high})
    return found


def examine_williams(study: Study, options: Options) -> Section:
    del options
    return [asdict(row) for row in compare_by_williams(study)]


def examine_permutation(study: Study, options: Options) -> Section:
    """PERM tests of all pairs of metrics: by each method at the system level, and on inputs."""
    return [
        asdict(row)
        for level, method in (*((SYSTEM, method) for method in METHODS), (SUMMARY, BY_INPUTS))
        for row in compare_metrics(
            study,
            method=method,
            level=level,
            measure=options.permuted,
            most=options.swaps,
            seed=options.seed,
        )
    ]


def examine_differences(study: Study, options: Options) -> Section:
    """How much higher one metric's correlation is than another's: percentile and BCa."""
    found = []
    for level, method in ((SYSTEM, BY_BOTH), (SUMMARY, BY_INPUTS)):
        rows = bootstrap_differences(
            study,
            level=level,
            measure=options.permuted,
            policy=options.policy,
            resampling=options.by(method),
        )
        for row in rows:
            figures = asdict(row.interval)
            figures.pop("metric")
            found.append({"first": row.first, "second": row.second, **figures})
    return found


def examine_top_k(study: Study, options: Options) -> Section:
    """By k and metric, each measure."""
    del options
    found: dict[str, Any] = {}
    for row in top_k_curve(study):
        metrics = found.setdefault(str(row.k), {})
        metrics.setdefault(row.metric, {})[row.measure] = row.value
    return found


def examine_pairwise(study: Study, options: Options) -> Section:
    found = asdict(compare_pairs(study, resamples=options.resamples, seed=options.seed))
    return {**found, "metrics": {row.pop("metric"): row for row in found["metrics"]}}


def examine_meta_metrics(study: Study, options: Options) -> Section:
    """acc_eq, SPA and PDP with chance levels and rank clusters, the best by acc_eq first."""
    found = score_meta_metrics(
        study, permutations=options.spa_permutations, resampling=options.by(METHODS[0])
    )
    found.sort(key=lambda row: 1.0 if np.isnan(row.acc_eq) else -row.acc_eq)
    return [asdict(row) for row in found]


def examine_clusters(study: Study, options: Options) -> Section:
    """Systems by people's scores, in rank clusters."""
    return [asdict(row) for row in cluster_systems(study, seed=options.seed)]


def examine_close_pairs(study: Study, options: Options) -> Section:
    """r_sysΔ(0, u) by metric."""
    return {
        metric: [
            asdict(row)
            for row in close_pairs(
                study, metric, gaps=options.gaps, resampling=options.by(METHODS[0])
            )
        ]
        for metric in study.metrics
    }


def examine_heat_map(study: Study, options: Options) -> Section:
    """r_sysΔ(ℓ, u) by metric."""
    return {
        metric: [asdict(row) for row in heat_map(study, metric, resampling=options.by(METHODS[0]))]
        for metric in study.metrics
    }


def examine_stability(study: Study, options: Options) -> Section:
    """How stable rankings are as inputs grow, people's among them."""
    return {
        name: [
            asdict(row)
            for row in rank_stability(study, name, resamples=options.resamples, seed=options.seed)
        ]
        for name in (study.human, *study.metrics)
    }


def examine_variance(study: Study, options: Options) -> Section:
    return [
        asdict(score_variance(study, metric, resamples=options.resamples, seed=options.seed))
        for metric in study.metrics
    ]


def examine_folds(study: Study, options: Options) -> Section:
    """The mean over folds, by metric and level; nothing without folds.

    Of folds of systems, those that have enough of the systems at hand.
    """
    if options.folds_by == "systems":
        own = [[name for name in fold if name in study.systems] for fold in options.folds]
        folds = [choose_systems(study, names) for names in own if len(names) >= FEWEST_SYSTEMS]
    else:
        folds = [choose_documents(study, names) for names in options.folds]
    if not folds:
        return {}
    return {
        metric: {
            level: _plain(correlate_folds(folds, metric, level=level, policy=options.policy))
            for level in LEVELS
        }
        for metric in study.metrics
    }


SECTIONS: dict[str, Callable[[Study, Options], Section]] = {
    "means": examine_means,
    "correlations": examine_correlations,
    "folds": examine_folds,
    "significant_only": examine_significant,
    "intervals": examine_intervals,
    "fisher": examine_fisher,
    "williams": examine_williams,
    "permutation": examine_permutation,
    "differences": examine_differences,
    "top_k": examine_top_k,
    "pairwise": examine_pairwise,
    "meta_metrics": examine_meta_metrics,
    "clusters": examine_clusters,
    "close_pairs": examine_close_pairs,
    "heat_map": examine_heat_map,
    "stability": examine_stability,
    "variance": examine_variance,
}


def _levels(study: Study, metric: str, options: Options) -> dict[str, Any]:
    found = {
        level: _plain(correlate_all(study, metric, level=level, policy=options.policy))
        for level in LEVELS
    }
    found[f"{SYSTEM}, every input"] = _plain(
        correlate_all(study, metric, level=SYSTEM, inputs=EVERY)
    )
    return found


def _plain(rows: dict[str, Any]) -> dict[str, Any]:
    one = next(iter(rows.values()))
    values = {measure: row.value for measure, row in rows.items()}
    return {**values, "count": one.count, "undefined": one.undefined}


def _levels_and_inputs(study: Study) -> list[tuple[str, str]]:
    """Levels to resample; the system level over every input too, where some are not judged."""
    found = [(level, JUDGED) for level in RESAMPLED_LEVELS]
    return found if study.judged.all() else [*found, (SYSTEM, EVERY)]


def _count(study: Study, kind: str) -> int:
    return sum(study.kinds.get(name) == kind for name in study.systems)
