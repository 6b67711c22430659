"""Scores of any metric from files: a table (CSV, TSV, Excel) or JSONL, one score a row, or
SacreROUGE's JSONL.

    doc_id,system,metric,score
    a1,bart,rouge_1_recall,0.52

A score may be empty where there is none. A column `flag`, where filled, marks a row that the
source itself warns of; such rows are read unless they are asked to be left out. Other columns are
not read. SacreROUGE's lines hold `instance_id`, `summarizer_id` and `metrics`, whose nested names
are joined by `_`: `{"rouge-1": {"recall": 35.1}}` is `rouge-1_recall`.

    system,kind
    bart,abstractive

tells of what kind systems are; `type` does for `kind`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scoring.io.cells import undefuse
from scoring.io.errors import ProblemList
from scoring.io.jsonl import BadShape, parse_object
from scoring.io.sheets import ENDINGS, read_header, read_table
from scoring.io.source import LineReader, Source
from scoring.metaeval.study import Study
from scoring.translation import gettext as _
from scoring.types import SYSTEM_KINDS

COLUMNS = ("doc_id", "system", "metric", "score")
LINES = (".jsonl", ".ndjson")
PREFIXES = {"ext_": "extractive", "abs_": "abstractive"}
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


def load_study(
    paths: Sequence[Path],
    *,
    human: str,
    kinds: Mapping[str, str] | None = None,
    by_prefix: bool = False,
    flagged: bool = True,
    digits: int | None = None,
) -> Study:
    """The scores of all files together; the first problem that they hold is raised.

    Systems and documents stand in the order in which they are met. `by_prefix` takes the kind of
    a system that `kinds` doesn't know from its name. `flagged=False` leaves out the rows that a
    flag warns of. `digits` rounds scores that are meant to tie.
    """
    problems = ProblemList()
    rows = (row for path in paths for row in read_scores(path, problems))
    cells = collect_cells(rows, problems, flagged=flagged)
    problems.raise_first()
    if digits is not None:
        cells = {key: round(score, digits) for key, score in cells.items()}
    guessed = kinds_by_prefix([key[1] for key in cells]) if by_prefix else {}
    return build_study(cells, human=human, kinds={**guessed, **(kinds or {})})


def read_scores(path: Path, problems: ProblemList) -> Iterator[ScoreRow]:
    """Row by row, from a table or a JSONL file."""
    with Source(path) as source:
        for name in source.names:
            if name.lower().endswith(LINES):
                yield from _json_rows(source, name, problems)
            elif name.lower().endswith(ENDINGS):
                yield from _table_rows(source, name, problems)
            else:
                expected = _("a .csv, .tsv, .xlsx or .jsonl file.")
                problems.add(name, None, _("The file type is not recognised."), expected)


def list_unread(path: Path) -> list[str]:
    """Columns of a table, or names in the first line of a JSONL, that nothing is read from."""
    known = {*COLUMNS, "flag", "instance_id", "summarizer_id", "metrics"}
    with Source(path) as source:
        if not path.name.lower().endswith(LINES):
            names = read_header(source, path.name)
        else:
            with closing(LineReader(source, path.name, ProblemList())) as lines:
                first = next(iter(lines), "")
            try:
                names = list(parse_object(first))
            except BadShape:  # which reading the rows reports, with its line
                return []
    return [name for name in names if name and name not in known]


def collect_cells(
    rows: Iterator[ScoreRow], problems: ProblemList, *, flagged: bool = True
) -> dict[tuple[str, str, str], float]:
    """Scores by metric, system and document; a second score of the same is a problem."""
    found: dict[tuple[str, str, str], float] = {}
    for row in rows:
        if row.flag and not flagged:
            continue
        key = (row.metric, row.system, row.document)
        if key in found:
            problems.add(
                row.file,
                row.line,
                _("'{system}' has a second '{metric}' on '{document}'.").format(
                    system=row.system, metric=row.metric, document=row.document
                ),
                _("one score per document, system and metric."),
            )
        found[key] = row.score
    return found


def build_study(
    cells: Mapping[tuple[str, str, str], float], *, human: str, kinds: Mapping[str, str]
) -> Study:
    """Tables of systems × documents; nan where a cell has no score."""
    systems = {name: place for place, name in enumerate(dict.fromkeys(key[1] for key in cells))}
    documents = {name: place for place, name in enumerate(dict.fromkeys(key[2] for key in cells))}
    tables = {
        metric: np.full((len(systems), len(documents)), np.nan)
        for metric in dict.fromkeys(key[0] for key in cells)
    }
    for (metric, system, document), score in cells.items():
        tables[metric][systems[system], documents[document]] = score
    known = {name: kinds[name] for name in systems if name in kinds}
    return Study(tuple(systems), tuple(documents), known, human, tables)


def read_kinds(path: Path) -> dict[str, str]:
    """Kinds by system, from a CSV with the columns `system` and `kind` or `type`."""
    problems = ProblemList()
    found: dict[str, str] = {}
    with Source(path) as source:
        for name in source.names:
            for line, row in _table(source, name, ("system",), problems):
                kind = row.get("kind") or row.get("type") or ""
                if kind not in SYSTEM_KINDS:
                    expected = _("one of {system_kinds}.").format(
                        system_kinds=", ".join(SYSTEM_KINDS)
                    )
                    problems.add(name, line, _("The kind is '{kind}'.").format(kind=kind), expected)
                found[row["system"]] = kind
    problems.raise_first()
    return found


def kinds_by_prefix(systems: Sequence[str]) -> dict[str, str]:
    """`ext_…` is extractive, `abs_…` abstractive: REALSumm's way to name systems."""
    return {
        name: kind
        for name in systems
        for prefix, kind in PREFIXES.items()
        if name.startswith(prefix)
    }


