"""Orders that regressors predict: one at hand, or ones that never saw the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.easiness.cases import cases_of
from scoring.easiness.features import SentenceCase
from scoring.easiness.regressors import DAMAGE, EASINESS, MODELS, as_easiness, load_regressor
from scoring.easiness.training import Options, choose_folds, hold_out, read_rows
from scoring.errors import InputError
from scoring.planning.mix import Order
from scoring.planning.orders import true_damage, true_easiness
from scoring.planning.study import UnitStudy, UnitTexts
from scoring.planning.tables import SentenceTables
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
K = 5  # folds, where none are given


def predict_order(texts: UnitTexts, regressor: str = "") -> Floats:
    """Easiness of each sentence by a regressor's name or file; the less damage, the easier."""
    found = load_regressor(regressor)
    return np.array(as_easiness(found.predict(cases_of(texts)), found.target))


def hold_out_orders(
    study: UnitStudy,
    names: Sequence[str] = MODELS,
    folds: Sequence[Path] = (),
    *,
    seed: int = 0,
) -> dict[str, Order]:
    """By name of the regressor, what one that learned from the other folds says of each sentence.

    `damage` learns from what the study's own judge did. Folds are of documents: files, or drawn.
    """
    if not names:
        return {}
    cases = cases_of(study.own_texts)
    return {name: _hold_out(name, study, cases, folds, seed) for name in names}


def _hold_out(
    name: str, study: UnitStudy, cases: Sequence[SentenceCase], folds: Sequence[Path], seed: int
) -> Floats:
    options = _options(name, seed)
    found, __ = hold_out(
        read_rows(cases, options.features),
        _targets(study, options.target),
        [sentence.document for sentence in study.sentences],
        choose_folds(study.documents, folds, k=min(K, len(study.documents)), seed=seed),
        options,
    )
    return np.array(as_easiness(found.tolist(), options.target))


def _options(name: str, seed: int) -> Options:
    if name not in MODELS:
        raise InputError(
            _("There is no regressor '{name}'. Known: {models}.").format(
                name=name, models=", ".join(MODELS)
            )
        )
    if name == DAMAGE:
        return Options(target=DAMAGE, seed=seed)
    return Options(features=name, target=EASINESS, seed=seed)


def _targets(study: UnitStudy, target: str) -> Floats:
    if target == DAMAGE:
        return true_damage(SentenceTables.of(study)) * len(study.documents)
    return true_easiness(study.own_texts)
