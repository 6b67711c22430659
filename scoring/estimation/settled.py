"""How often a judge and people are right, by statements that an expert settled.

An expert settles some of the statements on which judge and people differ, and some on which they
agree. Where both strata are drawn at random, each settled statement stands for 1 / chance others,
its chance being the share of its stratum that was settled (Horvitz & Thompson 1952; the sums are
divided by the sum of the weights, as Hájek does). A statement that somebody picked by hand stands
for itself alone. To settle disagreements only, and to take agreements for right, favours the judge.

Intervals put the strata's Wilson intervals together (Zou & Donner 2008), so that a stratum in which
everybody was right has one, too. Statements count as drawn one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from scoring.errors import InputError
from scoring.translation import gettext as _

DIFFER, AGREE = "differ", "agree"
STRATA = (DIFFER, AGREE)
NORMAL_975 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class SettledStatement:
    """Whether the judge and people said the same as the expert, and how it came to be settled."""

    stratum: str
    is_judge_right: bool
    is_people_right: bool
    is_by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """A share of all statements, with a 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SettledAccuracy:
    """`judge` and `people` are None while a stratum that is not empty has nothing drawn of it.

    `uncorrected` is the judge's accuracy by labels in which only settled statements are corrected.
    """

    judge: Share | None
    people: Share | None
    uncorrected: float
    settled: int
    by_hand: int
    drawn: Mapping[str, int]
    population: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def find_chances(drawn: Mapping[str, int], rest: Mapping[str, int]) -> dict[str, float]:
    """By stratum: of the statements that nobody picked by hand, the share that was settled."""
    return {name: drawn[name] / rest[name] for name in drawn if drawn[name] and rest.get(name)}


def measure_settled(
    settled: Iterable[SettledStatement], population: Mapping[str, int]
) -> SettledAccuracy:
    """*population* says how many statements each stratum has."""
    rows = list(settled)
    by_hand = Counter(row.stratum for row in rows if row.is_by_hand)
    drawn = Counter(row.stratum for row in rows if not row.is_by_hand)
    rest = {name: population.get(name, 0) - by_hand[name] for name in STRATA}
    if any(drawn[name] > rest[name] for name in STRATA) or not sum(population.values()):
        raise InputError(
            _(
                "More statements are settled than there are in the strata. Check the sizes of the "
                "strata."
            )
        )
    chances = find_chances(drawn, rest)
    whole = sum(population.values())
    is_known = all(name in chances or not rest[name] for name in STRATA)
    judge, people = (
        _share(rows, right, rest, whole) if is_known else None
        for right in ("is_judge_right", "is_people_right")
    )
    # Whoever makes labels of this takes every agreement that nobody settled for right.
    wrong = sum(not row.is_judge_right for row in rows)
    left = population.get(DIFFER, 0) - by_hand[DIFFER] - drawn[DIFFER]
    return SettledAccuracy(
        judge,
        people,
        (whole - wrong - left) / whole,
        len(rows),
        sum(by_hand.values()),
        {name: drawn[name] for name in STRATA},
        {name: population.get(name, 0) for name in STRATA},
    )


def _share(
    rows: Sequence[SettledStatement], right: str, rest: Mapping[str, int], whole: int
) -> Share:
    value = sum(getattr(row, right) for row in rows if row.is_by_hand) / whole
    below = above = 0.0
    for name in STRATA:
        found = [getattr(row, right) for row in rows if row.stratum == name and not row.is_by_hand]
        if not found:
            continue
        share, size = sum(found) / len(found), rest[name]
        low, high = wilson_interval(share, len(found), size)
        part = size / whole
        value += part * share
        below += (part * (share - low)) ** 2
        above += (part * (high - share)) ** 2
    return Share(value, max(value - sqrt(below), 0.0), min(value + sqrt(above), 1.0))


def wilson_interval(share: float, drawn: int, size: int) -> tuple[float, float]:
    """Of a share in *drawn* of *size*; nothing is in doubt where all were drawn."""
    if drawn >= size:
        return share, share
    number = drawn * (size - 1) / (size - drawn)  # as many of an endless population
    square = NORMAL_975**2 / number
    middle = (share + square / 2) / (1 + square)
    reach = NORMAL_975 * sqrt(share * (1 - share) / number + square / (4 * number)) / (1 + square)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def correct_score(
    score: float,
    settled: Iterable[tuple[int, int | None, float]],
    labels: Sequence[int | None],
    weights: Sequence[float],
) -> float:
    """A summary's score by labels, as it is expected to be had every statement been settled.

    *settled* names places of *labels* that an expert settled, what people had said there, and the
    chance that it was settled: the expert's correction counts by one over that chance.
    """
    total = sum(w for w, label in zip(weights, labels, strict=True) if label is not None)
    found = score
    for place, before, chance in settled:
        after = labels[place]
        if before is not None and after is not None:
            found += weights[place] * (after - before) * (1 / chance - 1) / total
    return found
