"""A table with a unit per row, as CSV, TSV or Excel; an example's units in their positions' order.

    example_id,position,kind,weight,text,contributors,extractor,extractor_version
    a1,1,scu,2,"…",0:12-34 1:5-20,,

All but `example_id` and `text` may be left out. A column `safe_text` in place of `text` says that
cells which a spreadsheet would take for a formula carry one apostrophe more in front; that is how
files are written here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from scoring.errors import InputError
from scoring.io.cells import defuse, row_line, undefuse
from scoring.io.errors import ProblemList
from scoring.io.sheets import TABLES, Table, read_header, read_table, sheet_files
from scoring.io.source import Source
from scoring.io.units.checks import UnitCheck
from scoring.translation import gettext as _
from scoring.types import UNIT_KINDS, ContributorRecord, UnitRecord

NAME = "csv"
COLUMNS = (
    *("example_id", "position", "kind", "weight", "safe_text", "contributors"),
    *("extractor", "extractor_version"),
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_CONTRIBUTOR = re.compile(r"([0-9]{1,9}):([0-9]{1,9})-([0-9]{1,9})")
Row = dict[str, str]


class BadCell(InputError):
    """A cell that can't be read: (what is wrong, what was expected)."""


def recognises(source: Source) -> bool:
    headers = (set(read_header(source, name)) for name in sheet_files(source))
    return any(
        "example_id" in header and "part" not in header and bool(header & {"text", "safe_text"})
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
        if not sheet_files(source):
            problems.add(source.path.name, None, _("There is no table."), TABLES)

    def units(self) -> Iterator[UnitRecord]:
        self._counts.clear()
        for file in sheet_files(self.source):
            table = read_table(self.source, file, self.problems)
            column = self._text_column(table)
            for line, row in table.rows if column else ():
                unit = self._unit(row, column, file, line)
                if unit is not None and self.check.accepts(unit):
                    yield unit

    def _text_column(self, table: Table) -> str:
        """Empty if the columns are not those of units."""
        texts = [name for name in ("text", "safe_text") if name in table.header]
        others = set(table.header) - {*COLUMNS, "text"}
        if "example_id" in table.header and len(texts) == 1 and table.is_clear and not others:
            return texts[0]
        table.report_columns(self.problems, f"{', '.join(COLUMNS)}.")
        return ""

    def _unit(self, row: Row, column: str, file: str, line: int) -> UnitRecord | None:
        try:
            unit = _unit({**row, "kind": row.get("kind") or self._kind}, column, file, line)
            self._expect_position(unit.key, row.get("position", ""))
        except BadCell as error:
            self.problems.add(file, line, *error.args)
            return None
        return unit

    def _expect_position(self, key: str, cell: str) -> None:
        self._counts[key] += 1
        if cell and _number(cell, "position") != self._counts[key]:
            message = _("The position of a unit of example '{key}' is {cell}.").format(
                key=key, cell=cell
            )
            raise BadCell(
                message,
                _("{counts}: positions count from 1, in order.").format(counts=self._counts[key]),
            )


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
        raise BadCell(
            _("The {name} is '{cell}'.").format(name=name, cell=cell), _("a whole number.")
        )
    return int(cell)


def parse_contributors(cell: str) -> tuple[ContributorRecord, ...]:
    found = []
    for item in cell.split():
        match = _CONTRIBUTOR.fullmatch(item)
        if match is None:
            raise BadCell(
                _("The contributor is '{item}'.").format(item=item),
                _("reference:start-end, as in 0:12-34."),
            )
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
