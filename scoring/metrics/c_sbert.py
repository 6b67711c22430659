"""C-SBERT (Sun and Nenkova 2019; Chen et al. 2021, §4.2): the cosine of summary and source.

A text is the mean of its sentences' vectors, a source its pseudo reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import ENCODER, LAYER, Vectors, unit_rows
from scoring.metrics.hybrid import Hybrid
from scoring.metrics.protocol import Floats, Value
from scoring.metrics.pseudo import PSEUDO_OPTIONS, AgainstPseudo, PseudoReference, PseudoRule

NAME = "c_sbert"
OPTIONS: tuple[Option, ...] = (ENCODER, LAYER, *PSEUDO_OPTIONS)


class CSbert(AgainstPseudo):
    """The mean cosine over documents; 0 for an empty text."""

    def score_row(self, summary: Hybrid, documents: Sequence[PseudoReference]) -> Floats:
        found = [compare_means(summary.means, document.hybrid.means) for document in documents]
        return np.array([np.mean(found)])


def compare_means(first: Vectors, second: Vectors) -> float:
    if not len(first) or not len(second):
        return 0.0
    return float(unit_rows(first.mean(axis=0)) @ unit_rows(second.mean(axis=0)))


def load(options: Mapping[str, Value]) -> CSbert:
    PseudoRule.of_options(options)
    return CSbert(dict(options), NAME, ("cosine",))
