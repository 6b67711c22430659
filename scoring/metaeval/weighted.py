"""Correlations within inputs when systems are drawn: a system counts as often as it was drawn.

Pairs of systems have the same order in every resample, and only their weights differ. Sums over
the systems of all resamples are therefore products of two tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.metaeval.draws import Indices, count_places
from scoring.metaeval.levels import NUDGE, SKIP, ZERO, correlate_inputs
from scoring.metaeval.rows import MEASURES, signs_of, tie_width

Floats = NDArray[np.float64]


class DrawnSystems:
    """A metric's and people's scores, systems × inputs, made ready for any draw of systems."""

    def __init__(self, first: Floats, second: Floats) -> None:
        missing = np.isnan(first) | np.isnan(second)
        self.tables = [np.where(missing, np.nan, table) for table in (first, second)]
        self.known = (~missing).astype(np.float64)
        # Pairs of systems × inputs; a missing score is in no order.
        self.signs = [signs_of(table.T, 0.0).T.astype(np.float64) for table in self.tables]
        self.wide = [_is_wide(table) for table in self.tables]

    def correlate(
        self, systems: Indices, measures: Sequence[str] = MEASURES, policy: str = SKIP
    ) -> dict[str, Floats]:
        """By measure: resamples × inputs; nan where a side is constant, unless the policy tells.

        `nudge` raises the first system of a resample: there the order counts.
        """
        if policy == NUDGE:
            return self._written_out(systems, measures)
        counts = count_places(systems, len(self.known))
        found = {name: self._divided(counts, name) for name in measures}
        if policy == ZERO:
            has_two = counts @ self.known > 1
            found = {
                name: np.where(np.isnan(values) & has_two, 0.0, values)
                for name, values in found.items()
            }
        return found

    def _divided(self, counts: Floats, measure: str) -> Floats:
        make = {"pearson": self._pearson, "spearman": self._spearman, "kendall": self._kendall}
        product, scale = make[measure](counts)
        pairs = _pair_counts(counts)
        is_known = (pairs @ self.wide[0] > 0) & (pairs @ self.wide[1] > 0)
        found = np.full(product.shape, np.nan)
        return np.clip(np.divide(product, scale, out=found, where=is_known), -1.0, 1.0)

    def _kendall(self, counts: Floats) -> tuple[Floats, Floats]:
        pairs = _pair_counts(counts)
        untied = [pairs @ np.abs(part) for part in self.signs]
        product = pairs @ (self.signs[0] * self.signs[1])
        return product, np.sqrt(untied[0] * untied[1])

    def _spearman(self, counts: Floats) -> tuple[Floats, Floats]:
        return _products(counts, *(self._ranks(counts, part) for part in self.signs))

    def _pearson(self, counts: Floats) -> tuple[Floats, Floats]:
        return _products(counts, *(self._centred(counts, table) for table in self.tables))

    def _ranks(self, counts: Floats, signs: Floats) -> Floats:
        """How many a system is above less how many it is below: resamples × systems × inputs."""
        size = len(self.known)
        above, below = np.triu_indices(size, k=1)
        whole = np.zeros((size, size, signs.shape[-1]))
        whole[above, below], whole[below, above] = signs, -signs
        return np.asarray(np.tensordot(counts, whole, axes=(1, 1)))

    def _centred(self, counts: Floats, table: Floats) -> Floats:
        """Less the mean of the resample: resamples × systems × inputs; 0 where missing."""
        filled = np.nan_to_num(table)
        means = counts @ filled / np.maximum(counts @ self.known, 1)
        return np.asarray((filled[None] - means[:, None]) * self.known)

    def _written_out(self, systems: Indices, measures: Sequence[str]) -> dict[str, Floats]:
        one, two = self.tables
        found = [
            correlate_inputs(one[row], two[row], policy=NUDGE, measures=measures) for row in systems
        ]
        return {name: np.stack([row[name] for row in found]) for name in measures}


def _products(counts: Floats, one: Floats, two: Floats) -> tuple[Floats, Floats]:
    """Sums over systems of products, and what they are divided by: resamples × inputs."""
    weighted = one * counts[:, :, None]
    squares = [
        np.einsum("rsi,rsi->ri", weighted, one),
        np.einsum("rsi,rsi->ri", two * counts[:, :, None], two),
    ]
    return np.einsum("rsi,rsi->ri", weighted, two), np.sqrt(squares[0]) * np.sqrt(squares[1])


def _pair_counts(counts: Floats) -> Floats:
    above, below = np.triu_indices(counts.shape[1], k=1)
    return counts[:, above] * counts[:, below]


def _is_wide(table: Floats) -> Floats:
    """Of each pair of systems on each input, 1 where more than rounding sets their scores apart."""
    above, below = np.triu_indices(len(table), k=1)
    width = tie_width(table.T)[:, 0]
    return (np.abs(table[above] - table[below]) > width).astype(np.float64)
