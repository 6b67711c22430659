"""The input of an MTurk batch, a HIT a row, in the columns that REALSumm used.

Cells that a spreadsheet would run carry an apostrophe in front, and the column `cells` says so;
results bring that column back, so that a reader knows to take the apostrophes away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scoring.errors import InputError
from scoring.io.cells import defuse, row_line
from scoring.io.judgements.batch import BLANK, DEFUSED
from scoring.io.judgements.cells import write_id_list
from scoring.translation import gettext as _

SLOTS = 16


@dataclass(frozen=True, slots=True)
class BatchHit:
    """One HIT: a summary and its statements as (id, text)."""

    key: str
    system: str
    summary: str
    statements: Sequence[tuple[str, str]]


def write_batch(hits: Iterable[BatchHit], slots: int = SLOTS) -> Iterator[str]:
    """Lines of CSV. Slots that a HIT does not use read BLANK."""
    names = [f"statement_{number}" for number in range(1, slots + 1)]
    yield row_line("eventId", "summaryId", "qIdList", "summary_text", *names, "cells")
    for hit in hits:
        if len(hit.statements) > slots:
            raise InputError(
                _("'{hit}' has {statements} statements for {slots} slots").format(
                    hit=hit.key, statements=len(hit.statements), slots=slots
                )
            )
        unused = slots - len(hit.statements)
        ids = [item for item, __ in hit.statements] + [BLANK] * unused
        texts = [text for __, text in hit.statements] + [BLANK] * unused
        cells = [hit.key, hit.system, write_id_list(ids), hit.summary, *texts]
        yield row_line(*map(defuse, cells), DEFUSED)
