"""Rows of tables, whichever kind of file holds them: CSV, TSV, or an Excel workbook.

Every reader of a table reads it here, by `read_table` where columns have names of their own.
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass

from scoring.extras import explain
from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.source import DAMAGE, LineReader, Source, check_members
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy
from scoring.types import Problem

EXCEL = ".xlsx"
ENDINGS = (".csv", ".tsv", EXCEL)
# What is expected where there is none.
TABLES = gettext_lazy("a file that ends in .csv, .tsv or .xlsx.")
OLD_EXCEL = (".xls", ".xlsb", ".ods")
MOST_COLUMNS = 500
MOST_ROWS = 200_000
# A workbook's words are held in memory all at once.
MOST_UNPACKED = 256 * 2**20

csv.field_size_limit(64 * 2**20)  # the module's own limit is 128 KB; a document may have 1 MB

Row = tuple[int, list[str]]


def sheet_files(source: Source) -> list[str]:
    return [name for name in source.names if name.lower().endswith(ENDINGS)]


def read_header(source: Source, name: str) -> list[str]:
    """The first row's cells; none if the file can't be read."""
    try:
        return next(read_rows(source, name, ProblemList()), (0, []))[1]
    except CorpusError:
        return []


def read_rows(source: Source, name: str, problems: ProblemList) -> Iterator[Row]:
    """Line and cells of every row that has any; empty cells at a row's end are left out."""
    for line, cells in _raw_rows(source, name, problems):
        if cells := _without_end(cells):
            _check_size(name, line, cells)
            yield line, cells


@dataclass(frozen=True, slots=True)
class Table:
    """The names of the columns, and rows by them, each with its line."""

    name: str
    header: list[str]
    rows: Iterator[tuple[int, dict[str, str]]]
    # Whether the header could be read; if not, that is a problem already.
    is_read: bool

    @property
    def is_clear(self) -> bool:
        """No name is there twice."""
        return len(set(self.header)) == len(self.header)

    def report_columns(self, problems: ProblemList, expected: str) -> None:
        if self.is_read:
            listed = ", ".join(self.header) or "missing"
            problems.add(
                self.name, 1, _("The columns are {listed}.").format(listed=listed), expected
            )


def note_unread(table: Table, known: Collection[str], notes: list[str]) -> None:
    """Say which columns of a table its reader has no use for."""
    unread = [name for name in table.header if name not in known and name.strip()]
    if unread:
        listed = shown(", ".join(unread))
        add_note(
            notes,
            _("Columns of {shown} that were not imported: {listed}.").format(
                shown=shown(table.name), listed=listed
            ),
        )


def add_note(notes: list[str], note: str) -> None:
    """Once, however often a file is read."""
    if note not in notes:
        notes.append(note)


def read_table(source: Source, name: str, problems: ProblemList) -> Table:
    """A row with another number of cells than the header is a problem, and left out.

    A workbook has no empty cells at a row's end, so there they are filled in.
    """
    is_excel = name.lower().endswith(EXCEL)
    rows, before = _raw_rows(source, name, problems), problems.count
    header = next(rows, (1, []))[1]
    is_read = problems.count == before
    if is_excel:
        header = _without_end(header)
    named = _named_rows(rows, header, name, problems, is_excel=is_excel)
    return Table(name, header, named, is_read)


def _named_rows(
    rows: Iterator[Row], header: list[str], name: str, problems: ProblemList, *, is_excel: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    for line, cells in rows:
        if is_excel:
            if not (cells := _without_end(cells)):
                continue
            _check_size(name, line, cells)
            cells += [""] * (len(header) - len(cells))
        if len(cells) == len(header):
            yield line, dict(zip(header, cells, strict=True))
        elif cells:  # an empty line is no row
            message = _("The row has {cells} cells and the header {header}.").format(
                cells=len(cells), header=len(header)
            )
            problems.add(name, line, message, _("{header} cells.").format(header=len(header)))


def _raw_rows(source: Source, name: str, problems: ProblemList) -> Iterator[Row]:
    read = _excel_rows if name.lower().endswith(EXCEL) else _text_rows
    return read(source, name, problems)


def _without_end(cells: list[str]) -> list[str]:
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _check_size(name: str, line: int, cells: list[str]) -> None:
    if line > MOST_ROWS or len(cells) > MOST_COLUMNS:
        most = _("at most {most_rows:,} rows and {most_columns} columns.").format(
            most_rows=MOST_ROWS, most_columns=MOST_COLUMNS
        )
        raise CorpusError(Problem(shown(name), line, _("The table is too large."), most))


def _text_rows(source: Source, name: str, problems: ProblemList) -> Iterator[Row]:
    with closing(LineReader(source, name, problems, keep_ends=True)) as lines:
        first = lines.next() or ""
        rows = csv.reader(_again(first, lines), delimiter=find_delimiter(name, first), strict=True)
        try:
            for cells in rows:
                yield lines.number, cells
        except csv.Error as error:
            problems.add(
                name,
                lines.number,
                _("The row is not CSV: {error}.").format(error=error),
                _("quoted CSV."),
            )


def _again(first: str, lines: LineReader) -> Iterator[str]:
    if first:
        yield first
    yield from lines


def find_delimiter(name: str, header: str) -> str:
    """Spreadsheets of some countries write semicolons."""
    if name.lower().endswith(".tsv"):
        return "\t"
    return max(",;\t", key=header.count)


def _excel_rows(source: Source, name: str, problems: ProblemList) -> Iterator[Row]:
    try:
        from scoring.backends import workbook
    except ModuleNotFoundError as error:
        raise explain(error) from None
    with source.open(name) as file:
        try:
            with zipfile.ZipFile(file) as packed:
                infos = packed.infolist()
        except DAMAGE as error:
            raise _no_workbook(name, error) from None
        check_members(name, infos)
        if sum(info.file_size for info in infos) > MOST_UNPACKED:
            most = _("at most {most_unpacked} MB unpacked.").format(
                most_unpacked=MOST_UNPACKED // 2**20
            )
            raise CorpusError(Problem(shown(name), None, _("The workbook is too large."), most))
        file.seek(0)
        try:
            yield from enumerate(workbook.read_rows(file, MOST_COLUMNS + 1), 1)
        except workbook.UNREADABLE as error:
            raise _no_workbook(name, error) from None


def _no_workbook(name: str, error: Exception) -> CorpusError:
    message = shown(
        _("This Excel workbook is damaged or incomplete ({error}).").format(error=error)
    )
    return CorpusError(Problem(shown(name), None, message, _("an .xlsx file, or CSV.")))
