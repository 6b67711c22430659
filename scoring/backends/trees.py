"""The embedded judges' model: a small XGBoost model, trained in seconds and kept as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xgboost as xgb
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.judge.frequencies import DocumentFrequencies, load_frequencies, parse_frequencies
from scoring.translation import gettext as _

Rows = NDArray[np.float32]

# 1: read with the table of frequencies that ships; 2: with a table of its own, in the same file.
FORMATS = (1, 2)
ROUNDS = 150
OPTIONS: dict[str, Any] = {
    "objective": "binary:logistic",
    "max_depth": 5,
    "eta": 0.05,
    "subsample": 0.7,
    "colsample_bytree": 0.2,
    "min_child_weight": 60,
    "reg_lambda": 10,
    "tree_method": "hist",
    # One thread, and the same trees on every machine.
    "nthread": 1,
}
# Labels for each unit of min_child_weight, where there are too few for all of it: with the whole
# of it, no tree could split fewer than about 700 labels, and every unit would get the same value.
LABELS_A_WEIGHT = 30


class Trees:
    """A model, the names of the features that it asks for, and the table that words weigh by."""

    def __init__(
        self,
        features: Sequence[str],
        booster: xgb.Booster,
        frequencies: DocumentFrequencies | None = None,
    ) -> None:
        self.features = tuple(features)
        self.frequencies = frequencies or load_frequencies()
        self._booster = booster

    def judge(self, rows: Rows) -> NDArray[np.float32]:
        """A logit of presence for each row."""
        found = self._booster.inplace_predict(rows, predict_type="margin")
        return np.asarray(found, dtype=np.float32)

    def to_json(self) -> dict[str, Any]:
        model = json.loads(bytes(self._booster.save_raw("json")))
        found = {"format": FORMATS[0], "features": list(self.features), "model": model}
        if self.frequencies is load_frequencies():
            return found
        return found | {"format": FORMATS[1], "frequencies": self.frequencies.to_json()}


def options_for(labels: int) -> dict[str, Any]:
    """How trees are grown on so many labels."""
    least = min(OPTIONS["min_child_weight"], labels / LABELS_A_WEIGHT)
    return OPTIONS | {"min_child_weight": least}


def fit_trees(
    rows: Rows,
    labels: NDArray[np.int64],
    features: Sequence[str],
    *,
    seed: int = 0,
    frequencies: DocumentFrequencies | None = None,
    weights: NDArray[np.float64] | None = None,
    rounds: int = ROUNDS,
    columns: float = OPTIONS["colsample_bytree"],
) -> Trees:
    """Train on labelled pairs; `columns` is the share of the features that a tree sees."""
    if len(set(labels.tolist())) < 2:
        raise InputError(
            _("All labels are the same. Training a judge needs both present and absent units.")
        )
    options = options_for(len(labels)) | {"seed": seed, "colsample_bytree": columns}
    booster = xgb.train(options, xgb.DMatrix(rows, labels, weight=weights), rounds)
    return Trees(features, booster, frequencies)


def write_trees(path: Path, trees: Trees) -> None:
    text = json.dumps(trees.to_json(), separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


def read_trees(path: Path, features: Sequence[str]) -> tuple[Trees, str]:
    """A model and the hash of its file; it must have been trained on just these features."""
    data = path.read_bytes()
    try:
        found = json.loads(data)
    except ValueError as error:
        raise InputError(
            _("{path} is not valid JSON: {error}.").format(path=path, error=error)
        ) from error
    if found.get("format") not in FORMATS or tuple(found.get("features", ())) != tuple(features):
        raise InputError(
            _("{path} was created by another version of Giza. Train the judge again.").format(
                path=path
            )
        )
    booster = xgb.Booster({"nthread": 1})
    booster.load_model(bytearray(json.dumps(found["model"]).encode()))
    own = found.get("frequencies")
    frequencies = parse_frequencies(own) if own else None
    return Trees(features, booster, frequencies), hashlib.sha256(data).hexdigest()
