"""Scores of summaries from a judge's verdicts: equation 2, with a model in people's place.

`score_summaries` is the library's one line: units by document, a system's summaries, a judge.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.judge.functions import check_function, functions_of, read_presence
from scoring.judge.protocol import (
    Identity,
    Judge,
    Question,
    Verdict,
    check_summary,
    read_units,
)
from scoring.translation import gettext as _

Row = Sequence[int | None]
EMPTY = ("refuse", "absent")


@dataclass(frozen=True, slots=True)
class Document:
    """The units of a document, their weights, and what a system wrote of it.

    One string as `units` is one unit.
    """

    name: str
    units: tuple[str, ...]
    summary: str
    weights: tuple[int, ...] = ()
    labels: tuple[int | None, ...] = ()

    def __post_init__(self) -> None:
        try:
            check_summary(self.summary)
            object.__setattr__(self, "units", read_units(self.units))
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from error


@dataclass(frozen=True, slots=True)
class Judged:
    """All verdicts on a system's summaries; an empty one has none, and carries nothing."""

    documents: tuple[Document, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    identity: Identity
    classes: int

    def presence(self, function: str) -> list[list[float]]:
        """By document and unit."""
        check_function(function, self.classes)
        return [
            [read_presence(function, verdict.logits) for verdict in row]
            or [0.0] * len(document.units)
            for document, row in zip(self.documents, self.verdicts, strict=True)
        ]

    def scores(self, function: str) -> NDArray[np.float64]:
        """The weighted mean presence of each summary's units, missing verdicts left out.

        Nan where all of a summary's verdicts are missing.
        """
        pairs = zip(self.documents, self.presence(function), strict=True)
        return np.array([weigh(row, document.weights) for document, row in pairs])

    def means(self) -> dict[str, float]:
        """The system's score by each function that the judge offers."""
        return {name: _mean(self.scores(name)) for name in functions_of(self.classes)}

    @property
    def missing(self) -> int:
        """How many units have no verdict, because the judge gave none."""
        return sum(verdict.is_missing for row in self.verdicts for verdict in row)

    def signature(self, function: str) -> str:
        """What reproduces the scores: the texts, the judge and the function."""
        texts = [[row.name, row.units, row.weights, row.summary] for row in self.documents]
        digest = hashlib.sha256(json.dumps(texts).encode()).hexdigest()
        return f"data:{digest[:16]}|{self.identity.signature(function)}"

    def human(self) -> float | None:
        """The system's score by the labels; none if a document has no label."""
        rows = [_labelled(document) for document in self.documents]
        scores = [weigh(labels, weights) for labels, weights in rows if labels]
        return float(np.mean(scores)) if scores and len(scores) == len(rows) else None


def score_summaries(
    documents: Sequence[Document],
    judge: Judge,
    *,
    empty: str = "refuse",
    progress: Callable[[int, int], None] | None = None,
) -> Judged:
    """Ask the judge of every summary. Texts are checked before it is asked of any.

    An empty summary is refused by the document's name, or counted as carrying nothing (`absent`).
    """
    questions = [_question(document, empty) for document in documents]
    asked = [question for question in questions if question is not None]
    answers = _answers(judge, asked, progress)
    verdicts = tuple(() if question is None else next(answers) for question in questions)
    return Judged(tuple(documents), verdicts, judge.identity, judge.classes)


def check_documents(documents: Sequence[Document], empty: str = "refuse") -> None:
    """Raise what `score_summaries` would, before there is a judge."""
    for document in documents:
        _question(document, empty)


def list_questions(documents: Sequence[Document], empty: str = "refuse") -> list[Question]:
    """What a judge is asked about these documents; empty summaries are left out or refused."""
    questions = [_question(document, empty) for document in documents]
    return [question for question in questions if question is not None]


def weigh(values: Sequence[float], weights: Sequence[int]) -> float:
    """The weighted mean of what is known; all weigh the same where no weights are given."""
    found = np.array(values, dtype=np.float64)
    known = ~np.isnan(found)
    if not known.any():
        return math.nan
    weighing = np.array(weights)[known] if weights else None
    return float(np.average(found[known], weights=weighing))


def _mean(scores: NDArray[np.float64]) -> float:
    """Of the summaries that have a score."""
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if known.size else math.nan


def _answers(
    judge: Judge, asked: Sequence[Question], progress: Callable[[int, int], None] | None
) -> Iterator[tuple[Verdict, ...]]:
    for done, verdicts in enumerate(judge.judge(asked), 1):
        if progress:
            progress(done, len(asked))
        yield tuple(verdicts)


def _question(document: Document, empty: str) -> Question | None:
    if empty not in EMPTY:
        raise InputError(
            _("empty: expected one of {empty}, not '{empty_2}'.").format(
                empty=", ".join(EMPTY), empty_2=empty
            )
        )
    _check(document)
    if not document.summary.strip() and empty == "absent":
        return None
    try:
        return Question(document.summary, document.units)
    except InputError as error:
        raise InputError(f"{document.name}: {error}") from error


def _check(document: Document) -> None:
    if not document.units:
        raise InputError(
            _("{document} has no units. Exclude the document, or write units.").format(
                document=document.name
            )
        )
    for what, row in (("weights", document.weights), ("labels", document.labels)):
        if row and len(row) != len(document.units):
            raise InputError(
                _("{document} has {row} {what} and {units} units. Give one per unit.").format(
                    document=document.name, row=len(row), what=what, units=len(document.units)
                )
            )


def _labelled(document: Document) -> tuple[list[float], list[int]]:
    weights = document.weights or (1,) * len(document.units)
    found = [
        (float(label), weight)
        for label, weight in zip(document.labels, weights, strict=bool(document.labels))
        if label is not None
    ]
    return [label for label, __ in found], [weight for __, weight in found]
