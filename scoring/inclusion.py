"""The chance of each document to come into a sample by difficulty.

Estimates that weigh judged documents by how likely they were to be judged need these chances. With
one metric they are the shares of the bins. With two they can still be worked out. With more, what
a later metric may draw depends on all that earlier ones have drawn, and the chances are the means
over sample draws: not of how often a document came in, which is rare, but of the chance that each
draw gave it, so that a few hundred draws tell small chances well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AUTO, EXACT, MONTE_CARLO = "auto", "exact", "monte_carlo"
METHODS = (AUTO, EXACT, MONTE_CARLO)
# Metrics up to which chances are worked out.
MOST_EXACT = 2


@dataclass(frozen=True, eq=False)
class Chances:
    """By document. `error` is the largest standard error; 0 where chances are exact."""

    method: str
    values: Floats
    draws: int = 0
    error: float = 0.0


def describe_chances(
    bins: Ints, *, count: int, per_bin: int, method: str = AUTO, draws: int = 500, seed: int = 0
) -> Chances:
    """*bins* are metrics × documents, from 0 to *count* - 1, in the order of drawing."""
    if method not in METHODS:
        raise InputError(
            _("Unknown method for inclusion probabilities '{method}'. Known: {methods}.").format(
                method=method, methods=", ".join(METHODS)
            )
        )
    if method == EXACT and len(bins) > MOST_EXACT:
        raise InputError(
            _(
                "Exact inclusion probabilities need at most {most_exact} metrics, not {bins}. "
                "Use {monte_carlo}."
            ).format(most_exact=MOST_EXACT, bins=len(bins), monte_carlo=MONTE_CARLO)
        )
    if method == EXACT or (method == AUTO and len(bins) <= MOST_EXACT):
        return Chances(EXACT, _work_out(bins, count, per_bin))
    return _estimate(bins, count, per_bin, draws, seed)


def _work_out(bins: Ints, count: int, per_bin: int) -> Floats:
    sizes = np.bincount(bins[0], minlength=count)
    first = np.minimum(1.0, per_bin / np.maximum(sizes, 1))[bins[0]]
    if len(bins) == 1:
        return first
    shared = np.zeros((count, count), dtype=np.int64)
    np.add.at(shared, (bins[0], bins[1]), 1)
    later = np.zeros((count, count))
    for own, other in np.argwhere(shared):
        later[own, other] = _later(shared, sizes, int(own), int(other), per_bin)
    return first + (1 - first) * later[bins[0], bins[1]]


def _later(shared: Ints, sizes: Ints, own: int, other: int, per_bin: int) -> float:
    """The chance to be drawn by the second metric, not having been drawn by the first.

    How many others of its second bin are gone by then is a sum of hypergeometric numbers, one for
    each bin of the first metric; from its own bin the document itself was not drawn.
    """
    from scipy import stats

    gone = np.ones(1)
    for place, size in enumerate(sizes):
        self_ = place == own
        room, marked = int(size) - self_, int(shared[place, other]) - self_
        taken = min(per_bin, room)
        numbers = np.arange(min(marked, taken) + 1)
        gone = np.convolve(gone, stats.hypergeom.pmf(numbers, room, marked, taken))
    left = int(shared[:, other].sum()) - np.arange(len(gone))
    return float((gone * np.minimum(1.0, per_bin / np.maximum(left, 1))).sum())


def _estimate(bins: Ints, count: int, per_bin: int, draws: int, seed: int) -> Chances:
    if draws < 2:
        raise InputError(
            _("Inclusion probabilities need at least 2 draws, not {draws}.").format(draws=draws)
        )
    # Apart from the draw of the sample itself, which has the plain seed.
    rng = np.random.default_rng([seed, 1])
    members = [[np.flatnonzero(row == place) for place in range(count)] for row in bins]
    total, squares = np.zeros(bins.shape[1]), np.zeros(bins.shape[1])
    for __ in range(draws):
        found = _draw_chances(members, bins.shape[1], per_bin, rng)
        total += found
        squares += found**2
    mean = total / draws
    spread = np.maximum(squares / draws - mean**2, 0) / (draws - 1)
    return Chances(MONTE_CARLO, np.minimum(mean, 1.0), draws, float(np.sqrt(spread.max())))


def _draw_chances(
    members: Sequence[Sequence[Ints]], size: int, per_bin: int, rng: np.random.Generator
) -> Floats:
    """The chance that one draw gave each document, added up over metrics."""
    taken, chances = np.zeros(size, dtype=bool), np.zeros(size)
    for row in members:
        for inside in row:
            free = inside[~taken[inside]]
            if len(free) <= per_bin:
                chances[free] += 1
                taken[free] = True
                continue
            chances[free] += per_bin / len(free)
            taken[rng.choice(free, per_bin, replace=False, shuffle=False)] = True
    return chances
