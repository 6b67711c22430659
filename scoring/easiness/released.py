"""How near the embedded trees come to those that the released regressors learned from.

The trees were not released, but a choice made with them was: the half of each study's sentences
that one released regressor found easiest, which have STUs in the released mixed units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.planning.study import UnitTexts
from scoring.translation import gettext as _

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ChoiceAgreement:
    """Of the sentences with SCUs: how many are chosen alike, and how well they are told apart.

    `auc` is the probability that a chosen sentence has a higher prediction than one that is not.
    """

    sentences: int
    share: float
    auc: float


def read_choice(texts: UnitTexts, mixed: Sequence[Sequence[str]]) -> Floats:
    """1 for a sentence that gave way to STUs in *mixed*, 0 for one that kept SCUs, nan: no SCU.

    The released sentences were cut a little differently, so that a few have some of their SCUs.
    Such a sentence goes by the half.
    """
    kept = dict(zip(texts.documents, map(set, mixed), strict=True))
    scus = dict(zip(texts.documents, texts.scus, strict=True))
    found = np.full(len(texts.sentences), np.nan)
    for place, row in enumerate(texts.sentences):
        own = [scus[row.document][scu] in kept[row.document] for scu in row.scus]
        if own:
            found[place] = float(np.mean(own) < 0.5)
    return found


def compare_choice(chosen: Floats, predicted: Floats) -> ChoiceAgreement:
    """Take as many sentences as were chosen, the easiest first, and see which are the same."""
    from scipy import stats

    known = ~np.isnan(chosen)
    was, value = chosen[known] == 1, predicted[known]
    if was.all() or not was.any():
        raise InputError(_("All sentences were selected, or none: there is nothing to compare."))
    taken = np.zeros(len(was), dtype=bool)
    taken[np.argsort(-value, kind="stable")[: was.sum()]] = True
    above = stats.mannwhitneyu(value[was], value[~was]).statistic
    return ChoiceAgreement(
        len(was), float((taken == was).mean()), float(above / (was.sum() * (~was).sum()))
    )
