"""Results of an MTurk batch: `Input.*` as it was sent, `Answer.*` as workers answered.

The columns that say who and when (HITId, AssignmentId, WorkerId, …) may be missing: published
files leave them out. Statements and answers belong together by number, wherever their columns
stand; an unused slot reads BLANK and is left out by its text. An answer may also be named by the
statement's id in `Input.qIdList`.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from scoring.io.cells import row_line, undefuse
from scoring.io.errors import ProblemList
from scoring.io.judgements.cells import (
    ANSWERS,
    BadCell,
    read_answer,
    read_id_list,
    read_seconds,
    read_time,
)
from scoring.io.judgements.records import STATUSES, JudgementRow, StatementAnswer
from scoring.io.sheets import EXCEL, find_delimiter, read_rows
from scoring.io.source import LineReader, Source
from scoring.translation import gettext as _

BLANK = "BLANK"
DEFUSED = "defused"
MAX_ID = 64
NEEDED = {"Input.eventId", "Input.summaryId", "Input.summary_text", "Input.statement_1"}
_STATEMENT = re.compile(r"Input\.statement_(\d{1,3})")
_ANSWER = re.compile(r"Answer\.(?:S(\d{1,3})Answer|statement_(\d{1,3}))")

Cells = dict[str, str]
# The cells of a row, its first line, and the row as the file has it, or as CSV.
RawRow = tuple[list[str], int, str]


def recognises(header: set[str]) -> bool:
    return "Input.eventId" in header and any(name.startswith("Answer.") for name in header)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns hold the statements and the answers, by slot."""

    statements: dict[int, str]
    answers: dict[int, str]

    @classmethod
    def of(cls, header: list[str]) -> Layout:
        texts = [(match, name) for name in header if (match := _STATEMENT.fullmatch(name))]
        marks = [(match, name) for name in header if (match := _ANSWER.fullmatch(name))]
        return cls(
            {
                int(match[1]): name
                for match, name in sorted(texts, key=lambda item: int(item[0][1]))
            },
            {int(match[1] or match[2]): name for match, name in marks},
        )


class _Remembered:
    """Lines on their way to the CSV reader; knows those that made up the row at hand."""

    def __init__(self, lines: LineReader) -> None:
        self._lines = lines
        self._taken: list[str] = []
        self.first_line = 1

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self._taken.append(line)
            yield line

    def take(self) -> str:
        text = "".join(self._taken)
        self.first_line = self._lines.number - len(self._taken) + 1
        self._taken.clear()
        return text.removesuffix("\n").removesuffix("\r")


def read_batch(source: Source, file: str, problems: ProblemList) -> Iterator[JudgementRow]:
    """The rows of one file; what can't be read is added to *problems* with its line."""
    file_hash = hash_file(source, file)
    rows = (_excel_rows if file.lower().endswith(EXCEL) else _csv_rows)(source, file, problems)
    header = next(rows, ([], 1, ""))[0]
    if not _header_fits(file, header, problems):
        return
    layout = Layout.of(header)
    for number, (cells, line, raw) in enumerate(rows, start=1):
        place = _Place(file, line, number, file_hash, raw)
        row = _read_row(header, cells, layout, place, problems)
        if row is not None:
            yield row


def _csv_rows(source: Source, file: str, problems: ProblemList) -> Iterator[RawRow]:
    with closing(LineReader(source, file, problems, keep_ends=True)) as lines:
        remembered, first = _Remembered(lines), lines.next() or ""
        delimiter = find_delimiter(file, first)
        rows = csv.reader(
            chain([first] * bool(first), remembered), delimiter=delimiter, strict=True
        )
        try:
            for cells in rows:
                raw = remembered.take()
                yield cells, remembered.first_line, raw
        except csv.Error as error:
            problems.add(
                file,
                lines.number,
                _("The row is not CSV: {error}.").format(error=error),
                _("quoted CSV."),
            )


def _excel_rows(source: Source, file: str, problems: ProblemList) -> Iterator[RawRow]:
    width = 0
    for line, cells in read_rows(source, file, problems):
        width = width or len(cells)
        yield [*cells, *[""] * (width - len(cells))], line, row_line(*cells, end="")


def hash_file(source: Source, file: str) -> str:
    digest = hashlib.sha256()
    with source.open(file) as data:
        while block := data.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _header_fits(file: str, header: list[str], problems: ProblemList) -> bool:
    missing = sorted(NEEDED - set(header))
    named = [name for name in header if name]
    if missing:
        problems.add(
            file,
            1,
            _("Missing columns: {missing}.").format(missing=", ".join(missing)),
            _("a batch of results."),
        )
    elif len(set(named)) < len(named):
        problems.add(file, 1, _("A column appears twice."), _("each column once."))
    else:
        return True
    return False


