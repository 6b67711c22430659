"""Votes that model the people who answered, from the `crowd-kit` library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from crowdkit.aggregation import GLAD, MACE, DawidSkene, Wawa
from numpy.typing import NDArray


def infer_posterior(
    name: str,
    *,
    statements: NDArray[np.int64],
    workers: NDArray[np.int64],
    labels: NDArray[np.int8],
    size: int,
    seed: int,
) -> NDArray[np.float64]:
    """The probability of *present* for each of *size* statements; nan where nobody answered."""
    posterior = np.full(size, np.nan)
    if len(labels):
        frame = pd.DataFrame({"task": statements, "worker": workers, "label": labels})
        found = _model(name, seed).fit_predict_proba(frame)
        # A label that nobody gave has no column.
        posterior[found.index.to_numpy()] = found[1].to_numpy() if 1 in found else 0.0
    return posterior


def _model(name: str, seed: int) -> Any:
    if name == "mace":
        # With a seed, every restart of this MACE starts from the same point: one is enough.
        return MACE(random_state=seed, n_restarts=1)
    return {"dawid-skene": DawidSkene, "glad": GLAD, "wawa": Wawa}[name]()
