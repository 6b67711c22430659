"""What sets a unit apart from the other units of its document.

Units of one document share names and topics; a summary has those in any case. What tells a unit is
in it is the words that no other unit has. A word's weight is divided by the number of units that
have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scoring.judge.readings import Flags, Reading

NAMES = (
    "own: weighted coverage",
    "own: weighted coverage of a sentence",
    "own: coverage weighted again",
    "own: words unmatched",
    "own: words",
    "own: words matched",
    "own: words unmatched in sentence",
    "units that share a word",
    "own: heaviest word matched",
    "own: heaviest word matched in sentence",
    "own: coverage",
)


def count_units(units: Sequence[Reading]) -> Counter[int]:
    """In how many of the units each stem stands, content words only."""
    return Counter(int(item) for unit in units for item in set(unit.stems[unit.is_content]))


def unique_features(summary: Reading, unit: Reading, counts: Counter[int]) -> list[float]:
    """The row of one pair, in the order of `NAMES`."""
    content = np.flatnonzero(unit.is_content)
    shared = np.array([counts[int(item)] for item in unit.stems[content]])
    weights = unit.weights[content] / shared
    same = np.equal.outer(unit.stems[content], summary.stems)
    in_sentence = np.logical_or.reduceat(same, summary.starts, axis=1)
    by_sentence = weights @ in_sentence / weights.sum()
    matched: Flags = np.logical_or.reduce(same, axis=1)
    near = in_sentence[:, int(by_sentence.argmax())]
    again = weights / shared
    own = shared == 1
    heaviest = int(weights.argmax())
    return [
        weights @ matched / weights.sum(),
        by_sentence.max(),
        again @ matched / again.sum(),
        (own & ~matched).sum(),
        own.sum(),
        (own & matched).sum(),
        (own & ~near).sum(),
        shared.mean(),
        matched[heaviest],
        near[heaviest],
        matched[own].mean() if own.any() else matched.mean(),
    ]
