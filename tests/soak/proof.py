"""After the end: is everything there that was promised, and once? Asked of the database itself."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from tests.soak.log import Promises

UNITS = "SELECT id, text, revision FROM units_unit WHERE set_id = %(draft)s"
OPS = "SELECT op::text FROM units_change WHERE set_id = %(draft)s AND op IS NOT NULL"
# Of each submitted assignment: the marketplace's state, ours, and how often it was kept and paid.
WORK = """
SELECT m.assignment_id, m.status, count(DISTINCT a.id), count(DISTINCT j.id),
  count(DISTINCT e.id), count(DISTINCT s.id)
FROM crowd_marketassignment m
LEFT JOIN crowd_assignment a ON a.provider_id = m.assignment_id
LEFT JOIN crowd_judgement j ON j.assignment_id = a.id
LEFT JOIN crowd_marketentry e ON e.assignment_id = m.id AND e.kind = 'reward'
LEFT JOIN crowd_intent i ON i.assignment_id = a.id AND i.kind = 'approve'
LEFT JOIN crowd_settlement s ON s.intent_id = i.id AND s.outcome = 'done'
WHERE m.status <> 'Accepted' GROUP BY m.assignment_id, m.status
"""
UNPAID = """
SELECT count(*) FROM crowd_marketassignment
WHERE status = 'Submitted' AND assignment_id = ANY(%(submitted)s)
"""
PRESENCE = """
SELECT count(*), coalesce(sum(jsonb_array_length(p.presence)), 0)
FROM evaluation_summarypresence p WHERE p.run_id = %(run)s
"""
PAIRS = """
SELECT count(DISTINCT y.id), count(*)
FROM corpora_summary y
JOIN corpora_example e ON e.id = y.example_id JOIN corpora_project p ON p.id = e.project_id
JOIN units_unit u ON u.example_id = e.id AND u.set_id = %(frozen)s AND NOT u.is_deleted
WHERE p.slug = %(project)s
"""
JOBS = "SELECT kind, error FROM corpora_job WHERE state = 'failed'"
TAKEN_UP = "SELECT count(*) FROM corpora_jobline WHERE text LIKE 'Resumed, attempt%%'"


class Books:
    """The database of the lab, and what was promised of it. Each check counts what is wrong."""

    def __init__(self, address: str, seeded: Mapping[str, Any], promises: Promises) -> None:
        self.address, self.seeded, self.promises = address, seeded, promises

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        made, submitted = self.promises.made, self.promises.submitted
        values = {**self.seeded, "run": made.get("run", 0), "submitted": submitted}
        with psycopg.connect(self.address, autocommit=True) as database:
            return list(database.execute(statement.encode(), values).fetchall())

    def count_unpaid(self) -> int:
        """Submitted, and still waiting for its money."""
        return int(self.query(UNPAID)[0][0])

    def count_lost_saves(self) -> int:
        """Units whose last acknowledged text is not there, and actions not made just once."""
        found = {pk: (text, revision) for pk, text, revision in self.query(UNITS)}
        made = Counter(op for (op,) in self.query(OPS))
        lost = sum(found.get(pk) != kept for pk, kept in self.promises.units.items())
        return lost + sum(made[op] != 1 for op in self.promises.ops)

    def count_wrong_work(self) -> int:
        """Acknowledged work that is not in the books, approved and paid, just once."""
        found = {row[0]: row[1:] for row in self.query(WORK)}
        once = ("Approved", 1, self.seeded["units"], 1, 1)
        return sum(found.get(key) != once for key in set(self.promises.submitted))

    def count_unpromised_work(self) -> int:
        """Work in the marketplace's books of which no worker has a receipt."""
        return len({row[0] for row in self.query(WORK)} - set(self.promises.submitted))

    def count_missing_presence(self) -> int:
        """Summaries and units that the run should have judged and has not, or has twice."""
        have, want = self.query(PRESENCE)[0], self.query(PAIRS)[0]
        return sum(abs(int(a) - int(b)) for a, b in zip(have, want, strict=True))

    def list_failed_jobs(self) -> list[str]:
        return [f"{kind}: {error}" for kind, error in self.query(JOBS)]

    def count_taken_up(self) -> int:
        return int(self.query(TAKEN_UP)[0][0])

    def count_differing_exports(self) -> int:
        return sum(len(set(digests)) - 1 for digests in self.promises.exports.values())


def count_differing_files(exported: bytes, archive: Path) -> int:
    """Files of the imported study that come out otherwise than they went in."""
    with zipfile.ZipFile(io.BytesIO(exported)) as out, zipfile.ZipFile(archive) as sent:
        names = [name for name in sent.namelist() if not name.endswith("/")]
        there = set(out.namelist())
        return sum(name not in there or out.read(name) != sent.read(name) for name in names)
