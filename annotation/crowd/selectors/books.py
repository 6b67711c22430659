"""A campaign's ledger as a file."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.crowd.models import Campaign, Intent
from annotation.crowd.selectors.campaigns import list_entries
from scoring.io.cells import defuse, row_line

COLUMNS = (
    "entry",
    "at",
    "kind",
    "attempt",
    "amount",
    "fee",
    "outcome",
    "settled_at",
    "hit",
    "assignment",
    "worker",
    "by",
    "note",
)
CHUNK = 500


def stream_entries(campaign: Campaign) -> Iterator[str]:
    """Line by line, in the order of the books, safe to open in a spreadsheet."""
    yield row_line(*COLUMNS)
    for entry in list_entries(campaign).order_by("pk").iterator(CHUNK):
        yield row_line(*_cells(entry))


def _cells(entry: Intent) -> list[str]:
    settlement = getattr(entry, "settlement", None)
    assignment = entry.assignment
    worker = assignment.worker if assignment else None
    words = [
        settlement.outcome if settlement else "open",
        settlement.at.isoformat(timespec="seconds") if settlement else "",
        entry.hit.provider_id if entry.hit else "",
        assignment.provider_id if assignment else "",
        worker.provider_id if worker else "",
        str(entry.created_by or ""),
        settlement.note if settlement else "",
    ]
    figures = [f"{entry.amount:.4f}", f"{entry.fee:.4f}"]
    at = entry.created_at.isoformat(timespec="seconds")
    return [str(entry.pk), at, entry.kind, str(entry.attempt), *figures, *map(defuse, words)]