def _table_rows(source: Source, name: str, problems: ProblemList) -> Iterator[ScoreRow]:
    for line, row in _table(source, name, COLUMNS, problems):
        score = _number(row["score"], name, line, problems)
        document, system, metric = (undefuse(row[column]) for column in COLUMNS[:3])
        yield ScoreRow(document, system, metric, score, row.get("flag") or "", name, line)


def _table(
    source: Source, name: str, needed: Sequence[str], problems: ProblemList
) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a table with their lines; one without all of *needed* is a problem."""
    table = read_table(source, name, problems)
    if not set(needed) <= set(table.header) or not table.is_clear:
        table.report_columns(problems, _("{needed}, each once.").format(needed=", ".join(needed)))
        return
    for line, row in table.rows:
        empty = next((key for key in needed if not row[key] and key != "score"), None)
        if empty:
            problems.add(name, line, _("The {empty} is empty.").format(empty=empty), f"a {empty}.")
        else:
            yield line, row


def _number(text: Any, name: str, line: int, problems: ProblemList) -> float:
    """A score; nan where there is none."""
    if text is None or str(text).strip().lower() in NO_SCORE:
        return math.nan
    try:
        value = math.inf if isinstance(text, bool) else float(text)
    except (TypeError, ValueError):
        value = math.inf
    if math.isinf(value):
        problems.add(
            name,
            line,
            _("The score is {dumps}.").format(dumps=json.dumps(text)),
            _("a number, or an empty cell."),
        )
        return math.nan
    return value


def _json_rows(source: Source, name: str, problems: ProblemList) -> Iterator[ScoreRow]:
    with closing(LineReader(source, name, problems)) as lines:
        for text in lines:
            if not text.strip():
                continue
            try:
                data = parse_object(text)
                read = _of_sacrerouge if "instance_id" in data else _of_object
                yield from read(data, name, lines.number, problems)
            except BadShape as error:
                problems.add(name, lines.number, *error.args)


def _of_object(
    data: dict[str, Any], name: str, line: int, problems: ProblemList
) -> Iterator[ScoreRow]:
    if "score" not in data:
        raise BadShape(_("The line has no 'score'."), _("'score' as a number or null."))
    document, system, metric = (_string(data, key) for key in COLUMNS[:3])
    score = _number(data["score"], name, line, problems)
    yield ScoreRow(document, system, metric, score, str(data.get("flag") or ""), name, line)


def _of_sacrerouge(
    data: dict[str, Any], name: str, line: int, problems: ProblemList
) -> Iterator[ScoreRow]:
    document, system = _string(data, "instance_id"), _string(data, "summarizer_id")
    metrics = data.get("metrics")
    if not isinstance(metrics, dict):
        raise BadShape(_("The line has no 'metrics'."), _("'metrics' as an object of numbers."))
    for metric, value in _flatten(metrics):
        score = _number(value, name, line, problems)
        yield ScoreRow(document, system, metric, score, "", name, line)


def _flatten(metrics: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from ((f"{key}_{name}", inner) for name, inner in _flatten(value))
        else:
            yield key, value


def _string(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if type(value) is int:
        return str(value)
    if not isinstance(value, str) or not value:
        raise BadShape(
            _("The line has no '{key}'.").format(key=key), _("'{key}' as a string.").format(key=key)
        )
    return value
