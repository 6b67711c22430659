"""A table with an example a row and a column for each text, as CSV, TSV or Excel.

    id,document,reference,bart,t5
    a1,"…","…","…","…"

What a column holds is its role: the example's id, a document, a reference, the summaries of the
system that it is named after, or nothing that is imported. Roles are guessed from the names, or
given. Without ids, rows are numbered. An empty cell is no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scoring.io.checks import RecordCheck
from scoring.io.errors import ProblemList
from scoring.io.sheets import EXCEL, OLD_EXCEL, TABLES, read_header, read_rows, sheet_files
from scoring.io.source import Source
from scoring.translation import gettext as _
from scoring.types import ExampleRecord, ReferenceText, SystemRecord

NAME = "wide"
ID, DOCUMENT, REFERENCE, SUMMARY, IGNORE = "id", "document", "reference", "summary", "ignore"
ROLES = (ID, DOCUMENT, REFERENCE, SUMMARY, IGNORE)
_GUESSES = (
    (ID, re.compile(r"(example|doc|document|article|instance|item)?[ _-]?(id|key)", re.I)),
    (DOCUMENT, re.compile(r"(document|source|article|text|input|doc)s?[ _-]?\d*", re.I)),
    (
        REFERENCE,
        re.compile(r"(reference|ref|gold|target|highlights|human)s?([ _-]?\w{1,7})?", re.I),
    ),
)
_LONG = {"example_id", "part"}  # the columns of a table with a text a row


def guess_role(column: str) -> str:
    name = column.strip()
    found = (role for role, pattern in _GUESSES if pattern.fullmatch(name))
    return next(found, SUMMARY if name else IGNORE)


def recognises(source: Source) -> bool:
    """By its name an Excel file is one; a CSV has a document or a reference among its columns."""
    for name in sheet_files(source):
        header = read_header(source, name)
        roles = {guess_role(column) for column in header}
        is_wide = len(header) > 1 and bool(roles & {DOCUMENT, REFERENCE})
        if not set(header) >= _LONG and (is_wide or name.lower().endswith(EXCEL)):
            return True
    return False


class WideReader:
    """One row at a time. `columns` are the roles by column, as said or guessed."""

    format = NAME

    def __init__(
        self, source: Source, problems: ProblemList, roles: Mapping[str, str] | None = None
    ) -> None:
        self.source = source
        self.problems = problems
        self.check = RecordCheck(problems)
        self.notes: list[str] = []
        self.kept: list[str] = []
        self.columns: dict[str, str] = {}
        self._said = dict(roles or {})
        if not sheet_files(source):
            problems.add(source.path.name, None, _("There is no table."), _expected(source))

    def systems(self) -> list[SystemRecord]:
        return [SystemRecord(name) for name, role in self.columns.items() if role == SUMMARY]

    def verify(self) -> None:
        """Every column that somebody gave a role is there."""
        for name in self._said:
            if name not in self.columns:
                known = ", ".join(self.columns) or "none"
                message = _("There is no column '{name}'.").format(name=name)
                self.problems.add(
                    self.source.path.name, 1, message, _("one of {known}.").format(known=known)
                )

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]:
        seen = 0
        for file in sheet_files(self.source):
            rows = read_rows(self.source, file, self.problems)
            header = next(rows, (0, []))[1]
            if not self._take_header(file, header):
                continue
            for line, cells in rows:
                seen += 1
                if seen <= start:
                    continue
                if (record := self._record(header, cells, file, line)) is not None:
                    yield record

    def _take_header(self, file: str, header: list[str]) -> bool:
        named = [name for name in header if name.strip()]
        roles = {name: self._said.get(name, guess_role(name)) for name in named}
        expected = _("a header with a name for each column, each once.")
        if not named or len(set(named)) < len(named):
            told = ", ".join(named) or "missing"
            self.problems.add(file, 1, _("The columns are {told}.").format(told=told), expected)
            return False
        self.columns |= roles
        if sum(role == ID for role in roles.values()) > 1:
            self.problems.add(file, 1, _("Two columns contain ids."), _("one column with the ids."))
            return False
        names = [name for name, role in roles.items() if role == SUMMARY]
        return all(self.check.name(name, "system name", file, 1) for name in names)

    def _record(
        self, header: list[str], cells: list[str], file: str, line: int
    ) -> ExampleRecord | None:
        if len(cells) > len(header):
            message = _("The row has more cells than the header.")
            self.problems.add(file, line, message, _("a column's name for each cell."))
            return None
        texts: dict[str, dict[str, str]] = {role: {} for role in ROLES}
        for name, cell in zip(header, cells, strict=False):
            if cell.strip() and name.strip():
                texts[self.columns[name]][name] = cell
        has_ids = ID in self.columns.values()
        key = next(iter(texts[ID].values()), "") if has_ids else str(line - 1)
        record = ExampleRecord(
            key=key.strip(),
            documents=tuple(texts[DOCUMENT].values()),
            references=tuple(_references(texts[REFERENCE])),
            summaries=texts[SUMMARY],
            file=file,
            line=line,
        )
        return record if self.check.accepts(record) else None


def _references(texts: Mapping[str, str]) -> Iterator[ReferenceText]:
    """Several are told apart by the names of their columns."""
    for name, text in texts.items():
        yield ReferenceText(text, name.strip() if len(texts) > 1 else "")


def _expected(source: Source) -> str:
    if any(name.lower().endswith(OLD_EXCEL) for name in source.names):
        return _("a file that ends in .xlsx or .csv: save the workbook as one of these.")
    return TABLES
