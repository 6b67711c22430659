"""Cells and rows of the CSV files of units, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from scoring.io.table import defuse


def undefuse(cell: str) -> str:
    """Take away the apostrophe that `defuse` put before a cell, and no other."""
    plain = cell.removeprefix("'")
    return plain if plain != cell and defuse(plain) == cell else cell


def row_line(*cells: str, end: str = "\r\n") -> str:
    """One row; a cell that holds a character of a line's end is quoted whatever *end* is."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + end
