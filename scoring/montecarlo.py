"""How many random swaps a permutation test takes: enough to settle what follows from it.

A p value from random swaps is an estimate. Each test's true p value gets a Clopper–Pearson
interval, and a correction for many tests is applied to all lower and to all upper bounds. Where
both give the same verdict it is settled, and swapping stops; other tests go on, up to a maximum
(Gandy & Hahn 2014, "MMCTest"). Corrections are monotone, so the verdict on the true p values lies
between the two. All intervals hold together, at every look, with a chance of at least 99 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.errors import InputError
from scoring.multiplicity import benjamini_hochberg, holm
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Correction = Callable[[ArrayLike], Floats]
# Of these tests, so many more swaps: how often the swapped difference was at least as far.
Count = Callable[[Places, int], NDArray[np.int64]]

FIRST_LOOK = 1000
# At most so many swaps of each test, or so many times the number of tests: Holm compares the
# smallest of m p values with .05 / m, and to show that it is below takes about 300 m swaps.
MOST_SWAPS, MOST_BY_TEST = 100_000, 400
LEVEL = 0.05
# The chance that any interval of any test at any look misses its p value.
ERROR = 0.01


def uncorrected(p_values: ArrayLike) -> Floats:
    return np.asarray(p_values, dtype=np.float64)


ALONE, HOLM, BH = "p", "holm", "benjamini_hochberg"
CORRECTIONS: dict[str, Correction] = {ALONE: uncorrected, HOLM: holm, BH: benjamini_hochberg}


@dataclass(frozen=True, slots=True)
class Settled:
    """An entry for each test. `p` counts the data at hand as one of the swaps.

    `low` and `high` bound the p value that all possible swaps would give. `unsettled` says by
    correction where more swaps might change whether the test is significant.
    """

    p: Floats
    low: Floats
    high: Floats
    swaps: NDArray[np.int64]
    unsettled: dict[str, NDArray[np.bool_]]

    def list_unsettled(self, place: int) -> tuple[str, ...]:
        """The corrections under which this test's verdict is not settled."""
        return tuple(name for name, found in self.unsettled.items() if found[place])


def limit_swaps(tests: int) -> int:
    return max(MOST_SWAPS, MOST_BY_TEST * tests)


def settle_tests(
    count: Count,
    tests: int,
    *,
    most: int | None = None,
    level: float = LEVEL,
    corrections: Sequence[str] = tuple(CORRECTIONS),
    ceiling: Floats | None = None,
) -> Settled:
    """Swap until every verdict under these corrections is settled, or the limit is reached.

    A p value that can't be above a *ceiling*, whatever the swaps show, is known to be below it.
    """
    most = limit_swaps(tests) if most is None else most
    if most < 1:
        raise InputError(_("A permutation test needs at least 1 permutation."))
    as_far, swaps = np.zeros(tests, dtype=np.int64), np.zeros(tests, dtype=np.int64)
    tops = np.ones(tests) if ceiling is None else ceiling
    looks = list(_looks(most))
    error = ERROR / (max(tests, 1) * len(looks))
    low, high = np.zeros(tests), tops
    unsettled = _unsettled(low, high, level, corrections)
    for number in looks:
        active = np.flatnonzero(np.any(list(unsettled.values()), axis=0))
        if not len(active):
            break
        as_far[active] += count(active, number)
        swaps[active] += number
        low, high = bound_p(as_far, swaps, error)
        low, high = np.minimum(low, tops), np.minimum(high, tops)
        unsettled = _unsettled(low, high, level, corrections)
    p = np.minimum((1 + as_far) / (1 + swaps), tops)
    return Settled(p, low, high, swaps, unsettled)


def bound_p(as_far: ArrayLike, swaps: ArrayLike, error: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's bounds (1934) of the p value that all swaps would give."""
    from scipy import special  # takes a while, and a server seldom needs it

    found, of = np.asarray(as_far, dtype=np.float64), np.asarray(swaps, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        low = special.betaincinv(found, of - found + 1, error / 2)
        high = special.betaincinv(found + 1, of - found, 1 - error / 2)
    return np.where(found > 0, low, 0.0), np.where(found < of, high, 1.0)


def _looks(most: int) -> Iterator[int]:
    """After 1,000 swaps, 2,000, 4,000 and so on, the last look at the most."""
    done, step = 0, FIRST_LOOK
    while done < most:
        number = min(step, most - done)
        yield number
        done += number
        step = done


def _unsettled(
    low: Floats, high: Floats, level: float, corrections: Sequence[str]
) -> dict[str, NDArray[np.bool_]]:
    return {
        name: (CORRECTIONS[name](low) <= level) & ~(CORRECTIONS[name](high) <= level)
        for name in corrections
    }
