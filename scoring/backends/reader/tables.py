"""Words and forms that rules change, and what follows from which."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from scoring.backends.reader.groups import CONTRADICTION as C
from scoring.backends.reader.groups import ENTAILMENT as E
from scoring.backends.reader.groups import NEUTRAL as N
from scoring.backends.reader.groups import NOT_ENTAILMENT as X
from scoring.backends.reader.scenes import FILLERS, FIRST, LAST

_LABELS = {"E": E, "N": N, "C": C, "X": X}
_DATA: dict[str, Any] = json.loads(
    files("scoring.backends.reader").joinpath("twins.json").read_text(encoding="utf-8")
)
NUMBERS: list[str] = _DATA["numbers"]
BE = {"am", "is", "are", "was", "were", "'s", "'re", "'m"}
IRREGULAR: dict[str, str] = _DATA["participles"]
PLACE_PAIRS: list[list[str]] = _DATA["place_pairs"]
QUANTIFIERS = {(one, two): _LABELS[label] for one, two, label in _DATA["quantifiers"]}
# How the same verb phrase is told, and what follows from which. `{b}` is the bare verb.
STANCES = {(one, two): _LABELS[label] for one, two, label in _DATA["stances"]}
# What is said around a whole clause.
# Two clauses told together, in other words, and wrongly.
ORDERS: list[list[str]] = _DATA["orders"]
FRAMES = [(form, _LABELS[label]) for form, label in _DATA["frames"]]
POOLS = {
    "PERSON": [f"{one} {two}" for one, two in zip(FIRST, LAST, strict=False)],
    "GPE": FILLERS["place"],
    "ORG": [*FILLERS["firm"], *FILLERS["team"]],
    "DATE": [*FILLERS["day"], *FILLERS["month"]],
    "LOC": FILLERS["place"],
}
SUBJECTS = [f"{one} {two}" for one, two in zip(FIRST[::2], LAST[::3], strict=False)] + FILLERS[
    "role"
]


@dataclass(frozen=True, slots=True)
class Twin:
    """A statement, and the text that it is asked of, if that isn't the sentence itself."""

    statement: str
    label: int
    kind: str
    premise: str = ""
