"""What every metric answers: numbers for each summary, with the string that reproduces them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.errors import InputError, name_type
from scoring.translation import gettext as _

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
) -> tuple[Sequence[str], Texts, Texts]:
    """The texts as every metric reads them: a list for each summary; one string is a list of one.

    Refuses lists of unlike lengths, a summary without what the metric reads, and what is no text.
    """
    if isinstance(summaries, str) or not all(isinstance(text, str) for text in summaries):
        raise InputError(
            _("{metric}: summaries is a list with one string for each summary.").format(
                metric=metric.name
            )
        )
    given = {REFERENCES: references, DOCUMENTS: documents}
    for kind in sorted(metric.needs):
        given[kind] = _read_lists(metric.name, kind, given[kind])
        if len(given[kind]) != len(summaries):
            raise InputError(
                _("{metric} was given {summaries} summaries and {kind} for {given}.").format(
                    metric=metric.name, summaries=len(summaries), kind=kind, given=len(given[kind])
                )
            )
        for place, found in enumerate(given[kind], 1):
            if not found:
                raise InputError(
                    _("{metric} reads {kind}, and summary {place} has none.").format(
                        metric=metric.name, kind=kind, place=place
                    )
                )
    return summaries, given[REFERENCES], given[DOCUMENTS]


def _read_lists(metric: str, kind: str, given: Texts) -> Texts:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InputError(
            _(
                "{metric}: {kind} is a list with the {kind} of each summary, not {name_type}."
            ).format(metric=metric, kind=kind, name_type=name_type(given))
        )
    return [_read_list(metric, kind, place, texts) for place, texts in enumerate(given, 1)]


def _read_list(metric: str, kind: str, place: int, texts: object) -> Sequence[str]:
    if isinstance(texts, str):
        return (texts,)
    if isinstance(texts, Iterable) and not isinstance(texts, bytes | Mapping):
        found = tuple(texts)
        strange = [text for text in found if not isinstance(text, str)]
        if not strange:
            return found
        texts = strange[0]
    raise InputError(
        _(
            "{metric}: {kind} of summary {place} are {name_type}. Expected a string, or a "
            "list of strings."
        ).format(metric=metric, kind=kind, place=place, name_type=name_type(texts))
    )