@dataclass(frozen=True, slots=True)
class _Place:
    file: str
    line: int
    row: int
    file_hash: str
    raw: str


def _read_row(
    header: list[str], cells: list[str], layout: Layout, place: _Place, problems: ProblemList
) -> JudgementRow | None:
    if not cells:
        return None  # an empty line, as editors leave at the end
    try:
        if len(cells) != len(header):
            message = _("The row has {cells} cells, but the header has {header}.").format(
                cells=len(cells), header=len(header)
            )
            raise BadCell(message, _("the same number."))
        return _row(
            _plain({name: cell for name, cell in zip(header, cells, strict=True) if name}),
            layout,
            place,
        )
    except BadCell as error:
        problems.add(place.file, place.line, *error.args)
        return None


def _plain(cells: Cells) -> Cells:
    """Without the apostrophes that keep spreadsheets from running a cell, if the file has them."""
    if cells.get("Input.cells") != DEFUSED:
        return cells
    return {
        name: undefuse(cell) if name.startswith("Input.") else cell for name, cell in cells.items()
    }


def _row(cells: Cells, layout: Layout, place: _Place) -> JudgementRow:
    return JudgementRow(
        key=cells["Input.eventId"],
        system=cells["Input.summaryId"],
        summary=cells["Input.summary_text"],
        statements=tuple(_statements(cells, layout)),
        file=place.file,
        line=place.line,
        row=place.row,
        file_hash=place.file_hash,
        raw=place.raw,
        assignment_id=_id(cells, "AssignmentId"),
        hit_id=_id(cells, "HITId"),
        worker_id=_id(cells, "WorkerId"),
        status=_status(cells.get("AssignmentStatus", "")),
        comment=cells.get("Answer.comment", ""),
        accepted_at=read_time(cells.get("AcceptTime", ""), "AcceptTime"),
        submitted_at=read_time(cells.get("SubmitTime", ""), "SubmitTime"),
        decided_at=_decided_at(cells),
        seconds=read_seconds(cells.get("WorkTimeInSeconds", ""), "WorkTimeInSeconds"),
        blanks=tuple(_blanks(cells, layout)),
    )


def _blanks(cells: Cells, layout: Layout) -> Iterator[bool]:
    """Answers in slots that read BLANK; what is no answer there is passed over."""
    for slot, column in layout.statements.items():
        said = cells.get(layout.answers.get(slot, ""), "").strip().lower()
        if cells[column].strip() == BLANK and said in ANSWERS:
            yield ANSWERS[said]


def _statements(cells: Cells, layout: Layout) -> Iterator[StatementAnswer]:
    ids = read_id_list(cells.get("Input.qIdList", ""), "Input.qIdList")
    if ids and len(ids) != len(layout.statements):
        message = _("The number of IDs in Input.qIdList is {ids}, not {statements}.").format(
            ids=len(ids), statements=len(layout.statements)
        )
        raise BadCell(message, _("an ID for each slot."))
    for at, (slot, column) in enumerate(layout.statements.items()):
        text = cells[column]
        if text.strip() in ("", BLANK):
            continue
        question = ids[at] if ids else ""
        yield StatementAnswer(
            slot, text, read_answer(_answer_cell(cells, layout, slot, question), slot), question
        )


def _answer_cell(cells: Cells, layout: Layout, slot: int, question: str) -> str:
    for column in (layout.answers.get(slot, ""), f"Answer.{question}"):
        if column in cells:
            return cells[column]
    raise BadCell(
        _("There is no answer to statement {slot}.").format(slot=slot),
        _("a column Answer.S{slot}Answer.").format(slot=slot),
    )


def _id(cells: Cells, column: str) -> str:
    value = cells.get(column, "").strip()
    if len(value) > MAX_ID:
        raise BadCell(
            _("{column} has {value} characters.").format(column=column, value=len(value)),
            _("at most {max_id}.").format(max_id=MAX_ID),
        )
    return value


def _status(cell: str) -> str:
    """Files without the column were published: what they hold was paid for."""
    status = cell.strip().lower() or "approved"
    if status not in STATUSES:
        raise BadCell(
            _("AssignmentStatus is '{cell}'.").format(cell=cell),
            _("one of {statuses}.").format(statuses=", ".join(STATUSES)),
        )
    return status


def _decided_at(cells: Cells) -> datetime | None:
    for column in ("ApprovalTime", "RejectionTime"):
        if found := read_time(cells.get(column, ""), column):
            return found
    return None
