"""What every judge answers: which units a summary carries, as logits.

A judge is asked of one summary and its units at a time, and what it says of them depends on
nothing else: not on the summaries before it, nor on how many processes share the work. So a run
gives the same bits however it is cut into parts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.errors import InputError, name_type
from scoring.translation import gettext as _

Logits = NDArray[np.float32]
# An option of judges that read a unit beside the other units of its document: what they say of a
# pair holds for that list of units alone.
CONTEXT = "context"


def read_units(units: object) -> tuple[str, ...]:
    """The units as a tuple; one string is one unit. Refuses what is no text."""
    if isinstance(units, str):
        return (units,)
    if isinstance(units, bytes | Mapping) or not isinstance(units, Iterable):
        raise InputError(
            _("Units are a list of strings, not {name_type}.").format(name_type=name_type(units))
        )
    found = tuple(units)
    for place, unit in enumerate(found, 1):
        if not isinstance(unit, str):
            raise InputError(
                _("Unit {place} is {name_type}. Expected a string.").format(
                    place=place, name_type=name_type(unit)
                )
            )
    return found


def check_summary(summary: object) -> None:
    if not isinstance(summary, str):
        raise InputError(
            _("A summary is a string, not {name_type}.").format(name_type=name_type(summary))
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A summary, and the units that are looked for in it. No text is empty."""

    summary: str
    units: tuple[str, ...]

    def __post_init__(self) -> None:
        check_summary(self.summary)
        object.__setattr__(self, "units", read_units(self.units))
        if not self.summary.strip():
            raise InputError(
                _("The summary is empty. Exclude it, or count all its units as absent.")
            )
        for place, unit in enumerate(self.units, 1):
            if not unit.strip():
                raise InputError(
                    _("Unit {place} is empty. Write it, or delete it.").format(place=place)
                )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of one unit in one summary.

    `logits` has a row for each window of the summary, and a column for each class: entailment,
    neutral, contradiction of a judge of three classes; present, not present of one of two.
    `sentence` is the place, from 0, of the sentence that convinced most; -1 where none was sought.
    A judge that can't say anything of the unit says nan: neither present nor absent, nor between.
    A sentence that contradicts the unit is told as `contradicted_by` its place: -2, -3, ….
    """

    logits: Logits
    sentence: int = -1

    @property
    def is_missing(self) -> bool:
        return bool(np.isnan(self.logits).any())


def contradicted_by(place: int) -> int:
    """How a verdict says that the sentence at that place contradicts the unit; and back again."""
    return -2 - place


@dataclass(frozen=True, slots=True)
class Identity:
    """Which judge it was, to the byte: what the verdicts depend on, besides the texts.

    `weights` is a hash of all files that the judge is made of. `options` is what else changes its
    logits: window, precision and the like. The function that reads the logits is no part of it.
    """

    name: str
    kind: str
    weights: str
    revision: str = ""
    options: Mapping[str, str | int | float] = field(default_factory=dict)

    @property
    def reads_context(self) -> bool:
        """Whether a verdict depends on all units of the question, and not on its own alone."""
        return CONTEXT in self.options

    @property
    def key(self) -> str:
        """The same for the same weights and options, whatever the judge is called."""
        parts = [self.kind, self.weights, self.revision, sorted(self.options.items())]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def signature(self, function: str) -> str:
        """What reproduces a score: stands beside it wherever it is shown."""
        parts = {"judge": self.name, "kind": self.kind, "weights": self.weights[:16]}
        if self.revision:
            parts["revision"] = self.revision
        parts |= {name: str(value) for name, value in sorted(self.options.items())}
        parts |= {"function": function, "giza": __version__}
        return "|".join(f"{name}:{value}" for name, value in parts.items())


class Judge(Protocol):
    """A judge that is loaded. `classes` is 2 or 3; `default_function` one of `functions`."""

    @property
    def identity(self) -> Identity: ...

    @property
    def classes(self) -> int: ...

    @property
    def default_function(self) -> str: ...

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        """For each question, in order, the verdicts on its units."""
        ...
