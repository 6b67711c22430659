"""A save while somebody types: its time on the server, in a set of about 115,000 units.

Beside it, in the same run and turn by turn, an authenticated call that does nothing else.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from tests.benchmarks.database import BENCH_DIR, fresh_database, run_in, set_up_django
from tests.benchmarks.generated import EXAMPLES, write_corpus
from tests.benchmarks.report import Figure
from tests.servers import UNHINDERED

UNITS = 10
ROUNDS = 300
WARM_UP = 20
MOST_MS = 100


def measure(vendor: str) -> list[Figure]:
    corpus = write_corpus(BENCH_DIR / "studio", systems=1)
    with fresh_database(vendor) as environment:
        unhindered = {**environment, **UNHINDERED}
        found = run_in(unhindered, __name__, str(corpus))
    save, empty = found["save"], found["empty"]
    return [
        Figure(f"{vendor}: units in a set of {EXAMPLES:,} examples", found["units"]),
        Figure(f"{vendor}: save, median", statistics.median(save), "ms"),
        Figure(f"{vendor}: save, p95", p95(save), "ms", None, MOST_MS),
        Figure(f"{vendor}: call that does nothing, p95", p95(empty), "ms"),
        Figure(f"{vendor}: ratio of the two", p95(save) / p95(empty), "x"),
        Figure(f"{vendor}: save, queries", found["queries"]),
    ]


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def prepare(corpus: Path) -> Any:
    """A corpus, and a set with ten units an example, each on words of its reference."""
    from annotation.corpora.accounts.models import User
    from annotation.corpora.corpus.models import Reference
    from annotation.corpora.projects import service as projects_service
    from annotation.units.sets import service as sets_service
    from tests import factories

    user = User.objects.create_user(
        "bench@example.org", "bench", name="Bench", can_create_projects=True
    )
    project = projects_service.create_project(user=user, name="bench", slug="bench")
    factories.import_corpus(project, corpus)
    unit_set = sets_service.create_set(project=project, user=user, name="SCUs")
    rows = Reference.objects.filter(example__project=project).prefetch_related("sentences")
    write_units(unit_set, list(rows))
    return user


def write_units(unit_set: Any, references: list[Any]) -> None:
    from django.db import transaction
    from django.utils import timezone

    from annotation.corpora.bulk import insert_rows, reserve_ids
    from annotation.units.sets.models import Contributor, Unit
    from annotation.units.sets.versions import COPIED

    now = timezone.now()
    parts = [(reference, number) for reference in references for number in range(UNITS)]
    with transaction.atomic():
        ids = reserve_ids(Unit, len(parts))
        rows, words = [], []
        for pk, (reference, number) in zip(ids, parts, strict=True):
            sentence, start, end = words_of(reference, number)
            what = ("scu", reference.text[start:end], 1, number, 1, False)
            by = (unit_set.created_by_id, "", "", None, 20.0, now, now)
            rows.append((pk, unit_set.pk, reference.example_id, *what, *by))
            words.append((pk, reference.pk, sentence, start, end, True))
        insert_rows(Unit, COPIED, rows)
        columns = ["unit", "reference", "sentence", "start", "end", "is_aligned"]
        insert_rows(Contributor, columns, words)
        unit_set.unit_count = len(parts)
        unit_set.save(update_fields=["unit_count"])


def words_of(reference: Any, number: int) -> tuple[int, int, int]:
    """A stretch of one of the reference's sentences, another for each number."""
    sentences = reference.sentences.all()
    sentence = sentences[number % len(sentences)]
    length = sentence.end - sentence.start
    start = sentence.start + number * length // (2 * UNITS)
    return sentence.pk, start, max(start + 1, sentence.end - length // 4)


class Typist:
    """Types on in one unit after the other, spread over the project."""

    def __init__(self, user: Any) -> None:
        from django.test import Client

        from annotation.units.sets.models import UnitSet

        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(user)
        self.set = UnitSet.objects.get()

    def prepare(self, round_: int) -> tuple[str, dict[str, Any]]:
        """The address and the body of a save of words and spans; not part of what is timed."""
        from annotation.units.sets.models import Unit

        rows = Unit.objects.filter(set=self.set, example__position=round_ * 7919 % EXAMPLES)
        unit = rows.prefetch_related("contributors")[round_ % UNITS]
        span = unit.contributors.all()[0]
        change = {
            "action": "update",
            "unit": unit.pk,
            "revision": unit.revision,
            "text": f"{unit.text[:-1]} on.",
            "spans": [{"reference": span.reference_id, "start": span.start, "end": span.end}],
            "seconds": 1.5,
        }
        url = f"/api/v1/projects/bench/unit-sets/{self.set.pk}/examples/{unit.example_id}/ops/"
        return url, {"op": str(uuid.uuid4()), "action": "update", "changes": [change]}

    def save(self, round_: int) -> float:
        url, body = self.prepare(round_)
        data = json.dumps(body)
        start = time.perf_counter()
        response = self.client.post(url, data, content_type="application/json")
        elapsed = time.perf_counter() - start
        assert response.status_code == 200, response.content
        return 1000 * elapsed

    def ask_for_nothing(self) -> float:
        start = time.perf_counter()
        response = self.client.get("/api/v1/me/")
        elapsed = time.perf_counter() - start
        assert response.status_code == 200, response.content
        return 1000 * elapsed


def run(corpus: Path) -> dict[str, Any]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    typist = Typist(prepare(corpus))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    times = [(typist.save(round_), typist.ask_for_nothing()) for round_ in range(WARM_UP + ROUNDS)]
    url, body = typist.prepare(WARM_UP + ROUNDS)
    with CaptureQueriesContext(connection) as queries:
        typist.client.post(url, json.dumps(body), content_type="application/json")
    return {
        "units": typist.set.unit_count,
        "save": [save for save, _ in times[WARM_UP:]],
        "empty": [empty for _, empty in times[WARM_UP:]],
        "queries": len(queries),
    }


def main(corpus: str) -> None:
    set_up_django()
    print(json.dumps(run(Path(corpus))))


if __name__ == "__main__":
    main(*sys.argv[1:])
