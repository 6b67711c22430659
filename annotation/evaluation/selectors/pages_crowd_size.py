"""What other numbers of people a HIT would give, from the answers at hand."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from annotation.computed import Computed
from annotation.errors import DomainError
from annotation.evaluation.selectors.whatif import Outcome
from annotation.translation import gettext as _
from scoring.aggregation.simulation import Outlook, outlook

MOST = 6
ROUNDS = 40
OUTLOOKS = Computed("judges", list[Outlook], 86_400)


@dataclass(frozen=True, slots=True)
class CrowdSizes:
    """Outlooks for one judge and more, and how many a statement has had so far."""

    rows: list[Outlook]
    usual: float
    most: int

    def row(self, judges: int) -> Outlook | None:
        return next((row for row in self.rows if row.judges == judges), None)


def get_crowd_sizes(outcome: Outcome, seed: int = 0) -> CrowdSizes:
    """Reckoned once for the same answers, people left out and seed."""
    if not outcome.counts.any():
        raise DomainError(
            _("There are no included answers to draw workers from."), _("Relax a rule.")
        )
    rows = OUTLOOKS.get(
        (_mark(outcome), seed),
        lambda: [_outlook(outcome, judges, seed) for judges in range(1, MOST + 1)],
    )
    answered = outcome.counts.sum(axis=1)
    answered = answered[answered > 0]
    return CrowdSizes(rows, float(answered.mean()), int(answered.max()))


def _outlook(outcome: Outcome, judges: int, seed: int) -> Outlook:
    recipe = outcome.aggregate.recipe
    return outlook(
        outcome.collected.answers,
        judges,
        kept=outcome.aggregate.kept,
        rounds=ROUNDS,
        seed=seed,
        tie=recipe.tie,
        weights=outcome.collected.weights.astype(np.int64),
    )


def _mark(outcome: Outcome) -> str:
    digest = hashlib.sha256(outcome.collected.answers.content_hash().encode())
    digest.update(np.packbits(outcome.aggregate.kept).tobytes())
    digest.update(outcome.aggregate.recipe.tie.encode())
    return digest.hexdigest()[:32]
