"""Orders in which sentences give way: by true easiness, by true damage, at random, from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.easiness.gold import sentence_easiness
from scoring.io.errors import CorpusError, ProblemList
from scoring.io.studies import read_lines
from scoring.planning.study import SentenceUnits, UnitTexts
from scoring.planning.tables import SentenceTables
from scoring.translation import gettext as _
from scoring.types import Problem

Floats = NDArray[np.float64]


def true_easiness(texts: UnitTexts) -> Floats:
    """Known only after SCUs were written; nan for a sentence that has none."""
    found: list[float | None] = []
    for place, document in enumerate(texts.documents):
        own = [row for row in texts.sentences if row.document == document]
        places = {scu: row.place for row in own for scu in row.scus}
        sentences = [""] * (max((row.place for row in own), default=-1) + 1)
        scus = texts.scus[place]
        values = sentence_easiness(
            sentences, scus, texts.stus[place], places=[places[i] for i in range(len(scus))]
        )
        found += [values[row.place] for row in own]
    return np.array([np.nan if value is None else value for value in found])


def true_damage(tables: SentenceTables) -> Floats:
    """What the system scores change by, on average, when a sentence alone gives way to STUs."""
    return np.abs(_changes(tables)).mean(axis=1) / len(tables.documents)


def uneven_damage(tables: SentenceTables) -> Floats:
    """The same less what changes all systems alike, which leaves their order as it is."""
    changes = _changes(tables)
    return np.abs(changes - changes.mean(axis=1, keepdims=True)).mean(axis=1) / len(
        tables.documents
    )


def _changes(tables: SentenceTables) -> Floats:
    """Sentences × systems: the document's score with the one sentence's STUs, less that without."""
    size = len(tables.owners)
    before = tables.score(np.zeros((1, size), dtype=bool))[0]
    return np.array(
        [
            tables.score_document(owner, np.arange(size) == place) - before[owner]
            for place, owner in enumerate(tables.owners)
        ]
    )


def random_order(sentences: int, seed: int) -> Floats:
    return np.random.default_rng(seed).permutation(sentences).astype(np.float64)


def read_order(path: Path, documents: Sequence[str], sentences: Sequence[SentenceUnits]) -> Floats:
    """Easiness from a file: a line for each document, a number for each sentence, tabs between.

    An empty field is a sentence of unknown easiness.
    """
    problems = ProblemList()
    lines = read_lines(path, problems)
    problems.raise_first()
    if len(lines) != len(documents):
        raise _wrong(
            path,
            None,
            _("There are {lines} lines.").format(lines=len(lines)),
            _("{documents} lines.").format(documents=len(documents)),
        )
    found: list[float] = []
    for number, (document, line) in enumerate(zip(documents, lines, strict=True), 1):
        wanted = sum(row.document == document for row in sentences)
        fields = line.split("\t") if wanted else []
        if len(fields) != wanted:
            message = _("'{document}' has {fields} values.").format(
                document=document, fields=len(fields)
            )
            raise _wrong(
                path, number, message, _("{wanted}, one for each sentence.").format(wanted=wanted)
            )
        found += [_number(field, path, number) for field in fields]
    return np.array(found)


def order_lines(order: Sequence[float] | Floats, sentences: Sequence[SentenceUnits]) -> list[str]:
    """The lines that `read_order` reads."""
    rows: dict[str, list[str]] = {}
    for sentence, value in zip(sentences, order, strict=True):
        shown = "" if np.isnan(value) else repr(float(value))
        rows.setdefault(sentence.document, []).append(shown)
    return ["\t".join(row) for row in rows.values()]


def _number(field: str, path: Path, line: int) -> float:
    try:
        return float(field) if field.strip() else float("nan")
    except ValueError:
        raise _wrong(
            path,
            line,
            _("'{field}' is not a number.").format(field=field),
            _("numbers separated by tabs."),
        ) from None


def _wrong(path: Path, line: int | None, message: str, expected: str) -> CorpusError:
    return CorpusError(Problem(path.name, line, message, expected))
