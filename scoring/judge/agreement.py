"""How precisely a judge's agreement with people is known: correlations and biases with intervals.

Examples are drawn with replacement, the judge's scores and people's together. Intervals of
correlations at the system level draw systems, too: they are for other systems like these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.measured_coverage import say_departures
from scoring.metaeval.bootstrap import resample_correlations, stack_scores
from scoring.metaeval.draws import BY_BOTH, BY_INPUTS, Resampling, draw_as
from scoring.metaeval.intervals import percentile_interval
from scoring.metaeval.levels import SUMMARY, SYSTEM
from scoring.metaeval.study import Study
from scoring.percentiles import middle
from scoring.pyramid import ScoreTable
from scoring.significance import FEWEST, resample_rows
from scoring.translation import gettext as _

JUDGE, PEOPLE = "judge", "people"
RESAMPLES = 1000
# A correlation of two systems is 1 or −1 whatever they are.
FEWEST_SYSTEMS = 3

Floats = NDArray[np.float64]
Bounds = tuple[float | None, float | None]
UNKNOWN: Bounds = (None, None)


@dataclass(frozen=True, slots=True)
class Biases:
    """The middle of resampled judge − people: of each system, and of their mean."""

    systems: dict[str, Bounds]
    mean: Bounds


def bound_correlations(
    judge: ScoreTable, people: ScoreTable, *, seed: int = 0
) -> dict[str, dict[str, Bounds]]:
    """By level and measure; nothing of fewer than three systems or examples.

    Percentile intervals, which lie low: resampled means are noisier than the means at hand.
    """
    if len(judge.systems) < FEWEST_SYSTEMS or len(judge.documents) < FEWEST:
        return {}
    scores = {PEOPLE: people.scores, JUDGE: judge.scores}
    study = Study(tuple(judge.systems), tuple(judge.documents), {}, PEOPLE, scores)
    paired = stack_scores(study)
    found = {}
    for level, method in ((SYSTEM, BY_BOTH), (SUMMARY, BY_INPUTS)):
        resampling = Resampling(method, RESAMPLES, seed)
        draws = draw_as(resampling, systems=len(study.systems), judged=paired.judged)
        drawn = resample_correlations(paired, draws, level=level)
        # As in reports: at the summary level, widened for how few examples there are.
        count = len(study.documents) if level == SUMMARY else None
        found[level] = {
            measure: _known(*percentile_interval(_without_nan(values[:, 0]), count=count))
            for measure, values in drawn.items()
        }
    return found


def say_coverage() -> str:
    """How often intervals of correlations hold in simulated studies, if not as often as 95 %."""
    kinds = (
        _("{system} level, both resampled").format(system=SYSTEM),
        _("{summary} level, inputs resampled").format(summary=SUMMARY),
    )
    return " ".join(said for kind in kinds if (said := say_departures(kind, "percentile")))


def bound_biases(judge: ScoreTable, people: ScoreTable, *, seed: int = 0) -> Biases:
    """A system below three examples has no bounds; with one, the mean has none either."""
    gaps = judge.scores - people.scores
    counts = (~np.isnan(gaps)).sum(axis=1)
    enough = counts >= FEWEST
    drawn = resample_rows(gaps, RESAMPLES, np.random.default_rng(seed))
    found = {
        name: _known(*middle(drawn[:, at], int(counts[at]))) if enough[at] else UNKNOWN
        for at, name in enumerate(judge.systems)
    }
    if not enough.all():
        return Biases(found, UNKNOWN)
    return Biases(found, _known(*middle(_row_means(drawn), len(judge.documents))))


def _row_means(drawn: Floats) -> Floats:
    """Over the systems that a resample has; nan where it has none."""
    known = ~np.isnan(drawn)
    counts = known.sum(axis=1)
    sums = np.nan_to_num(drawn).sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(drawn), np.nan), where=counts > 0)


def _without_nan(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _known(low: float, high: float) -> Bounds:
    return UNKNOWN if math.isnan(low) or math.isnan(high) else (float(low), float(high))
