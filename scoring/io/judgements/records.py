"""What a file of crowd answers holds: one worker's answers about one summary, a row each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

# How an assignment stands, in the words of the file formats.
STATUSES = ("submitted", "approved", "rejected")


@dataclass(frozen=True, slots=True)
class StatementAnswer:
    """A statement as a worker saw it. `present` is None where they gave no answer."""

    slot: int
    text: str
    present: bool | None
    question_id: str = ""


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """One assignment. `system` is as the file names it, which may be no system's name.

    `blanks` are the answers given in slots that read BLANK, True for present: right is False.

    Rows without ids are still different people: `file_hash` and `row` tell them apart.
    """

    key: str
    system: str
    summary: str
    statements: tuple[StatementAnswer, ...]
    file: str
    line: int
    row: int
    file_hash: str
    raw: str = field(repr=False)
    assignment_id: str = ""
    hit_id: str = ""
    worker_id: str = ""
    status: str = "approved"
    comment: str = ""
    accepted_at: datetime | None = None
    submitted_at: datetime | None = None
    decided_at: datetime | None = None
    seconds: float | None = None
    blanks: tuple[bool, ...] = ()

    @property
    def identity(self) -> str:
        """The assignment's id; where the file has none, the row of a file of these very bytes."""
        return self.assignment_id or f"{self.file_hash[:40]}:{self.row}"
