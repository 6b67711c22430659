"""The SCU lists of LitePyramids and REALSumm: CSV, a row for each slot of the crowd's form.

    eventId,questionId,questionText,answer,author,sourceSummaryId,forUse
    cnndm5476,0,Kevin Carr ran with his tent.,Y,,cnndm5476,1
    cnndm5476,9,BLANK,N,,cnndm5476,1

A slot without a unit reads BLANK and may stand anywhere, so it is told by its text. Authors are
people and are not read. Rows whose `forUse` is 0 were set aside by the list's makers.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import closing

from scoring.errors import InputError
from scoring.io.cells import defuse, row_line, undefuse
from scoring.io.errors import ProblemList
from scoring.io.source import LineReader, Source
from scoring.io.table import csv_files
from scoring.io.units.checks import UnitCheck, by_example
from scoring.io.units.table import Row, read_header
from scoring.types import UNIT_KINDS, UnitRecord

NAME = "scu_list"
COLUMNS = (
    "eventId",
    "questionId",
    "questionText",
    "answer",
    "author",
    "sourceSummaryId",
    "forUse",
)
SAFE_TEXT = "safe_questionText"
BLANK = "BLANK"
SLOTS = 16
NEEDED = "eventId, and questionText or safe_questionText."


def recognises(source: Source) -> bool:
    headers = (read_header(source, name) for name in csv_files(source))
    return any(_text_column(header) for header in headers)


def _text_column(header: Iterable[str]) -> str:
    """The column of the units' texts; empty if there is none, or more than one, or no example."""
    names = list(header)
    texts = [name for name in names if name in ("questionText", SAFE_TEXT)]
    return texts[0] if len(texts) == 1 and names.count("eventId") == 1 else ""


class ScuListReader:
    """Reads rows one by one; slots are taken in the order of the rows."""

    format = NAME

    def __init__(self, source: Source, problems: ProblemList, *, kind: str = "") -> None:
        self.source = source
        self.problems = problems
        self.notes: list[str] = []
        self.check = UnitCheck(problems)
        self._kind = kind or UNIT_KINDS[0]
        if not csv_files(source):
            expected = "a file that ends in .csv."
            problems.add(source.path.name, None, "There is no CSV file.", expected)

    def units(self) -> Iterator[UnitRecord]:
        for file in csv_files(self.source):
            reader = LineReader(self.source, file, self.problems, keep_ends=True)
            with closing(reader) as lines:
                yield from self._rows(file, lines)

    def _rows(self, file: str, lines: LineReader) -> Iterator[UnitRecord]:
        rows = csv.DictReader(lines, strict=True)
        set_aside = 0
        try:
            column = self._column(file, list(rows.fieldnames or ()))
            for row in rows if column else ():
                if (row.get("forUse") or "1").strip() in ("0", "0.0", "False"):
                    set_aside += 1
                elif (unit := self._unit(row, column, file, rows.line_num)) is not None:
                    yield unit
        except csv.Error as error:
            self.problems.add(file, lines.number, f"The row is not CSV: {error}.", "quoted CSV.")
        if set_aside:
            self.notes.append(f"Left out, as forUse is 0: {set_aside:,} rows of {file}.")

    def _column(self, file: str, header: list[str]) -> str:
        column = _text_column(header)
        if not column:
            message = f"The columns are {', '.join(header) or 'missing'}."
            self.problems.add(file, 1, message, NEEDED)
        return column

    def _unit(self, row: Row, column: str, file: str, line: int) -> UnitRecord | None:
        key, text = row.get("eventId"), row.get(column)
        if key is None or text is None:
            self.problems.add(file, line, "The row has too few cells.", NEEDED)
            return None
        if text.strip() == BLANK:
            return None
        if column == SAFE_TEXT:
            key, text = undefuse(key), undefuse(text)
        unit = UnitRecord(key, text, self._kind, file=file, line=line)
        return unit if self.check.accepts(unit) else None


def write(units: Iterable[UnitRecord]) -> Iterator[str]:
    """The lines of a list that `ScuListReader` reads back as the same units.

    Only texts are kept. Each example fills sixteen slots, or more if it has more units. Where a
    cell would run in a spreadsheet, cells are defused and the column of texts says so.
    """
    records = list(units)
    cells = [cell for unit in records for cell in (unit.key, unit.text)]
    is_safe = all(defuse(cell) == cell for cell in cells)
    yield _row(*(SAFE_TEXT if name == "questionText" and not is_safe else name for name in COLUMNS))
    number = 0
    for key, group in by_example(records):
        texts = [_text(unit) for unit in group]
        for text in texts + [BLANK] * (SLOTS - len(texts)):
            answer = "N" if text == BLANK else "Y"
            shown = (key, text) if is_safe else (defuse(key), defuse(text))
            yield _row(shown[0], str(number), shown[1], answer, "", shown[0], "1")
            number += 1


def _text(unit: UnitRecord) -> str:
    if unit.text.strip() == BLANK:
        raise InputError(f"a unit of example '{unit.key}' reads {BLANK}, which means none here")
    return unit.text


def _row(*cells: str) -> str:
    return row_line(*cells, end="\n")
