"""A system's summaries, their units and labels, from line files; and its score."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.labels import read_label_file
from scoring.io.studies import read_summary_file, read_units
from scoring.judge.catalogue import JudgeOptions, default_judge, load_judge
from scoring.judge.functions import check_function
from scoring.judge.learned import count_met, read_learned
from scoring.judge.llm.estimates import PaidJudge
from scoring.judge.recalibration import Recalibration
from scoring.judge.scores import Document, Judged, list_questions, score_summaries, weigh
from scoring.translation import gettext as _
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
    calibration: Calibration | None = None,
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """The system's score by every function that the judge offers, and what reproduces it.

    `announce` is called with the estimated cost before a judge that costs money is asked.
    """
    documents = read_documents(units, summaries, labels, ids)
    found = load_judge(judge, options)
    function = check_function(function or found.default_function, found.classes)
    if calibration and (calibration.key, calibration.function) != (found.identity.key, function):
        raise InputError(
            _(
                "The calibration is of {judge} with {function}. Calibrate "
                "{identity} with {function_2}."
            ).format(
                judge=calibration.judge,
                function=calibration.function,
                identity=found.identity.name,
                function_2=function,
            )
        )
    if isinstance(found, PaidJudge) and announce:
        announce(_estimate(found, documents, empty))
    try:
        judged = score_summaries(documents, found, empty=empty, progress=progress)
    finally:
        if isinstance(found, PaidJudge):
            found.close()
    met = count_met(
        read_learned(judge or default_judge()),
        ((document.summary, document.units) for document in documents),
    )
    result = {**describe(judged, function, detail=detail), "learned": asdict(met)}
    if calibration:
        result |= _calibrated(judged, function, calibration)
    return {**result, "usage": found.report()} if isinstance(found, PaidJudge) else result


def estimate_files(
    units: Path,
    summaries: Path,
    *,
    ids: Path | None = None,
    judge: str,
    empty: str = "refuse",
    options: JudgeOptions | None = None,
) -> dict[str, Any]:
    """What it costs to ask the judge about the summaries, without asking it."""
    documents = read_documents(units, summaries, None, ids)
    found = load_judge(judge, options)
    if not isinstance(found, PaidJudge):
        raise InputError(
            _("The judge '{identity}' costs nothing.").format(identity=found.identity.name)
        )
    try:
        return _estimate(found, documents, empty)
    finally:
        found.close()


def _estimate(judge: PaidJudge, documents: Sequence[Document], empty: str) -> dict[str, Any]:
    found = judge.estimate(list_questions(documents, empty))
    return {
        "calls": found.calls,
        "input_tokens_at_most": found.input_tokens,
        "output_tokens_at_most": found.output_tokens,
        "likely_cost": f"{found.likely:f}",
        "cost_at_most": f"{found.most:f}",
        "currency": judge.currency,
    }


@dataclass(frozen=True, slots=True)
class Calibration:
    """What adapts one judge, read by one function, to a study."""

    judge: str
    key: str
    function: str
    adapt: Recalibration


def read_calibration(path: Path) -> Calibration:
    """A file that `calibrate` wrote."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        adapt = Recalibration(float(found["temperature"]), float(found["shift"]))
        judge, key, function = (str(found[name]) for name in ("judge", "key", "function"))
        return Calibration(judge, key, function, adapt)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            _("{path} is not a calibration: {error}.").format(path=path, error=error)
        ) from error


def _calibrated(found: Judged, function: str, calibration: Calibration) -> dict[str, Any]:
    """An empty summary still contains nothing."""
    rows = [
        calibration.adapt(row).tolist() if verdicts else row
        for row, verdicts in zip(found.presence(function), found.verdicts, strict=True)
    ]
    scores = [
        weigh(row, document.weights) for row, document in zip(rows, found.documents, strict=True)
    ]
    return {
        "calibrated": sum(scores) / len(scores),
        "calibrated_presence": rows,
        "temperature": calibration.adapt.temperature,
        "shift": calibration.adapt.shift,
    }


def describe(found: Judged, function: str, *, detail: bool = False) -> dict[str, Any]:
    """What is printed, as plain values."""
    told: dict[str, Any] = {
        "summaries": len(found.documents),
        "units": sum(len(document.units) for document in found.documents),
        **found.means(),
        "function": function,
        "score": found.means()[function],
        "human": found.human(),
        "missing": found.missing,
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
