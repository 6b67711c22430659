"""The SCU lists of LitePyramids and REALSumm: CSV, a row for each slot of the crowd's form.

    eventId,questionId,questionText,answer,author,sourceSummaryId,forUse
    cnndm5476,0,Kevin Carr ran with his tent.,Y,,cnndm5476,1
    cnndm5476,9,BLANK,N,,cnndm5476,1

A slot without a unit reads BLANK and may stand anywhere, so it is told by its text. Authors are
people and are not read. Rows whose `forUse` is 0 were set aside by the list's makers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.errors import InputError
from scoring.io.cells import defuse, row_line, undefuse
from scoring.io.errors import ProblemList
from scoring.io.sheets import (
    TABLES,
    add_note,
    note_unread,
    read_header,
    read_table,
    sheet_files,
)
from scoring.io.source import Source
from scoring.io.units.checks import UnitCheck, by_example
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy
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
NEEDED = gettext_lazy("eventId, and questionText or safe_questionText.")


def recognises(source: Source) -> bool:
    headers = (read_header(source, name) for name in sheet_files(source))
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
        if not sheet_files(source):
            problems.add(source.path.name, None, _("There is no table."), TABLES)

    def units(self) -> Iterator[UnitRecord]:
        for file in sheet_files(self.source):
            yield from self._rows(file)

    def _rows(self, file: str) -> Iterator[UnitRecord]:
        table = read_table(self.source, file, self.problems)
        column, set_aside = _text_column(table.header), 0
        if not column:
            table.report_columns(self.problems, NEEDED)
        else:
            note_unread(table, (*COLUMNS, SAFE_TEXT), self.notes)
        for line, row in table.rows if column else ():
            if (row.get("forUse") or "1").strip() in ("0", "0.0", "False"):
                set_aside += 1
            elif (unit := self._unit(row, column, file, line)) is not None:
                yield unit
        if set_aside:
            rows = "row" if set_aside == 1 else "rows"
            add_note(
                self.notes,
                _("Skipped because forUse is 0: {set_aside:,} {rows} of {file}.").format(
                    set_aside=set_aside, rows=rows, file=file
                ),
            )

    def _unit(self, row: dict[str, str], column: str, file: str, line: int) -> UnitRecord | None:
        key, text = row["eventId"], row[column]
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
        raise InputError(
            _("a unit of example '{unit}' has the text {blank}, which marks an empty slot").format(
                unit=unit.key, blank=BLANK
            )
        )
    return unit.text


def _row(*cells: str) -> str:
    return row_line(*cells, end="\n")
