"""The ranker of candidate facts: a small XGBoost model, and weights that count units, as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import xgboost as xgb
from numpy.typing import NDArray

from scoring.stu.rich.features import FEATURES

FORMAT = 1
SHIPPED = "stu_ranker.json"
ROUNDS = 120
OPTIONS: dict[str, Any] = {
    "objective": "reg:squarederror",
    "max_depth": 4,
    "eta": 0.08,
    "subsample": 0.7,
    "colsample_bytree": 0.5,
    "min_child_weight": 10,
    "tree_method": "hist",
    # One thread, and the same trees on every machine.
    "nthread": 1,
}

Floats = NDArray[np.float32]


class StuRanker:
    """A trained ranker."""

    def __init__(self, booster: xgb.Booster, counts: Sequence[float]) -> None:
        self._booster = booster
        self.counts = tuple(counts)
        self.version = f"ranker-{hashlib.sha256(self.to_bytes()).hexdigest()[:12]}"

    def rank(self, rows: Floats) -> Floats:
        return np.asarray(self._booster.inplace_predict(rows), dtype=np.float32)

    def to_bytes(self) -> bytes:
        model = json.loads(bytes(self._booster.save_raw("json")))
        found = {
            "format": FORMAT,
            "features": list(FEATURES),
            "counts": self.counts,
            "model": model,
        }
        return (json.dumps(found, separators=(",", ":")) + "\n").encode()


def fit_ranker(rows: Floats, nearness: Floats, counts: Sequence[float], *, seed: int = 0) -> StuRanker:
    """Train on candidates whose nearness to human units is known."""
    options = OPTIONS | {"seed": seed}
    return StuRanker(xgb.train(options, xgb.DMatrix(rows, nearness), ROUNDS), counts)


def read_ranker(data: bytes, name: str) -> StuRanker:
    try:
        found = json.loads(data)
    except ValueError as error:
        raise ValueError(f"{name} is no JSON: {error}.") from error
    if found.get("format") != FORMAT or tuple(found.get("features", ())) != FEATURES:
        raise ValueError(f"{name} was made by another version of Giza. Train the ranker anew.")
    booster = xgb.Booster({"nthread": 1})
    booster.load_model(bytearray(json.dumps(found["model"]).encode()))
    return StuRanker(booster, found["counts"])


def write_ranker(path: Path, ranker: StuRanker) -> None:
    path.write_bytes(ranker.to_bytes())


@cache
def load_shipped() -> StuRanker:
    """The ranker that comes with Giza."""
    return read_ranker(files("scoring.backends.models").joinpath(SHIPPED).read_bytes(), SHIPPED)
