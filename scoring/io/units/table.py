"""CSV, one unit a row; the units of an example in the order of their position.

    example_id,position,kind,weight,text,contributors,extractor,extractor_version
    a1,1,scu,2,"…",0:12-34 1:5-20,,

All but `example_id` and `text` may be left out. A column `safe_text` in place of `text` says that
cells which a spreadsheet would take for a formula carry one apostrophe more in front; that is how
files are written here.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

from scoring.errors import InputError
from scoring.io.cells import defuse, row_line, undefuse
from scoring.io.errors import ProblemList
from scoring.io.source import LineReader, Source
from scoring.io.table import csv_files
from scoring.io.units.checks import UnitCheck
from scoring.types import UNIT_KINDS, ContributorRecord, UnitRecord

NAME = "csv"
COLUMNS = (
    *("example_id", "position", "kind", "weight", "safe_text", "contributors"),
    *("extractor", "extractor_version"),
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_CONTRIBUTOR = re.compile(r"([0-9]{1,9}):([0-9]{1,9})-([0-9]{1,9})")
Row = dict[str | None, str | None]


class BadCell(InputError):
    """A cell that can't be read: (what is wrong, what was expected)."""


def read_header(source: Source, name: str) -> set[str]:
    start = source.read(name, 4096).decode("utf-8-sig", errors="replace")
    return set(next(csv.reader(start.splitlines()[:1]), []))


def recognises(source: Source) -> bool:
    headers = (read_header(source, name) for name in csv_files(source))
    return any(
        "example_id" in header and "part" not in header and header & {"text", "safe_text"}
        for header in headers
    )


class TableReader:
    """Reads rows one by one; the rows of one example may stand apart, but in order.

    A unit that does not say its kind is of *kind*.
    """

    format = NAME

    def __init__(self, source: Source, problems: ProblemList, *, kind: str = "") -> None:
        self.source = source
        self.problems = problems
        self.notes: list[str] = []
        self.check = UnitCheck(problems)
        self._kind = kind or UNIT_KINDS[0]
        self._counts: Counter[str] = Counter()
        if not csv_files(source):
            expected = "a file that ends in .csv."
            problems.add(source.path.name, None, "There is no CSV file.", expected)

    def units(self) -> Iterator[UnitRecord]:
        self._counts.clear()
        for file in csv_files(self.source):
            reader = LineReader(self.source, file, self.problems, keep_ends=True)
            with closing(reader) as lines:
                yield from self._rows(file, lines)

    def _rows(self, file: str, lines: LineReader) -> Iterator[UnitRecord]:
        rows = csv.DictReader(lines, strict=True)
        try:
            column = self._text_column(file, list(rows.fieldnames or ()))
            if column is None:
                return
            for row in rows:
                unit = self._unit(row, column, file, rows.line_num)
                if unit is not None and self.check.accepts(unit):
                    yield unit
        except csv.Error as error:
            self.problems.add(file, lines.number, f"The row is not CSV: {error}.", "quoted CSV.")

    def _text_column(self, file: str, header: list[str]) -> str | None:
        texts = [name for name in ("text", "safe_text") if name in header]
        others = set(header) - {*COLUMNS, "text"}
        is_clear = len(texts) == 1 and len(set(header)) == len(header) and not others
        if "example_id" in header and is_clear:
            return texts[0]
        message = f"The columns are {', '.join(header) or 'missing'}."
        self.problems.add(file, 1, message, f"{', '.join(COLUMNS)}.")
        return None

    def _unit(self, row: Row, column: str, file: str, line: int) -> UnitRecord | None:
        try:
            if None in row or None in row.values():
                raise BadCell("The row has not as many cells as the header.", "as many.")
            cells = {name: value or "" for name, value in row.items() if name}
            unit = _unit({**cells, "kind": cells.get("kind") or self._kind}, column, file, line)
            self._expect_position(unit.key, cells.get("position", ""))
        except BadCell as error:
            self.problems.add(file, line, *error.args)
            return None
        return unit

    def _expect_position(self, key: str, cell: str) -> None:
        self._counts[key] += 1
        if cell and _number(cell, "position") != self._counts[key]:
            message = f"The position of a unit of example '{key}' is {cell}."
            raise BadCell(message, f"{self._counts[key]}: positions count from 1, in order.")


def _unit(cells: dict[str, str], column: str, file: str, line: int) -> UnitRecord:
    plain: Callable[[str], str] = undefuse if column == "safe_text" else str
    weight = cells.get("weight") or "1"
    return UnitRecord(
        key=plain(cells["example_id"]),
        text=plain(cells[column]),
        kind=cells["kind"],
        weight=_number(weight, "weight"),
        contributors=parse_contributors(cells.get("contributors", "")),
        extractor=plain(cells.get("extractor", "")),
        extractor_version=plain(cells.get("extractor_version", "")),
        file=file,
        line=line,
    )


def _number(cell: str, name: str) -> int:
    if not _NUMBER.fullmatch(cell):
        raise BadCell(f"The {name} is '{cell}'.", "a whole number.")
    return int(cell)


def parse_contributors(cell: str) -> tuple[ContributorRecord, ...]:
    found = []
    for item in cell.split():
        match = _CONTRIBUTOR.fullmatch(item)
        if match is None:
            raise BadCell(f"The contributor is '{item}'.", "reference:start-end, as in 0:12-34.")
        found.append(ContributorRecord(*(int(number) for number in match.groups())))
    return tuple(found)


def format_contributors(contributors: Iterable[ContributorRecord]) -> str:
    return " ".join(f"{part.reference}:{part.start}-{part.end}" for part in contributors)


def write(units: Iterable[UnitRecord]) -> Iterator[str]:
    """The lines of a file that `TableReader` reads back as the same units."""
    yield row_line(*COLUMNS)
    counts: Counter[str] = Counter()
    for unit in units:
        counts[unit.key] += 1
        yield row_line(
            defuse(unit.key),
            str(counts[unit.key]),
            unit.kind,
            str(unit.weight),
            defuse(unit.text),
            format_contributors(unit.contributors),
            defuse(unit.extractor),
            defuse(unit.extractor_version),
        )
