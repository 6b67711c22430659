"""The training-free, reference-free metric of Chen, Li and King (2021).

Relevance to the central sentences of each source, less what the summary repeats. Every part that
the paper takes away in its ablations (§5.2), and the form on MoverScore (§5.3), is an option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import ENCODER, LAYER, Vectors
from scoring.metrics.hybrid import Hybrid
from scoring.metrics.protocol import Floats, Value
from scoring.metrics.pseudo import (
    PSEUDO_OPTIONS,
    AgainstPseudo,
    PseudoReference,
    PseudoRule,
)
from scoring.metrics.relevance import (
    combine,
    find_beta_squared,
    mean_relevance,
    score_redundancy,
    score_relevance,
    weigh_hybrid,
)
from scoring.metrics.transport import move, move_within, share_evenly
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

NAME = "reference_free"
F1, FBETA = "f1", "fbeta"
BERTSCORE, MOVERSCORE = "bertscore", "moverscore"
OPTIONS: tuple[Option, ...] = (
    ENCODER,
    LAYER,
    Option("measure", F1, gettext_lazy("F1, or F-beta with a recall weight that depends on "
                                       "length"), (F1, FBETA)),
    Option("form", BERTSCORE, gettext_lazy("greedy matching or mover's "
                                           "distance"), (BERTSCORE, MOVERSCORE)),
    *PSEUDO_OPTIONS,
    Option("centrality", True, gettext_lazy("weight the pseudo reference by centrality")),
    Option("hybrid", True, gettext_lazy("use sentence vectors in addition to word pieces")),
    Option("redundancy", True, gettext_lazy("subtract redundancy within the summary")),
    Option("gamma", 2.0, gettext_lazy("how slowly recall's weight grows with the pseudo "
                                      "reference's length")),
    Option("lambda", 0.6, gettext_lazy("weight of redundancy, above 0 and up to 1")),
)  # fmt: skip


class ReferenceFree(AgainstPseudo):
    """Relevance, redundancy and the score of a summary against its documents."""

    def score_row(self, summary: Hybrid, documents: Sequence[PseudoReference]) -> Floats:
        """Zeros for an empty summary; an empty document is relevant to nothing."""
        rows = self._rows(summary)
        if not len(rows):
            return np.zeros(len(self.columns))
        relevance = mean_relevance([self._relevance(rows, one) for one in documents])
        redundancy = self._redundancy(rows)
        scale = float(self.options["lambda"])
        score = combine(relevance, redundancy, scale) if self.options["redundancy"] else relevance
        return np.array([relevance, redundancy, score])

    def _rows(self, text: Hybrid) -> Vectors:
        return text.rows if self.options["hybrid"] else text.pieces

    def _relevance(self, summary: Vectors, document: PseudoReference) -> float:
        rows = self._rows(document.hybrid)
        if not len(rows):
            return 0.0
        weights = self._weights(document)
        if self.options["form"] == MOVERSCORE:
            return 1 - move(summary, rows, share_evenly(len(summary)), weights)
        if self.options["measure"] == F1:
            return score_relevance(summary, rows, weights)
        beta = find_beta_squared(len(rows), len(summary), float(self.options["gamma"]))
        return score_relevance(summary, rows, weights, beta)

    def _weights(self, document: PseudoReference) -> Floats:
        hybrid = document.hybrid
        weights = document.weights if self.options["centrality"] else np.ones(len(document.weights))
        if self.options["hybrid"]:
            return weigh_hybrid(weights, hybrid.sentence_of_piece)
        of_pieces = weights[hybrid.sentence_of_piece]
        total = of_pieces.sum()
        return of_pieces / total if total > 0 else share_evenly(len(of_pieces))

    def _redundancy(self, rows: Vectors) -> float:
        if self.options["form"] == MOVERSCORE:
            return 1 - move_within(rows) if len(rows) > 1 else 0.0
        return score_redundancy(rows)


def load(options: Mapping[str, Value]) -> ReferenceFree:
    scale, gamma = float(options["lambda"]), float(options["gamma"])
    if not 0 < scale <= 1:
        raise InputError(
            _("reference_free: lambda must be above 0 and up to 1, not {scale:g}.").format(
                scale=scale
            )
        )
    if gamma <= 0:
        raise InputError(
            _("reference_free: gamma must be above 0, not {gamma:g}.").format(gamma=gamma)
        )
    if options["form"] == MOVERSCORE and options["measure"] == FBETA:
        raise InputError(
            _("reference_free: MoverScore is not an F-measure, so fbeta doesn't apply to it.")
        )
    PseudoRule.of_options(options)
    return ReferenceFree(
        dict(options), NAME, ("relevance", "redundancy", "score"), lower=frozenset({"redundancy"})
    )
