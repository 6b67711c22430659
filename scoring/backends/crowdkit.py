"""Votes that model the people who answered, from the `crowd-kit` library."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from crowdkit.aggregation import GLAD, MACE, DawidSkene, MajorityVote, Wawa
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
    if len(np.unique(labels)) < 2:
        # People who never differ leave a model nothing to learn.
        posterior[statements] = labels
        return posterior
    frame = put_in_order(statements, workers, labels)
    with warnings.catch_warnings():
        # The library speaks to pandas in ways that pandas 4 will drop; the version is pinned.
        warnings.simplefilter("ignore", DeprecationWarning)
        found = _infer(name, frame, seed)
    posterior[found.index.to_numpy()] = found[1].to_numpy()
    return posterior


def put_in_order(
    statements: NDArray[np.int64], workers: NDArray[np.int64], labels: NDArray[np.int8]
) -> Any:
    """The answers as a frame, workers and rows in an order that the answers alone decide.

    What workers are called, and who came first, must not change what a model starts from.
    """
    rows = np.lexsort((labels, statements, workers))
    given = (2 * statements[rows] + labels[rows]).astype(">i8")
    starts = np.flatnonzero(np.diff(workers[rows], prepend=-1))
    by_worker = [part.tobytes() for part in np.split(given, starts[1:])]
    ranks = np.empty(len(by_worker), dtype=np.int64)
    ranks[sorted(range(len(by_worker)), key=by_worker.__getitem__)] = np.arange(len(by_worker))
    codes = np.repeat(ranks, np.diff([*starts, len(rows)]))
    frame = pd.DataFrame({"task": statements[rows], "worker": codes, "label": labels[rows]})
    return frame.sort_values(["task", "worker", "label"], ignore_index=True)


def _infer(name: str, frame: Any, seed: int) -> Any:
    if name == "wawa":
        # `Wawa.predict_proba` does this after a check that scikit-learn 1.7 and later refuse.
        return MajorityVote().fit_predict_proba(frame, skills=Wawa().fit(frame).skills_)
    if name == "mace":
        # With a seed, every restart of this MACE starts from the same point: one is enough.
        return MACE(random_state=seed, n_restarts=1).fit_predict_proba(frame)
    model = {"dawid-skene": DawidSkene, "glad": GLAD}[name]()
    return model.fit_predict_proba(frame)
