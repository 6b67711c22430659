"""Many studies whose truth is known, and what was counted over them.

Each study has a random stream of its own, made of the seed, the kind's name and the study's number:
the same figures come out whichever other kinds are simulated beside it.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.measured_coverage import COVERED, NO, PERHAPS, REJECTED, YES

STUDIES = 1000

Hits = NDArray[np.bool_] | Sequence[bool]
Study = Callable[[np.random.Generator], Iterable[tuple[str, Hits]]]
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of interval or of test, where it is printed, and a study that tries it.

    The study yields pairs: a variant's name, and for each of its intervals whether it holds the
    truth, or for each of its tests whether it rejects a true null. An interval that was not made
    is left out. `wanted` is what the share should lie within.
    """

    name: str
    printed: str
    study: Study
    wanted: tuple[float, float] = COVERED


@dataclass(frozen=True, slots=True)
class Row:
    """One variant: the mean over studies of the share, with its Monte Carlo error.

    `studies` are those that had such an interval or test at all. `verdict` is `yes` within the
    wanted range, `no` outside of it, and `perhaps` where two Monte Carlo errors reach it.
    """

    kind: str
    variant: str
    printed: str
    is_test: bool
    share: float
    error: float
    studies: int
    verdict: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def simulate_studies(
    kinds: Sequence[Kind], studies: int = STUDIES, *, seed: int = 0, tell: Tell | None = None
) -> list[Row]:
    """Every kind on so many studies; rows in the order of the kinds."""
    if studies < 2:
        raise InputError(f"{studies} studies are too few. Simulate at least 2.")
    found: list[Row] = []
    for place, kind in enumerate(kinds):
        shares: dict[str, list[float]] = {}
        for number in range(studies):
            rng = np.random.default_rng([seed, zlib.crc32(kind.name.encode()), number])
            for variant, hits in kind.study(rng):
                if len(hits):
                    shares.setdefault(variant, []).append(float(np.mean(hits)))
            if tell:
                tell(place * studies + number + 1, len(kinds) * studies)
        found += _rows(kind, shares)
    return found


def _rows(kind: Kind, shares: dict[str, list[float]]) -> Iterator[Row]:
    for variant, values in shares.items():
        share, error = float(np.mean(values)), float(np.std(values) / math.sqrt(len(values)))
        yield Row(
            kind.name,
            variant,
            kind.printed,
            kind.wanted == REJECTED,
            share,
            error,
            len(values),
            _judge(share, error, kind.wanted),
        )


def _judge(share: float, error: float, wanted: tuple[float, float]) -> str:
    """A share counts as it is printed, to a tenth of a percent."""
    beyond = max(wanted[0] - round(share, 3), round(share, 3) - wanted[1])
    if beyond <= 0:
        return YES
    return PERHAPS if beyond <= 2 * error else NO


def choose_kinds(kinds: Sequence[Kind], names: Sequence[str]) -> list[Kind]:
    """Those whose name begins with one of these; all without any."""
    chosen = [kind for kind in kinds if not names or kind.name.startswith(tuple(names))]
    if not chosen:
        known = "; ".join(kind.name for kind in kinds)
        raise InputError(f"No kind starts with '{names[0]}'. Known: {known}.")
    return chosen
