"""Calibration for another study: a temperature and a shift, from a handful of its labels.

A judge is calibrated to the texts and the people that it learned from. Elsewhere units may be
present more often, or people stricter. Two numbers adapt it: its logit is divided by the
temperature (Guo et al. 2017) and moved by the shift, as under another share of present units
(Saerens et al. 2002). Both are drawn towards 1 and 0, so that few labels change little. The order
of units by presence stays as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scoring.errors import InputError
from scoring.translation import gettext as _

Floats = NDArray[np.float64]

# How far a temperature's logarithm and a shift are from 0 in studies that differ: a normal prior.
SPREAD_OF_TEMPERATURE, SPREAD_OF_SHIFT = 0.5, 1.0
EDGE = 1e-4  # presence of 0 and 1 has no logit
PARTS = 5


@dataclass(frozen=True, slots=True)
class Recalibration:
    """What to do to presence; the default does nothing."""

    temperature: float = 1.0
    shift: float = 0.0

    def __call__(self, presence: Sequence[float] | Floats) -> Floats:
        return _sigmoid(_logit(presence) / self.temperature + self.shift)


def fit_recalibration(
    presence: Sequence[float] | Floats, labels: Sequence[int] | Floats
) -> Recalibration:
    """The likeliest temperature and shift, given the labels and the prior."""
    logits, target = _logit(presence), np.asarray(labels, dtype=np.float64)
    if not len(target) or len(target) != len(logits):
        raise InputError(
            _("{target} labels and {logits} predictions: give one of each.").format(
                target=len(target), logits=len(logits)
            )
        )

    def cost(values: Floats) -> float:
        scaled = logits * np.exp(-values[0]) + values[1]
        loss = np.logaddexp(0, scaled) - target * scaled
        prior = (values[0] / SPREAD_OF_TEMPERATURE) ** 2 + (values[1] / SPREAD_OF_SHIFT) ** 2
        return float(loss.sum() + prior / 2)

    found = minimize(cost, np.zeros(2), method="L-BFGS-B", bounds=[(-3, 3), (-6, 6)]).x
    return Recalibration(float(np.exp(found[0])), float(found[1]))


def cross_fit(
    presence: Sequence[float] | Floats, labels: Sequence[int] | Floats, groups: Sequence[str]
) -> Floats:
    """Presence as adapted by the labels of other groups (documents): what to expect of new ones."""
    values, target = np.asarray(presence, np.float64), np.asarray(labels, np.float64)
    order = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    parts = np.array([order[name] for name in groups]) % min(PARTS, len(order))
    if len(order) < 2:
        raise InputError(_("Cross-fitting needs labels of at least two documents."))
    found = np.empty(len(values))
    for part in np.unique(parts):
        inside = parts == part
        fitted = fit_recalibration(values[~inside], target[~inside])
        found[inside] = fitted(values[inside])
    return found


def _logit(presence: Sequence[float] | Floats) -> Floats:
    values = np.clip(np.asarray(presence, dtype=np.float64), EDGE, 1 - EDGE)
    return np.asarray(np.log(values / (1 - values)))


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)))
