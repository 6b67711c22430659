"""Ridge regression on standardised features, and its predictions for documents left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.errors import InputError
from scoring.metrics.protocol import Floats
from scoring.translation import gettext as _


@dataclass(frozen=True, slots=True, eq=False)
class Ridge:
    """y = intercept + Σ weights × (features − means) / scales; what is not known is as the mean."""

    means: Floats
    scales: Floats
    weights: Floats
    intercept: float

    def predict(self, features: Floats) -> Floats:
        standard = (np.where(np.isnan(features), self.means, features) - self.means) / self.scales
        return np.asarray(self.intercept + standard @ self.weights)


def fit_ridge(features: Floats, targets: Floats, penalty: float) -> Ridge:
    """The weights with the least squared error plus *penalty* times their squares."""
    if len(features) < 2:
        raise InputError(
            _("Training needs at least 2 summaries, not {features}.").format(features=len(features))
        )
    if penalty <= 0:
        raise InputError(_("The penalty must be above 0, not {penalty:g}.").format(penalty=penalty))
    means = np.nanmean(features, axis=0)
    spread = np.nanstd(features, axis=0)
    scales = np.where(spread > 0, spread, 1.0)
    standard = (np.where(np.isnan(features), means, features) - means) / scales
    middle = float(targets.mean())
    squares = standard.T @ standard + penalty * np.eye(standard.shape[1])
    weights = np.linalg.solve(squares, standard.T @ (targets - middle))
    return Ridge(means, scales, weights, middle)


def predict_left_out(
    features: Floats,
    targets: Floats,
    groups: Sequence[str],
    *,
    penalty: float,
    folds: int,
    seed: int,
) -> Floats:
    """Each group, a document, is predicted by what was learnt from those of other folds."""
    names = sorted(set(groups))
    if not 2 <= folds <= len(names):
        raise InputError(
            _("{names} documents can't be cut into {folds} folds.").format(
                names=len(names), folds=folds
            )
        )
    shuffled = np.random.default_rng(seed).permutation(names)
    fold_of = {str(name): place % folds for place, name in enumerate(shuffled)}
    places = np.array([fold_of[name] for name in groups])
    found = np.empty(len(targets))
    for fold in range(folds):
        held = places == fold
        found[held] = fit_ridge(features[~held], targets[~held], penalty).predict(features[held])
    return found
