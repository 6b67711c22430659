"""What every metric answers: numbers for each summary, with the string that reproduces them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.errors import InputError

Floats = NDArray[np.float64]
Texts = Sequence[Sequence[str]]
Value = str | int | float | bool
REFERENCES, DOCUMENTS = "references", "documents"


@dataclass(frozen=True, slots=True)
class MetricTable:
    """A row for each summary, a column for each number; nan where the metric has no answer."""

    columns: tuple[str, ...]
    values: Floats


class Metric(Protocol):
    """A metric that is loaded.

    `needs` is which of references and documents it reads; what it does not read may be empty.
    A summary's row depends on its own texts alone, so that rows can be kept and shared. `lower`
    names the columns in which less is better.
    """

    @property
    def name(self) -> str: ...

    @property
    def columns(self) -> tuple[str, ...]: ...

    @property
    def needs(self) -> frozenset[str]: ...

    @property
    def lower(self) -> frozenset[str]: ...

    @property
    def signature(self) -> str: ...

    def score(
        self, summaries: Sequence[str], references: Texts, documents: Texts
    ) -> MetricTable: ...


def sign_metric(name: str, options: Mapping[str, Value]) -> str:
    """What reproduces a metric's numbers: its name, every option, the program's version."""
    parts: Iterable[tuple[str, Value]] = sorted(options.items())
    said = [("metric", name), *((key, _spell(value)) for key, value in parts)]
    return "|".join(f"{key}:{value}" for key, value in [*said, ("giza", __version__)])


def _spell(value: Value) -> Value:
    return ("no", "yes")[value] if isinstance(value, bool) else value


def check_texts(
    metric: Metric, summaries: Sequence[str], references: Texts, documents: Texts
) -> None:
    """Refuse lists of unlike lengths, and a summary without what the metric reads."""
    given = {REFERENCES: references, DOCUMENTS: documents}
    for kind in sorted(metric.needs):
        texts = given[kind]
        if len(texts) != len(summaries):
            raise InputError(
                f"{metric.name} was given {len(summaries)} summaries and {kind} for {len(texts)}."
            )
        for place, found in enumerate(texts, 1):
            if not found:
                raise InputError(f"{metric.name} reads {kind}, and summary {place} has none.")
