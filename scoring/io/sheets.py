"""Rows of tables, whichever kind of file holds them: CSV, TSV, or an Excel workbook."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterator
from contextlib import closing

from scoring.extras import explain
from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.source import DAMAGE, LineReader, Source, check_members
from scoring.types import Problem

EXCEL = ".xlsx"
ENDINGS = (".csv", ".tsv", EXCEL)
OLD_EXCEL = (".xls", ".xlsb", ".ods")
MOST_COLUMNS = 500
MOST_ROWS = 200_000
# A workbook's words are held in memory all at once.
MOST_UNPACKED = 256 * 2**20

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
    rows = _excel_rows if name.lower().endswith(EXCEL) else _text_rows
    for line, cells in rows(source, name, problems):
        while cells and not cells[-1].strip():
            cells.pop()
        if not cells:
            continue
        if line > MOST_ROWS or len(cells) > MOST_COLUMNS:
            most = f"at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns."
            raise CorpusError(Problem(shown(name), line, "The table is too large.", most))
        yield line, cells


def _text_rows(source: Source, name: str, problems: ProblemList) -> Iterator[Row]:
    with closing(LineReader(source, name, problems, keep_ends=True)) as lines:
        first = lines.next() or ""
        rows = csv.reader(_again(first, lines), delimiter=_find_delimiter(name, first), strict=True)
        try:
            for cells in rows:
                yield lines.number, cells
        except csv.Error as error:
            problems.add(name, lines.number, f"The row is not CSV: {error}.", "quoted CSV.")


def _again(first: str, lines: LineReader) -> Iterator[str]:
    if first:
        yield first
    yield from lines


def _find_delimiter(name: str, header: str) -> str:
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
            most = f"at most {MOST_UNPACKED // 2**20} MB unpacked."
            raise CorpusError(Problem(shown(name), None, "The workbook is too large.", most))
        file.seek(0)
        try:
            yield from enumerate(workbook.read_rows(file, MOST_COLUMNS + 1), 1)
        except workbook.UNREADABLE as error:
            raise _no_workbook(name, error) from None


def _no_workbook(name: str, error: Exception) -> CorpusError:
    message = shown(f"This is not a whole Excel workbook ({error}).")
    return CorpusError(Problem(shown(name), None, message, "an .xlsx file, or CSV."))
