"""Answers from files: a long table (CSV, TSV, Excel) or JSONL, one answer a row, or results of
MTurk batches.

    document,system,statement,worker,assignment,answer,seconds,gold
    a1,bart,3,w17,,present,41,

`worker` or `assignment` may be empty, not both. `seconds` (of the whole assignment) and `gold` (the
known answer of a check item) may be left out. A column `cells` that reads `defused` says that
cells which a spreadsheet would run carry one apostrophe more in front.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from scoring.aggregation import AnswerRow, Answers, build_answers
from scoring.io.cells import undefuse
from scoring.io.errors import ProblemList
from scoring.io.judgements import JudgementRow, open_judgements
from scoring.io.judgements.batch import DEFUSED
from scoring.io.judgements.cells import ANSWERS, BadCell, read_seconds
from scoring.io.sheets import read_header, read_table, sheet_files
from scoring.io.source import LineReader, Source
from scoring.translation import gettext as _

NEEDED = ("document", "system", "statement", "answer")
NAMES = ("document", "system", "statement", "worker", "assignment")
SYSTEMS_FILE = "systems.csv"

Cells = Mapping[str, Any]


def load_answers(
    path: Path | str, *, problems: ProblemList | None = None, count_blank: bool = False
) -> Answers:
    """The answers at *path*; raises the first problem that the files hold.

    With *count_blank*, slots of a batch that read BLANK are check items whose right answer is
    absent; otherwise they count nowhere.
    """
    found = problems or ProblemList()
    try:
        return build_answers(read_answers(Path(path), found, count_blank=count_blank))
    finally:
        found.raise_first()


def read_answers(
    path: Path, problems: ProblemList, *, count_blank: bool = False
) -> Iterator[AnswerRow]:
    """Row by row. A folder, a zip or an MTurk CSV is read as results of batches."""
    with Source(path) as source:
        names = source.names
        is_table = len(names) == 1 and sheet_files(source) == names
        header = set(read_header(source, names[0]) if is_table else ())
        is_jsonl = len(names) == 1 and names[0].lower().endswith((".jsonl", ".ndjson"))
        if is_jsonl or header.issuperset(NEEDED):
            rows = _json_rows if is_jsonl else _table_rows
            yield from rows(source, names[0], problems)
            return
    yield from read_batches(path, problems, count_blank=count_blank)


def read_batches(
    path: Path, problems: ProblemList, *, count_blank: bool = False
) -> Iterator[AnswerRow]:
    """Answers from MTurk results; a `systems.csv` inside or beside the folder names the systems."""
    beside = path.parent / SYSTEMS_FILE
    paths = [path, *([beside] if path.is_dir() and beside.is_file() else [])]
    with open_judgements(paths, problems=problems) as reader:
        for row in reader.rows():
            if row.status != "rejected":
                yield from _of_judgement(row)
                yield from _of_blanks(row) if count_blank else ()


def _of_judgement(row: JudgementRow) -> Iterator[AnswerRow]:
    for item in row.statements:
        if item.present is not None:
            yield AnswerRow(
                row.key,
                row.system,
                item.question_id or str(item.slot),
                row.worker_id,
                row.identity,
                item.present,
                row.seconds,
            )


def _table_rows(source: Source, name: str, problems: ProblemList) -> Iterator[AnswerRow]:
    for line, cells in read_table(source, name, problems).rows:
        if row := _checked(_plain(cells), name, line, problems):
            yield row


def _of_blanks(row: JudgementRow) -> Iterator[AnswerRow]:
    for number, present in enumerate(row.blanks, 1):
        statement = f"BLANK {number}"
        of = (row.key, row.system, statement, row.worker_id, row.identity)
        yield AnswerRow(*of, present, row.seconds, gold=False)


def _json_rows(source: Source, name: str, problems: ProblemList) -> Iterator[AnswerRow]:
    with closing(LineReader(source, name, problems)) as lines:
        for line in lines:
            if not line.strip():
                continue
            try:
                data = json.loads(line)
            except (ValueError, RecursionError) as error:
                message = _("The line is not JSON ({error}).").format(error=error)
                problems.add(name, lines.number, message, _("one JSON object per line."))
                continue
            if row := _checked(data, name, lines.number, problems):
                yield row


def _plain(row: dict[str, str]) -> dict[str, str]:
    if row.get("cells") == DEFUSED:
        return {name: undefuse(cell) for name, cell in row.items()}
    return row


def _checked(cells: Any, name: str, line: int, problems: ProblemList) -> AnswerRow | None:
    try:
        return _row(cells)
    except BadCell as error:
        problems.add(name, line, *error.args)
        return None


def _row(cells: Any) -> AnswerRow:
    if not isinstance(cells, dict):
        raise BadCell(
            _("The line is not an object."),
            _("an object with {needed}.").format(needed=", ".join(NEEDED)),
        )
    document, system, statement, worker, assignment = (_text(cells, column) for column in NAMES)
    for column, text in zip(NAMES, (document, system, statement), strict=False):
        if not text:
            raise BadCell(
                _("There is no {column}.").format(column=column),
                _("{needed}, none empty.").format(needed=", ".join(NEEDED)),
            )
    if not worker and not assignment:
        raise BadCell(_("Worker and assignment are both missing."), _("at least one of them."))
    present = _answer(cells, "answer")
    if present is None:
        raise BadCell(
            _("There is no answer."), _("present or absent; omit rows without an answer.")
        )
    seconds = read_seconds(_text(cells, "seconds"), "seconds")
    gold = _answer(cells, "gold")
    return AnswerRow(document, system, statement, worker, assignment, present, seconds, gold)


def _text(cells: Cells, column: str) -> str:
    value = cells.get(column)
    if value is None:
        return ""
    if isinstance(value, (dict, list)):
        raise BadCell(
            _("{column} is a {name}.").format(column=column, name=type(value).__name__),
            _("a text or a number."),
        )
    return str(value).strip()


def _answer(cells: Cells, column: str) -> bool | None:
    text = _text(cells, column)
    if not text:
        return None
    found = ANSWERS.get(text.lower())
    if found is None:
        raise BadCell(
            _("The {column} is '{text}'.").format(column=column, text=text),
            _("p or n, present or absent."),
        )
    return found
