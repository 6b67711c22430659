"""Pairs of metrics whose scores change places at random, many swaps and all pairs at once.

What is swapped is the same for every pair: bits for inputs, systems or cells are drawn once. At
the system level a swap moves sums from one metric to the other, which is a product of bits and
differences. At the summary level, a swap of whole inputs only exchanges correlations within inputs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.correlation import ROUNDING
from scoring.metaeval.draws import BY_BOTH, BY_INPUTS, BY_SYSTEMS
from scoring.metaeval.levels import SYSTEM
from scoring.metaeval.rows import correlate_rows, steps
from scoring.metaeval.study import EVERY, Study, check_inputs, mean_scores
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairTables:
    """Two metrics' scores and people's, on the cells that count: pairs × systems × inputs."""

    one: Floats
    two: Floats
    people: Floats
    method: str
    measure: str

    @property
    def bit_shape(self) -> tuple[int, ...]:
        __, systems, width = self.one.shape
        shapes = {BY_INPUTS: (width,), BY_SYSTEMS: (systems,), BY_BOTH: (systems, width)}
        return shapes[self.method]


def share_cells(
    study: Study, first: str, second: str, inputs: str
) -> tuple[Floats, Floats, Floats]:
    """Two metrics' scores and people's, on the cells that both metrics scored."""
    check_inputs(inputs)
    for name in (first, second):
        if name not in study.metrics:
            raise InputError(
                _("There is no metric '{name}'. Known: {metrics}.").format(
                    name=name, metrics=", ".join(study.metrics)
                )
            )
    one, two, people = study.scores[first], study.scores[second], study.people
    missing = np.isnan(one) | np.isnan(two)
    if inputs != EVERY:
        missing |= np.isnan(people)
        people = np.where(missing, np.nan, people)
    return np.where(missing, np.nan, one), np.where(missing, np.nan, two), people


def make_swaps(
    study: Study,
    names: Sequence[tuple[str, str]],
    *,
    method: str,
    level: str,
    measure: str,
    inputs: str,
) -> Swaps:
    """Metrics are standardised: scores on different scales can't change places."""
    rows = [share_cells(study, *pair, inputs) for pair in names]
    one, two = (np.stack([_standardise(row[side]) for row in rows]) for side in (0, 1))
    tables = PairTables(one, two, np.stack([row[2] for row in rows]), method, measure)
    if level == SYSTEM:
        return _MeanSwaps(tables)
    return _InputSwaps(tables) if method == BY_INPUTS else _CellSwaps(tables)


def _standardise(scores: Floats) -> Floats:
    known = scores[~np.isnan(scores)]
    spread = float(known.std()) if len(known) else 0.0
    centre = float(known.mean()) if len(known) else 0.0
    return np.asarray((scores - centre) / (spread or 1.0))


