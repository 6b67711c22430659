"""Prolific's submissions beside the sessions that this server has seen."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from annotation.crowd.models import Campaign, ProlificSession, SessionStatus
from annotation.crowd.providers.base import Places, Received
from annotation.crowd.providers.prolific_client import ProlificClient

logger = logging.getLogger(__name__)

STATUS = {"AWAITING REVIEW": "submitted", "APPROVED": "approved", "REJECTED": "rejected"}
AT_WORK = {"RESERVED", "ACTIVE"}
# Their place is free for another participant.
FREED = {
    "RETURNED": SessionStatus.RELEASED,
    "TIMED-OUT": SessionStatus.RELEASED,
    "REJECTED": SessionStatus.REJECTED,
}
CHUNK = 500

Json = dict[str, Any]


class Submissions:
    """One look at a study's submissions, each with its session where there is one."""

    def __init__(self, rows: Sequence[Json], sessions: Mapping[str, ProlificSession]) -> None:
        self._pairs = [(row, sessions.get(str(row["id"]))) for row in rows]
        self._counts: Counter[tuple[int, str]] = Counter(
            (session.hit_id, row["status"]) for row, session in self._pairs if session
        )

    @classmethod
    def fetch(cls, client: ProlificClient, campaign: Campaign, study_id: str) -> Submissions:
        rows = [row for row in client.list_submissions(study_id) if _is_known(row)]
        sessions = ProlificSession.objects.filter(campaign=campaign).defer("raw")
        found = cls(rows, {row.session_id: row for row in sessions})
        found._note_endings()
        return found

    def _note_endings(self) -> None:
        """Give the places of those who went, or were rejected, to whoever comes next."""
        for status, ending in FREED.items():
            gone = [kept.pk for row, kept in self._pairs if kept and row["status"] == status]
            for start in range(0, len(gone), CHUNK):
                rows = ProlificSession.objects.filter(pk__in=gone[start : start + CHUNK])
                rows.exclude(status=ending).update(status=ending)

    def count(self, hit: int, asked: int) -> Places:
        by_status = {status: self._counts[hit, status] for status in {*STATUS, *AT_WORK}}
        decided = by_status["APPROVED"] + by_status["REJECTED"]
        return Places(
            asked=asked,
            pending=sum(by_status[status] for status in AT_WORK),
            submitted=decided + by_status["AWAITING REVIEW"],
            decided=decided,
        )

    def receive(self, hits: Mapping[int, str], review: timedelta) -> Iterator[Received]:
        """Finished work on these HITs. Without a session nobody can tell what it was about."""
        raws = self._read_raws(hits)
        for row, session in self._pairs:
            if row["status"] not in STATUS:
                continue
            if session is None:
                logger.warning("submission %s bypassed this server and has no answers", row["id"])
            elif session.hit_id in hits:
                yield _received(row, session, hits[session.hit_id], raws[session.pk], review)

    def _read_raws(self, hits: Mapping[int, str]) -> dict[int, str]:
        wanted = [session.pk for _, session in self._pairs if session and session.hit_id in hits]
        found: dict[int, str] = {}
        for start in range(0, len(wanted), CHUNK):
            rows = ProlificSession.objects.filter(pk__in=wanted[start : start + CHUNK])
            found.update(rows.values_list("pk", "raw"))
        return found


def _is_known(row: Json) -> bool:
    return bool(row.get("id")) and isinstance(row.get("status"), str)


def _received(
    row: Json, session: ProlificSession, hit_id: str, raw: str, review: timedelta
) -> Received:
    started, completed = _time(row.get("started_at")), _time(row.get("completed_at"))
    started, completed = started or session.started_at, completed or session.submitted_at
    return Received(
        hit_id=hit_id,
        assignment_id=str(row["id"]),
        worker_id=session.participant,
        status=STATUS[row["status"]],
        raw=raw,
        accepted_at=started,
        submitted_at=completed,
        auto_approve_at=completed + review if completed else None,
        seconds=(completed - started).total_seconds() if completed else None,
    )


def _time(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text)) if text else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None
