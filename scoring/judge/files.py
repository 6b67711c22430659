"""A system's summaries, their units and labels, from line files; and its score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scoring.io.errors import ProblemList
from scoring.io.labels import read_label_file
from scoring.io.studies import read_summary_file, read_units
from scoring.judge.catalogue import JudgeOptions, default_judge, load_judge
from scoring.judge.functions import check_function
from scoring.judge.learned import count_met, read_learned
from scoring.judge.scores import Document, Judged, score_summaries
from scoring.types import UnitRecord


def score_files(
    units: Path,
    summaries: Path,
    labels: Path | None = None,
    *,
    ids: Path | None = None,
    judge: str = "",
    function: str = "",
    empty: str = "refuse",
    detail: bool = False,
    options: JudgeOptions | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """The system's score by every function that the judge offers, and what reproduces it."""
    documents = read_documents(units, summaries, labels, ids)
    found = load_judge(judge, options)
    function = check_function(function or found.default_function, found.classes)
    judged = score_summaries(documents, found, empty=empty, progress=progress)
    met = count_met(
        read_learned(judge or default_judge()),
        ((document.summary, document.units) for document in documents),
    )
    return {**describe(judged, function, detail=detail), "learned": asdict(met)}


def describe(found: Judged, function: str, *, detail: bool = False) -> dict[str, Any]:
    """What is printed, as plain values."""
    told: dict[str, Any] = {
        "summaries": len(found.documents),
        "units": sum(len(document.units) for document in found.documents),
        **found.means(),
        "function": function,
        "score": found.means()[function],
        "human": found.human(),
        "judge": found.identity.name,
        "signature": found.signature(function),
    }
    if detail:
        told["detail"] = _detail(found, function)
    return told


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


def _detail(found: Judged, function: str) -> list[dict[str, Any]]:
    rows = zip(
        found.documents,
        found.verdicts,
        found.presence(function),
        found.scores(function),
        strict=True,
    )
    return [
        {
            "document": document.name,
            "score": float(score),
            "units": list(document.units),
            "presence": presence,
            "labels": list(document.labels) or None,
            "sentences": [verdict.sentence for verdict in verdicts],
        }
        for document, verdicts, presence, score in rows
    ]