class Swaps(ABC):
    """`differences` are the first metric's correlation less the second's, as the data are."""

    def __init__(self, tables: PairTables) -> None:
        self.tables = tables
        everyone = np.arange(len(tables.one))
        self.differences = self.swap(everyone, np.zeros((1, *tables.bit_shape), dtype=bool))[0]

    @abstractmethod
    def swap(self, active: Places, bits: Flags) -> Floats:
        """The differences of some pairs where bits are set: swaps × pairs."""

    @abstractmethod
    def cells(self, pairs: int) -> int:
        """How many cells a swap of so many pairs holds at once."""

    def count(self, active: Places, number: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """In how many swaps the difference is as far from 0 as the data's, and as high."""
        seen = self.differences[active]
        as_far, as_high = (np.zeros(len(active), dtype=np.int64) for __ in range(2))
        for part in steps(number, self.cells(len(active))):
            shape = (part.stop - part.start, *self.tables.bit_shape)
            drawn = self.swap(active, rng.integers(2, size=shape, dtype=np.int8) == 1)
            as_far += (np.abs(drawn) >= np.abs(seen) - ROUNDING).sum(axis=0)
            as_high += (drawn >= seen - ROUNDING).sum(axis=0)
        return as_far, as_high


class _MeanSwaps(Swaps):
    """At the system level: what is added to one metric's sums is taken from the other's."""

    def __init__(self, tables: PairTables) -> None:
        self.means = [mean_scores(tables.one), mean_scores(tables.two)]
        self.judged = mean_scores(tables.people)
        self.gaps = np.nan_to_num(tables.two - tables.one)
        self.known = np.maximum((~np.isnan(tables.one)).sum(axis=-1), 1)
        super().__init__(tables)

    def cells(self, pairs: int) -> int:
        systems, width = self.tables.one.shape[1:]
        # Times 4: signs of differences are made half as fast again if they stay in the cache.
        return 4 * (pairs * systems * systems + systems * width)

    def swap(self, active: Places, bits: Flags) -> Floats:
        moved = self._move(active, bits.astype(np.float64)) / self.known[active]
        found = [
            correlate_rows(means[active] + shift, self.judged[active], [self.tables.measure])
            for means, shift in zip(self.means, (moved, -moved), strict=True)
        ]
        return found[0][self.tables.measure] - found[1][self.tables.measure]

    def _move(self, active: Places, bits: Floats) -> Floats:
        """What the first metric's sums gain: swaps × pairs × systems."""
        gaps = self.gaps[active]
        if self.tables.method == BY_SYSTEMS:
            return np.asarray(bits[:, None, :] * gaps.sum(axis=-1))
        if self.tables.method == BY_INPUTS:
            flat = gaps.reshape(-1, gaps.shape[-1])
            return np.asarray((bits @ flat.T).reshape(len(bits), *gaps.shape[:2]))
        # A product for each system: swaps × inputs by inputs × pairs.
        product = np.matmul(bits.transpose(1, 0, 2), gaps.transpose(1, 2, 0))
        return np.asarray(product.transpose(1, 2, 0))


class _InputSwaps(Swaps):
    """At the summary level, whole inputs: their correlations change places, and nothing else."""

    def __init__(self, tables: PairTables) -> None:
        rows = [_within_inputs(side, tables) for side in (tables.one, tables.two)]
        self.values = [np.nan_to_num(row) for row in rows]
        self.known = [(~np.isnan(row)).astype(np.float64) for row in rows]
        super().__init__(tables)

    def cells(self, pairs: int) -> int:
        return 8 * pairs + self.tables.one.shape[-1]

    def swap(self, active: Places, bits: Flags) -> Floats:
        chosen = bits.astype(np.float64)
        (one, two), (first, second) = self.values, self.known
        sums = _exchange(one[active], two[active], chosen)
        counts = _exchange(first[active], second[active], chosen)
        means = [
            np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
            for total, number in zip(sums, counts, strict=True)
        ]
        return means[0] - means[1]


class _CellSwaps(Swaps):
    """At the summary level, systems or single summaries: every swap is a table of its own."""

    def cells(self, pairs: int) -> int:
        systems, width = self.tables.one.shape[1:]
        return systems * systems * width

    def swap(self, active: Places, bits: Flags) -> Floats:
        chosen = bits[:, :, None] if self.tables.method == BY_SYSTEMS else bits
        found = np.empty((len(bits), len(active)))
        for at, pair in enumerate(active):
            one, two = self.tables.one[pair], self.tables.two[pair]
            means = [
                self._mean(np.where(chosen, *sides), pair) for sides in ((two, one), (one, two))
            ]
            found[:, at] = means[0] - means[1]
        return found

    def _mean(self, scores: Floats, pair: int) -> Floats:
        rows = np.moveaxis(scores, -1, -2)
        people, measure = self.tables.people[pair].T, self.tables.measure
        return mean_scores(correlate_rows(rows, people, [measure], slack=0.0)[measure])


def _within_inputs(scores: Floats, tables: PairTables) -> Floats:
    """Correlations across systems: pairs × inputs."""
    rows, people = np.moveaxis(scores, -1, -2), np.moveaxis(tables.people, -1, -2)
    return correlate_rows(rows, people, [tables.measure], slack=0.0)[tables.measure]


def _exchange(one: Floats, two: Floats, chosen: Floats) -> tuple[Floats, Floats]:
    """Sums over inputs after those that were chosen changed places: swaps × pairs each."""
    moved = chosen @ (two - one).T
    return one.sum(axis=-1) + moved, two.sum(axis=-1) - moved
