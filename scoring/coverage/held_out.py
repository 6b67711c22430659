"""Held-out studies: labels and a judge's presence of units, in folds by examples or by systems.

Systems are given and documents drawn. The truth is the mean of a figure over many draws: that of a
fold of 10 documents is not that of all documents, since means of few documents are noisier.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from scoring.coverage.studies import Found, Random, holds
from scoring.judge.fold_figures import FoldFigures, measure_folds
from scoring.judge.held_out import HeldOutRecord

DOCUMENTS, SYSTEMS, UNITS, FOLDS = 50, 15, 8, 5
RESAMPLES = 200
FIGURES = ("accuracy", "summary_level", "system_level")
DRAWS = 300  # of which the truth is the mean
SEED = 20


def held_out(by: str, rng: Random) -> Found:
    found = measure_folds(make_records(by, rng), resamples=RESAMPLES, seed=int(rng.integers(2**31)))
    for name, truth in zip(FIGURES, _truth(by), strict=True):
        figure = getattr(found, name)
        yield name.replace("_", " "), holds(figure.low, figure.high, truth)


def make_records(by: str, rng: Random) -> list[HeldOutRecord]:
    """Documents differ in how hard they are, and a judge is right about more units than not."""
    chances = np.linspace(0.35, 0.65, SYSTEMS) + rng.uniform(-0.2, 0.2, (DOCUMENTS, 1))
    chances = chances + rng.uniform(-0.15, 0.15, chances.shape)
    labels = rng.random((DOCUMENTS, SYSTEMS, UNITS)) < chances[..., None]
    presence = 0.35 * labels + 0.65 * rng.random(labels.shape)
    return [
        HeldOutRecord(
            f"d{document}",
            f"s{system}",
            labels[document, system].astype(int).tolist(),
            presence[document, system].tolist(),
            fold=str((document if by == "examples" else system) % FOLDS),
        )
        for document in range(DOCUMENTS)
        for system in range(SYSTEMS)
    ]


@cache
def _truth(by: str) -> tuple[float, ...]:
    rng = np.random.default_rng(SEED)
    drawn = [_values(measure_folds(make_records(by, rng), resamples=1)) for _ in range(DRAWS)]
    return tuple(np.mean(drawn, axis=0).tolist())


def _values(found: FoldFigures) -> list[float]:
    return [getattr(found, name).value for name in FIGURES]
