"""Rows of an Excel workbook, read one after the other by openpyxl; nothing in it is run."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

# What a damaged workbook, or one of an unknown kind, ends in.
UNREADABLE = (
    InvalidFileException,
    zipfile.BadZipFile,
    ParseError,
    OSError,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,
)


def read_rows(file: IO[bytes], most_columns: int) -> Iterator[list[str]]:
    """The cells of the first sheet that is shown, as text; of a formula its last result."""
    book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
    try:
        sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        sheet: Any = (sheets or book.worksheets)[0]
        sheet.reset_dimensions()  # what the file says of them may be wrong
        for row in sheet.iter_rows(max_col=most_columns, values_only=True):
            yield [_text(cell) for cell in row]
    finally:
        book.close()


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, date | datetime | time):
        return cell.isoformat()
    return str(cell)
