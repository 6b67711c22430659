"""All test instances (Deutsch et al. 2022, §3): what more inputs do for system scores.

A metric can score every input of a test set, M_t of them, while people judge M_a. The correlation
over all of them is `correlate(…, inputs="every")`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.bootstrap import weigh_rows
from scoring.metaeval.draws import RESAMPLES, count_places
from scoring.metaeval.rows import correlate_rows, steps
from scoring.metaeval.study import Study
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
SERIES = (1, 2, 5)
FEWEST = 5


@dataclass(frozen=True, slots=True)
class ScoreVariance:
    """Variance of resampled system means, its mean over systems, on M_a and on M_t inputs.

    `reduction` is the share of the variance that all inputs take away.
    """

    metric: str
    judged: int
    every: int
    on_judged: float
    on_every: float
    reduction: float


@dataclass(frozen=True, slots=True)
class Stability:
    """Kendall's τ between two rankings of systems, each on `inputs` inputs drawn anew.

    Mean and standard deviation (population) over resamples; those without a τ are counted.
    """

    metric: str
    inputs: int
    mean: float
    sd: float
    undefined: int


def score_variance(
    study: Study, metric: str, *, resamples: int = RESAMPLES, seed: int = 0
) -> ScoreVariance:
    """How sure system scores are on as many inputs as people judged, and on all (§3.1)."""
    scores = _scored(study.scores[metric])
    judged, every = int(study.judged.sum()), scores.shape[1]
    on_judged, on_every = (
        _mean_variance(scores, size, resamples, np.random.default_rng([seed, size]))
        for size in (judged, every)
    )
    reduction = 1 - on_every / on_judged if on_judged > 0 else float("nan")
    return ScoreVariance(metric, judged, every, on_judged, on_every, reduction)


def rank_stability(
    study: Study,
    metric: str,
    *,
    sizes: Iterable[int] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Stability]:
    """τ between two resampled rankings as inputs grow (§3.1, figure 3).

    `metric` may be people's scores too: those are drawn from the judged inputs.
    """
    scores = _scored(study.scores[metric])
    wanted = list(sizes) if sizes is not None else sizes_up_to(scores.shape[1])
    found = []
    for size in wanted:
        if size < 1:
            raise InputError(_("A ranking needs at least 1 input, not {size}.").format(size=size))
        rng = np.random.default_rng([seed, size])
        taus = np.concatenate(list(_taus(scores, size, resamples, rng)))
        known = taus[~np.isnan(taus)]
        told = (float(known.mean()), float(known.std())) if len(known) else (float("nan"),) * 2
        found.append(Stability(metric, size, *told, len(taus) - len(known)))
    return found


def sizes_up_to(most: int) -> list[int]:
    """5, 10, 20, 50, 100, … and the whole."""
    found = [
        step * 10**power
        for power in range(len(str(most)))
        for step in SERIES
        if FEWEST <= step * 10**power < most
    ]
    return [*found, most]


def _scored(scores: Floats) -> Floats:
    """Without inputs on which no system has a score."""
    kept = scores[:, ~np.isnan(scores).all(axis=0)]
    if not kept.shape[1]:
        raise InputError(_("No input has a score."))
    return kept


def _taus(scores: Floats, size: int, resamples: int, rng: np.random.Generator) -> list[Floats]:
    systems = len(scores)
    found = []
    for part in steps(resamples, 2 * max(size, scores.shape[1], systems * systems)):
        one, two = (_means(scores, part.stop - part.start, size, rng) for __ in range(2))
        found.append(correlate_rows(one, two, ["kendall"])["kendall"])
    return found


def _mean_variance(scores: Floats, size: int, resamples: int, rng: np.random.Generator) -> float:
    parts = [
        _means(scores, part.stop - part.start, size, rng)
        for part in steps(resamples, max(size, scores.shape[1]))
    ]
    return float(np.nanmean(np.nanvar(np.concatenate(parts), axis=0)))


def _means(scores: Floats, resamples: int, size: int, rng: np.random.Generator) -> Floats:
    """System means on inputs drawn with replacement: resamples × systems."""
    width = scores.shape[1]
    drawn = rng.integers(width, size=(resamples, size), dtype=np.intp)
    return weigh_rows(scores, count_places(drawn, width))
