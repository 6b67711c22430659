"""Cells and rows of CSV files that are safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re

_RISKY = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_DEFUSED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


def defuse(cell: str) -> str:
    """Put one apostrophe before a cell that a spreadsheet would run, or that has one already."""
    return f"'{cell}" if _RISKY.match(cell) else cell


def undefuse(cell: str) -> str:
    """Take away the apostrophe that `defuse` put before a cell, and no other."""
    return cell[1:] if _DEFUSED.match(cell) else cell


def row_line(*cells: str, end: str = "\r\n") -> str:
    """One row; a cell that holds a character of a line's end is quoted whatever *end* is."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + end
