"""The results of a campaign in the columns of an MTurk batch, an assignment a row.

`read_batch` reads them back. Attention items are counted in columns of their own: their texts are
no units, and whoever reads the file should not mistake them for some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from scoring.io.cells import defuse, row_line
from scoring.io.judgements.batch import BLANK, DEFUSED

ABOUT = (
    *("HITId", "Title", "Reward", "AssignmentId", "WorkerId", "AssignmentStatus"),
    *("AcceptTime", "SubmitTime", "ApprovalTime", "RejectionTime", "RequesterFeedback"),
    *("WorkTimeInSeconds", "Bonus", "Problem", "AttentionAsked", "AttentionRight"),
)
_MARKS = {True: "p", False: "n", None: ""}


@dataclass(frozen=True, slots=True)
class BatchResult:
    """One assignment; `answers` are (statement, whether it is present or None if unanswered)."""

    hit_id: str
    title: str
    reward: str
    assignment_id: str
    worker_id: str
    status: str
    key: str
    system: str
    summary: str
    answers: Sequence[tuple[str, bool | None]]
    accepted_at: datetime | None = None
    submitted_at: datetime | None = None
    decided_at: datetime | None = None
    feedback: str = ""
    seconds: float | None = None
    bonus: str = ""
    problem: str = ""
    attention_asked: int = 0
    attention_right: int = 0
    comment: str = ""


def write_results(rows: Iterable[BatchResult], slots: int) -> Iterator[str]:
    """Lines of CSV. Slots that a HIT does not use read BLANK."""
    numbers = range(1, slots + 1)
    yield row_line(
        *ABOUT,
        *("Input.eventId", "Input.summaryId", "Input.summary_text"),
        *(f"Input.statement_{number}" for number in numbers),
        "Input.cells",
        *(f"Answer.S{number}Answer" for number in numbers),
        "Answer.comment",
    )
    for row in rows:
        unused = slots - len(row.answers)
        texts = [text for text, _ in row.answers] + [BLANK] * unused
        marks = [_MARKS[present] for _, present in row.answers] + [""] * unused
        inputs = map(defuse, (row.key, row.system, row.summary, *texts))
        yield row_line(*_about(row), *inputs, DEFUSED, *marks, defuse(row.comment))


def _about(row: BatchResult) -> list[str]:
    cells = [
        *(row.hit_id, row.title, row.reward, row.assignment_id, row.worker_id),
        *(row.status.capitalize(), _time(row.accepted_at), _time(row.submitted_at)),
        _time(row.decided_at if row.status == "approved" else None),
        _time(row.decided_at if row.status == "rejected" else None),
        *(row.feedback, "" if row.seconds is None else f"{row.seconds:.6f}"),
        *(row.bonus, row.problem, str(row.attention_asked), str(row.attention_right)),
    ]
    return [defuse(cell) for cell in cells]


def _time(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="seconds")
