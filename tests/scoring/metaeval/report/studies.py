"""Small studies for tests of reports: what people say, and metrics that follow it more or less."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.metaeval.report import ReportOptions, build_report
from scoring.metaeval.study import Study

FEW = ReportOptions(resamples=30)


def make_study(
    systems: int = 12,
    documents: int = 16,
    *,
    judged: int | None = None,
    noise: dict[str, float] | None = None,
    seed: int = 3,
) -> Study:
    """Metrics are people's scores and noise; half of the systems are extractive."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.2, 0.8, systems)[:, None]
    people = quality + rng.normal(0, 0.05, (systems, documents))
    noise = {"good": 0.02, "fair": 0.3, "poor": 5.0} if noise is None else noise
    scores = {
        name: people + rng.normal(0, size, (systems, documents)) for name, size in noise.items()
    }
    if judged is not None:
        people = people.copy()
        people[:, judged:] = np.nan
    names = tuple(f"s{place:02d}" for place in range(systems))
    kinds = {name: ("extractive", "abstractive")[place % 2] for place, name in enumerate(names)}
    return Study(
        names, tuple(f"d{at}" for at in range(documents)), kinds, "gold", {"gold": people} | scores
    )


def make_record(study: Study | None = None, **options: Any) -> dict[str, Any]:
    chosen = ReportOptions(**{"resamples": 30, **options})
    return build_report(study or make_study(), chosen)
