"""How a metric does among the best systems (Bhandari et al. 2020, §4.2, figure 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.errors import InputError
from scoring.metaeval.levels import SYSTEM
from scoring.metaeval.rows import MEASURES, correlate_rows
from scoring.metaeval.study import Study, mean_scores, pair_scores, rank_by_people
from scoring.translation import gettext as _

SMALLEST = 4


@dataclass(frozen=True, slots=True)
class TopK:
    """A metric's correlation of system means over the k systems that people scored highest."""

    metric: str
    k: int
    measure: str
    value: float
    level: str = SYSTEM


def top_k_curve(
    study: Study,
    *,
    ks: Iterable[int] | None = None,
    measures: Sequence[str] = MEASURES,
) -> list[TopK]:
    """For every metric and k, from all systems down to four unless told otherwise."""
    order = rank_by_people(study)
    sizes = list(ks) if ks is not None else list(range(len(order), SMALLEST - 1, -1))
    for k in sizes:
        if not 2 <= k <= len(order):
            raise InputError(
                _("k can't be {k}: people ranked {order} systems. Expected 2 or more.").format(
                    k=k, order=len(order)
                )
            )
    pairs = [pair_scores(study, metric) for metric in study.metrics]
    first = np.stack([mean_scores(one) for one, __ in pairs])
    second = np.stack([mean_scores(two) for __, two in pairs])
    found = []
    for k in sizes:
        best = order[:k]
        values = correlate_rows(first[:, best], second[:, best], measures)
        found += [
            TopK(metric, k, measure, float(values[measure][place]))
            for place, metric in enumerate(study.metrics)
            for measure in measures
        ]
    return found
