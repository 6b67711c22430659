"""The labels as CSV, safe to open in a spreadsheet, and read back as they were.

    example_id,system,system_kind,position,unit_kind,weight,safe_unit,label,posterior,answers,…

Cells that a spreadsheet would run carry one apostrophe more in front, ids and names included. A
label or posterior that is not there is an empty cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.io.cells import defuse, row_line, undefuse
from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.gold.labels import LabelRow, kinds_of, label_rows
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.sheets import read_table, sheet_files
from scoring.io.source import Source
from scoring.types import Problem


def _number(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit()):
        raise InputError(cell)
    return int(cell)


def _label(cell: str) -> int | None:
    return {"": None, "0": 0, "1": 1}[cell]


def _share(cell: str) -> float | None:
    value = float(cell) if cell else None
    if value is not None and not 0 <= value <= 1:
        raise InputError(cell)
    return value


def _mark(cell: str) -> bool:
    return {"0": False, "1": True}[cell]


# The columns in the order of `LabelRow`: how a cell is read, and what it should be.
COLUMNS: dict[str, tuple[Callable[[str], Any], str]] = {
    "example_id": (undefuse, "text"),
    "system": (undefuse, "text"),
    "system_kind": (str, "text"),
    "position": (_number, "a whole number"),
    "unit_kind": (str, "text"),
    "weight": (_number, "a whole number"),
    "safe_unit": (undefuse, "text"),
    "label": (_label, "0, 1 or empty"),
    "posterior": (_share, "a number from 0 to 1, or empty"),
    "answers": (_number, "a whole number"),
    "answers_present": (_number, "a whole number"),
    "adjudicated": (_mark, "0 or 1"),
}


def write_csv(
    _: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """The file's bytes, an example at a time."""
    kinds = kinds_of(systems)
    yield row_line(*COLUMNS).encode()
    for example in examples:
        yield "".join(_line(row) for row in label_rows(kinds, example)).encode()


def _line(row: LabelRow) -> str:
    return row_line(
        defuse(row.example_id),
        defuse(row.system),
        row.system_kind,
        str(row.position),
        row.unit_kind,
        str(row.weight),
        defuse(row.unit),
        "" if row.label is None else str(int(row.label)),
        "" if row.posterior is None else repr(float(row.posterior)),
        str(row.answers),
        str(row.answers_present),
        str(int(row.adjudicated)),
    )


def read_labels(
    path: Path | str, *, problems: ProblemList, max_bytes: int | None = None
) -> Iterator[LabelRow]:
    """The rows of a table of labels. Rows that are not such are told in *problems*."""
    with Source(Path(path), max_bytes=max_bytes) as source:
        files = sheet_files(source)
        if len(files) != 1:
            message = f"There are {len(files)} tables."
            raise CorpusError(Problem(shown(source.path.name), None, message, "one."))
        table = read_table(source, files[0], problems)
        if table.header != list(COLUMNS):
            table.report_columns(problems, f"{', '.join(COLUMNS)}.")
            return
        for line, cells in table.rows:
            if (row := _row(cells, files[0], line, problems)) is not None:
                yield row


def _row(cells: dict[str, str], file: str, line: int, problems: ProblemList) -> LabelRow | None:
    values = []
    for name, (read, expected) in COLUMNS.items():
        try:
            values.append(read(cells[name]))
        except (KeyError, ValueError):
            problems.add(file, line, f"'{name}' is '{cells[name]}'.", f"{expected}.")
            return None
    return LabelRow(*values)
