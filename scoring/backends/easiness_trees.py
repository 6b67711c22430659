"""XGBoost regressors of easiness: trained in a second, kept as JSON with their card."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import xgboost as xgb
from numpy.typing import NDArray

from scoring.easiness.features import FEATURES, PAPER, READERS, SentenceCase
from scoring.easiness.regressors import EASINESS, TARGETS
from scoring.errors import InputError
from scoring.translation import gettext as _

Rows = NDArray[np.float32]

FORMAT = 1
# One thread, and the same trees on every machine.
ALWAYS: dict[str, Any] = {"objective": "reg:squarederror", "nthread": 1, "verbosity": 0}
# As published (A.3).
PUBLISHED: dict[str, Any] = {"max_depth": 3, "eta": 0.1}
ROUNDS = {"paper": 40, "giza": 50}
# Four trees a round, each from a part of the sentences and features: a study has few sentences.
OPTIONS: dict[str, dict[str, Any]] = {
    "paper": PUBLISHED,
    "giza": PUBLISHED
    | {
        "num_parallel_tree": 4,
        "min_child_weight": 8,
        "subsample": 0.6,
        "colsample_bynode": 0.3,
        "reg_lambda": 5,
    },
}


class EasinessTrees:
    """A regressor: the features it reads, and its trees."""

    def __init__(
        self, features: str, booster: xgb.Booster, card: dict[str, Any], version: str = ""
    ) -> None:
        self.features = features
        self.name = str(card.get("name") or features)
        self.target = str(card.get("target") or EASINESS)
        self.version = version or str(card.get("version") or "")
        self._card = card
        self._booster = booster

    @property
    def card(self) -> dict[str, Any]:
        return dict(self._card)

    def predict(self, sentences: Sequence[SentenceCase]) -> list[float]:
        read = READERS[self.features]
        return self.predict_rows([read(sentence) for sentence in sentences])

    def predict_rows(self, rows: Sequence[Sequence[float]] | Rows) -> list[float]:
        """From features in their order."""
        if len(rows) == 0:
            return []
        table = np.asarray(rows, dtype=np.float32)
        return [float(value) for value in self._booster.inplace_predict(table)]

    def to_json(self) -> dict[str, Any]:
        model = json.loads(bytes(self._booster.save_raw("json")))
        return {
            "format": FORMAT,
            "card": self._card,
            "features": self.features,
            "names": list(FEATURES[self.features]),
            "model": model,
        }


def fit_regressor(
    rows: Rows,
    targets: NDArray[np.float64],
    features: str,
    *,
    card: dict[str, Any] | None = None,
    seed: int = 0,
) -> EasinessTrees:
    """Train on sentences whose target is known."""
    if len(rows) < 2:
        raise InputError(
            _("A regressor can't be trained on {rows} sentences. Give more.").format(rows=len(rows))
        )
    options = ALWAYS | OPTIONS[features] | {"seed": seed}
    booster = xgb.train(options, xgb.DMatrix(rows, targets, nthread=1), ROUNDS[features])
    return EasinessTrees(features, booster, card or {"name": features})


def describe(features: str) -> dict[str, Any]:
    """How regressors of a kind are trained, for the card."""
    return {"rounds": ROUNDS[features], **OPTIONS[features]}


def write_regressor(path: Path, regressor: EasinessTrees) -> None:
    text = json.dumps(regressor.to_json(), separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


@cache
def load_shipped(name: str) -> EasinessTrees:
    """A regressor that comes with Giza."""
    with as_file(files("scoring.backends.models").joinpath(f"easiness_{name}.json")) as path:
        return load_file(path)


def load_file(path: Path) -> EasinessTrees:
    """One that was trained here, or one as XGBoost writes it, with the 69 published features."""
    data = path.read_bytes()
    version = hashlib.sha256(data).hexdigest()[:12]
    try:
        found = json.loads(data)
    except ValueError as error:
        raise InputError(
            _("{path} is not valid JSON: {error}.").format(path=path.name, error=error)
        ) from error
    if not isinstance(found, dict) or not {"format", "learner"} & found.keys():
        raise InputError(
            _("{path} is not a regressor: it has neither a card nor a learner.").format(
                path=path.name
            )
        )
    if "format" in found:
        return _own(path, found, version)
    booster = _read_booster(path, data)
    if booster.num_features() != len(PAPER):
        raise InputError(
            _("{path} has {num_features} features; the published regressors have {paper}.").format(
                path=path.name, num_features=booster.num_features(), paper=len(PAPER)
            )
        )
    return EasinessTrees("paper", booster, {"name": path.stem}, version)


def _own(path: Path, found: dict[str, Any], version: str) -> EasinessTrees:
    features, card = str(found.get("features")), found.get("card")
    names = tuple(found.get("names", ()))
    if found["format"] != FORMAT or names != FEATURES.get(features) or not isinstance(card, dict):
        raise InputError(
            _("{path} was created by another version of Giza. Train it again.").format(
                path=path.name
            )
        )
    if card.get("target") not in TARGETS:
        raise InputError(
            _("{path} predicts '{target}', which is unknown.").format(
                path=path.name, target=card.get("target")
            )
        )
    booster = _read_booster(path, json.dumps(found.get("model")).encode())
    return EasinessTrees(features, booster, card, version)


def _read_booster(path: Path, data: bytes) -> xgb.Booster:
    booster = xgb.Booster({"nthread": 1})
    try:
        with xgb.config_context(verbosity=0):  # the released ones are of an old version, and load
            booster.load_model(bytearray(data))
    except xgb.core.XGBoostError as error:
        raise InputError(
            _("{path} doesn't contain an XGBoost model.").format(path=path.name)
        ) from error
    return booster
