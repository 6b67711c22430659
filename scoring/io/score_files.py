"""Scores of any metric from files: CSV or JSONL, one score a row, or SacreROUGE's JSONL.

    doc_id,system,metric,score
    a1,bart,rouge_1_recall,0.52

A score may be empty where there is none. A column `flag`, where filled, marks a row that the
source itself warns of. SacreROUGE's lines hold `instance_id`, `summarizer_id` and `metrics`, whose
nested names are joined by `_`.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from scoring.io.errors import ProblemList
from scoring.io.jsonl import BadShape, parse_object
from scoring.io.source import LineReader, Source

COLUMNS = ("doc_id", "system", "metric", "score")
LINES = (".jsonl", ".ndjson")
NO_SCORE = ("", "nan", "none", "null")


class ScoreRow(NamedTuple):
    """One score, where it stands, and whether its source warns of it."""

    document: str
    system: str
    metric: str
    score: float
    flag: str
    file: str
    line: int


def read_scores(path: Path, problems: ProblemList) -> Iterator[ScoreRow]:
    """Row by row, from a CSV or JSONL file."""
    with Source(path) as source:
        for name in source.names:
            if name.lower().endswith(LINES):
                yield from _json_rows(source, name, problems)
            elif name.lower().endswith(".csv"):
                yield from _csv_rows(source, name, problems)
            else:
                problems.add(name, None, "The file is of no known kind.", "a .csv or .jsonl file.")


def _csv_rows(source: Source, name: str, problems: ProblemList) -> Iterator[ScoreRow]:
    with closing(LineReader(source, name, problems, keep_ends=True)) as lines:
        rows = csv.DictReader(lines, strict=True)
        try:
            header = list(rows.fieldnames or ())
            if not set(COLUMNS) <= set(header) or len(set(header)) < len(header):
                told = f"The columns are {', '.join(header) or 'missing'}."
                problems.add(name, 1, told, f"{', '.join(COLUMNS)}, each once.")
                return
            for row in rows:
                if _is_whole(row, name, rows.line_num, problems):
                    yield _of_object(row, name, rows.line_num, problems)
        except csv.Error as error:
            problems.add(name, lines.number, f"The row is not CSV: {error}.", "quoted CSV.")


def _is_whole(row: Mapping[Any, Any], name: str, line: int, problems: ProblemList) -> bool:
    if None in row or None in row.values():
        problems.add(name, line, "The row has not as many cells as the header.", "as many.")
        return False
    empty = next((key for key in COLUMNS[:3] if not row[key]), None)
    if empty:
        problems.add(name, line, f"The {empty} is empty.", f"a {empty}.")
    return empty is None


def _json_rows(source: Source, name: str, problems: ProblemList) -> Iterator[ScoreRow]:
    with closing(LineReader(source, name, problems)) as lines:
        for text in lines:
            if not text.strip():
                continue
            try:
                data = parse_object(text)
                if "instance_id" in data:
                    yield from _of_sacrerouge(data, name, lines.number, problems)
                else:
                    yield _of_object(data, name, lines.number, problems)
            except BadShape as error:
                problems.add(name, lines.number, *error.args)


def _of_object(data: Mapping[str, Any], name: str, line: int, problems: ProblemList) -> ScoreRow:
    if "score" not in data:
        raise BadShape("The line has no 'score'.", "'score' as a number or null.")
    document, system, metric = (_string(data, key) for key in COLUMNS[:3])
    score = _number(data["score"], name, line, problems)
    return ScoreRow(document, system, metric, score, str(data.get("flag") or ""), name, line)


def _of_sacrerouge(
    data: Mapping[str, Any], name: str, line: int, problems: ProblemList
) -> Iterator[ScoreRow]:
    document, system = _string(data, "instance_id"), _string(data, "summarizer_id")
    metrics = data.get("metrics")
    if not isinstance(metrics, dict):
        raise BadShape("The line has no 'metrics'.", "'metrics' as an object of numbers.")
    for metric, value in _flatten(metrics):
        score = _number(value, name, line, problems)
        yield ScoreRow(document, system, metric, score, "", name, line)


def _flatten(metrics: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from ((f"{key}_{name}", inner) for name, inner in _flatten(value))
        else:
            yield key, value


def _number(value: Any, name: str, line: int, problems: ProblemList) -> float:
    """A score; nan where there is none."""
    if value is None or str(value).strip().lower() in NO_SCORE:
        return math.nan
    try:
        found = math.inf if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        found = math.inf
    if math.isinf(found):
        problems.add(name, line, f"The score is {json.dumps(value)}.", "a number, or nothing.")
        return math.nan
    return found


def _string(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if type(value) is int:
        return str(value)
    if not isinstance(value, str) or not value:
        raise BadShape(f"The line has no '{key}'.", f"'{key}' as a string.")
    return value
