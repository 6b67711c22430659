"""A system's summaries, their units and labels, from line files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scoring.io.errors import ProblemList
from scoring.io.labels import read_label_file
from scoring.io.studies import read_summary_file, read_units
from scoring.judge.scores import Document
from scoring.types import UnitRecord


def read_documents(
    units: Path, summaries: Path, labels: Path | None = None, ids: Path | None = None
) -> list[Document]:
    """What a judge is asked of; the first problem that the files hold is raised."""
    problems = ProblemList()
    by_document = read_units(units, ids, problems)
    texts = read_summary_file(summaries, list(by_document), problems)
    rows = read_label_file(labels, list(by_document), problems) if labels else {}
    problems.raise_first()
    return [
        _document(name, found, texts[name], rows.get(name, ()))
        for name, found in by_document.items()
    ]


def _document(
    name: str, units: Sequence[UnitRecord], summary: str, labels: Sequence[int | None]
) -> Document:
    return Document(
        name,
        tuple(unit.text for unit in units),
        summary,
        tuple(unit.weight for unit in units),
        tuple(labels),
    )
