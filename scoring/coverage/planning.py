"""Studies of units and sentences: gains of orders over random ones, and of easiness over its mean.

Systems are given and documents drawn. As in `held_out`, the truth is the mean of a figure over many
draws, since few documents do not give what all documents of the kind would.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.coverage.studies import Found, Random, holds, names, seed_of
from scoring.easiness.training import measure
from scoring.planning.curves import LEVELS, Gain, draw_curves
from scoring.planning.study import SentenceUnits, UnitStudy

Floats = NDArray[np.float64]

SYSTEMS, SENTENCES, UNITS = 12, 3, 3
PERCENTAGES = (0, 25, 50, 75, 100)
RESAMPLES, ORDERS = 500, 5
DRAWS = 400  # of which the truth is the mean
SEED = 21


def curve_gain(documents: int, rng: Random) -> Found:
    """An order that knows something of how well STUs replace each sentence's SCUs."""
    study, order = make_units(documents, rng)
    for level in LEVELS:
        found, truth = _gain(study, order, level, seed_of(rng)), _true_gain(documents)[level]
        bounds = (found.area_low, found.area_high), (found.half_low, found.half_high)
        for name, (low, high), value in zip(("average", "half"), bounds, truth, strict=True):
            yield f"{level} level, {name}", holds(low, high, value)


def make_units(documents: int, rng: Random) -> tuple[UnitStudy, Floats]:
    """STUs err more often in hard sentences; the order sees how easy each is through noise."""
    errors = rng.uniform(0.05, 0.5, (documents, SENTENCES))
    chances = np.linspace(0.3, 0.7, SYSTEMS)[:, None] + rng.uniform(-0.2, 0.2, SENTENCES * UNITS)
    scus = [(rng.random(chances.shape) < chances).astype(float) for _ in range(documents)]
    wrong = [rng.random(chances.shape) < np.repeat(row, UNITS) for row in errors]
    stus = [np.where(err, 1 - each, each) for err, each in zip(wrong, scus, strict=True)]
    keys = names("d", documents)
    sentences = tuple(
        SentenceUnits(key, place, "", units, units)
        for key in keys
        for place in range(SENTENCES)
        for units in [tuple(range(place * UNITS, (place + 1) * UNITS))]
    )
    gold = np.array([each.mean(axis=1) for each in scus])
    study = UnitStudy(keys, names("s", SYSTEMS), sentences, scus, stus, gold)
    return study, -errors.ravel() + rng.normal(0, 0.1, errors.size)


def _gain(study: UnitStudy, order: Floats, level: str, seed: int, most: int = RESAMPLES) -> Gain:
    curves = draw_curves(
        study, {"known": order}, percentages=PERCENTAGES, seeds=ORDERS, bootstrap=most, seed=seed
    )
    return curves.gain("known", level)


@cache
def _true_gain(documents: int) -> dict[str, tuple[float, float]]:
    rng = np.random.default_rng(SEED)
    drawn: dict[str, list[tuple[float, float]]] = {level: [] for level in LEVELS}
    for _ in range(DRAWS):
        study, order = make_units(documents, rng)
        for level in LEVELS:
            found = _gain(study, order, level, seed_of(rng), most=1)
            drawn[level].append((found.area, found.half))
    means = {level: np.mean(values, axis=0) for level, values in drawn.items()}
    return {level: (float(area), float(half)) for level, (area, half) in means.items()}


def easiness_gain(documents: int, rng: Random) -> Found:
    """By how much a regressor's error is below that of the mean, 1 to 6 sentences per document."""
    owners = np.repeat(np.arange(documents), rng.integers(1, 7, documents))
    own = rng.normal(0, 0.08, documents)[owners]
    errors, mean_errors = (
        np.abs(scale + own + rng.normal(0, 0.1, len(owners))) for scale in (0.2, 0.3)
    )
    targets = np.full(len(owners), 0.5)
    found = measure(
        targets,
        targets + errors,
        targets + mean_errors,
        [f"d{owner}" for owner in owners],
        seed=seed_of(rng),
    )
    yield "of the mean", holds(found.gain_low, found.gain_high, _true_error_gap())


@cache
def _true_error_gap() -> float:
    rng = np.random.default_rng(SEED)
    size = 1_000_000
    spread = np.hypot(0.08, 0.1)
    return float(
        np.mean(np.abs(rng.normal(0.3, spread, size)) - np.abs(rng.normal(0.2, spread, size)))
    )
