"""A table (CSV, TSV, Excel) with a text per row, rows in any order.

    example_id,part,name,text
    a1,document,,"…"
    a1,reference,A,"…"
    a1,summary,bart,"…"
    ,system,bart,abstractive

A column `safe_text` in place of `text` says that cells which a spreadsheet would take for a
formula carry one apostrophe more in front; that is how files are written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from scoring.io.cells import defuse, row_line, undefuse
from scoring.io.checks import RecordCheck
from scoring.io.errors import ProblemList
from scoring.io.sheets import (
    TABLES,
    Table,
    note_unread,
    read_header,
    read_table,
    sheet_files,
)
from scoring.io.source import Source
from scoring.io.spool import Part, Spool
from scoring.translation import gettext as _
from scoring.types import ExampleRecord, ReferenceText, SystemRecord

NAME = "csv"
PARTS = ("document", "reference", "summary", "system")
COLUMNS = ("example_id", "part", "name", "text", "safe_text")


def recognises(source: Source) -> bool:
    headers = (set(read_header(source, name)) for name in sheet_files(source))
    return any(header >= {"example_id", "part"} for header in headers)


class TableReader:
    """Reads rows, brings them together by example, and yields whole examples."""

    format = NAME

    def __init__(self, source: Source, problems: ProblemList) -> None:
        self.source = source
        self.problems = problems
        self.check = RecordCheck(problems)
        self.notes: list[str] = []
        self.kept: list[str] = []
        self._systems: dict[str, SystemRecord] = {}
        if not sheet_files(source):
            problems.add(source.path.name, None, _("There is no table."), TABLES)

    def systems(self) -> list[SystemRecord]:
        return list(self._systems.values())

    def verify(self) -> None:
        """Nothing besides the rows themselves."""

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]:
        with Spool() as spool:
            for part in self._parts():
                if part.kind == "system":
                    self._add_system(part)
                else:
                    spool.add(part)
            for key, parts in spool.groups(start):
                record = self._example(key, parts)
                if self.check.accepts(record):
                    yield record

    def _parts(self) -> Iterator[Part]:
        for file in sheet_files(self.source):
            table = read_table(self.source, file, self.problems)
            column = self._text_column(table)
            plain = undefuse if column == "safe_text" else str
            for line, row in table.rows if column else ():
                part = self._part(row, column, file, line)
                if part is not None and self._fits(part := _plain_part(part, plain)):
                    yield part

    def _text_column(self, table: Table) -> str:
        """Empty if the columns are not those of texts."""
        texts = [name for name in ("text", "safe_text") if name in table.header]
        if table.is_clear and len(texts) == 1 and {"example_id", "part"} <= set(table.header):
            note_unread(table, COLUMNS, self.notes)
            return texts[0]
        table.report_columns(self.problems, _("example_id, part, name, and text or safe_text."))
        return ""

    def _part(self, row: dict[str, str], column: str, file: str, line: int) -> Part | None:
        kind = row["part"]
        if kind not in PARTS:
            self.problems.add(
                file,
                line,
                _("The part is '{kind}'.").format(kind=kind),
                _("one of {parts}.").format(parts=", ".join(PARTS)),
            )
            return None
        return Part(row["example_id"], kind, row.get("name", ""), row[column], file, line)

    def _fits(self, part: Part) -> bool:
        where = (part.file, part.line)
        names_system = part.kind in ("summary", "system")
        if names_system and not self.check.name(part.name, _("system name"), *where):
            return False
        return part.kind == "system" or self.check.name(part.example, _("example id"), *where)

    def _add_system(self, part: Part) -> None:
        if self.check.kind(part.text, part.name, part.file, part.line):
            self._systems[part.name] = SystemRecord(part.name, part.text)

    def _example(self, key: str, parts: list[Part]) -> ExampleRecord:
        summaries: dict[str, str] = {}
        for part in parts:
            if part.kind != "summary":
                continue
            if part.name in summaries:
                message = _("Example '{key}' has a second summary of '{part}'.").format(
                    key=key, part=part.name
                )
                self.problems.add(part.file, part.line, message, _("one summary per system."))
            summaries[part.name] = part.text
            self._systems.setdefault(part.name, SystemRecord(part.name))
        return ExampleRecord(
            key=key,
            documents=tuple(part.text for part in parts if part.kind == "document"),
            references=tuple(
                ReferenceText(part.text, part.name) for part in parts if part.kind == "reference"
            ),
            summaries=summaries,
            file=parts[0].file,
            line=parts[0].line,
        )


def _plain_part(part: Part, plain: Callable[[str], str]) -> Part:
    return part._replace(example=plain(part.example), name=plain(part.name), text=plain(part.text))


def write(systems: Iterable[SystemRecord], records: Iterable[ExampleRecord]) -> Iterator[str]:
    """The lines of a file that `TableReader` reads back as the same systems and examples."""
    yield row_line("example_id", "part", "name", "safe_text")
    for system in systems:
        if system.kind:
            yield row_line("", "system", defuse(system.name), system.kind)
    for record in records:
        key = defuse(record.key)
        for text in record.documents:
            yield row_line(key, "document", "", defuse(text))
        for reference in record.references:
            yield row_line(key, "reference", defuse(reference.name), defuse(reference.text))
        for name, text in record.summaries.items():
            yield row_line(key, "summary", defuse(name), defuse(text))
