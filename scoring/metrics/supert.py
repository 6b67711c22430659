"""SUPERT (Gao, Zhao and Eger 2020), with PacSum's pseudo references as Chen et al. run it (§4.2).

Greedy matching of content pieces, all alike, or weighted by how few sentences of the source have
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import ENCODER, LAYER
from scoring.metrics.greedy import harmonic_mean, match_greedily, weigh
from scoring.metrics.hybrid import Hybrid
from scoring.metrics.protocol import Floats, Value
from scoring.metrics.pseudo import PSEUDO_OPTIONS, AgainstPseudo, PseudoReference, PseudoRule

NAME = "supert"
OPTIONS: tuple[Option, ...] = (ENCODER, LAYER, *PSEUDO_OPTIONS)


class Supert(AgainstPseudo):
    """F1 without weights, and with; the mean over documents."""

    def score_row(self, summary: Hybrid, documents: Sequence[PseudoReference]) -> Floats:
        return np.mean([_score(summary, document) for document in documents], axis=0)


def _score(summary: Hybrid, document: PseudoReference) -> tuple[float, float]:
    """0 where one side has no content piece."""
    told, asked = summary, document.hybrid
    if not len(told.pieces) or not len(asked.pieces):
        return 0.0, 0.0
    best, best_of_source = match_greedily(told.pieces, asked.pieces)
    plain = harmonic_mean(float(best.mean()), float(best_of_source.mean()))
    precision = weigh(best, document.rarity.weigh(told.ids))
    recall = weigh(best_of_source, document.rarity.weigh(asked.ids))
    return plain, harmonic_mean(precision, recall)


def load(options: Mapping[str, Value]) -> Supert:
    PseudoRule.of_options(options)
    return Supert(dict(options), NAME, ("f1", "f1_idf"))
