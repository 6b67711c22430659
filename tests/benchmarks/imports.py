"""How fast a corpus comes in, beside writing the same rows with nothing around it.

Each side runs in a process of its own on a fresh database. The bare side has all its rows in
memory before the clock starts; the import's clock covers the check, the comparison, splitting
into sentences and every commit.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.database import BENCH_DIR, fresh_database, run_in, set_up_django
from tests.benchmarks.generated import EXAMPLES, SYSTEMS, write_corpus
from tests.benchmarks.report import Figure

LEAST_RATIO = 0.4
MOST_MEMORY_MB = 600
RUNS = 2
BARE_WAYS = {"sqlite": ["bulk_create"], "postgresql": ["bulk_create", "copy"]}


def measure(vendor: str) -> list[Figure]:
    corpus = str(write_corpus(BENCH_DIR))
    imported = best_of(vendor, "import", corpus)
    rows = imported["rows"]
    figures = [
        Figure(f"{vendor}: rows of {EXAMPLES:,} examples x {SYSTEMS} systems", rows),
        Figure(f"{vendor}: import, check and writing", imported["seconds"], "s"),
        Figure(f"{vendor}: import", rows / imported["seconds"], "rows/s"),
    ]
    for way in BARE_WAYS[vendor]:
        bare = best_of(vendor, way, corpus)
        assert bare["rows"] == rows, f"{bare['rows']} rows by {way}, {rows} by the import"
        ratio = bare["seconds"] / imported["seconds"]
        figures += [
            Figure(f"{vendor}: bare {way} of the same rows", bare["seconds"], "s"),
            Figure(f"{vendor}: speed of the import / bare {way}", ratio, "x", LEAST_RATIO),
        ]
    memory = Figure(
        f"{vendor}: peak memory of the import", imported["peak_mb"], "MB", None, MOST_MEMORY_MB
    )
    return [*figures, memory]


def best_of(vendor: str, way: str, corpus: str) -> dict[str, Any]:
    """The quickest of a few runs: what the machine does beside it only ever adds time."""
    runs = []
    for _ in range(RUNS):
        with fresh_database(vendor) as environment:
            runs.append(run_in(environment, __name__, way, corpus))
    return min(runs, key=lambda run: float(run["seconds"]))


def run_import(corpus: str) -> None:
    from annotation.corpora.projects import service as projects_service
    from tests import factories

    project = projects_service.create_project(user=None, name="bench", slug="bench")
    factories.import_corpus(project, Path(corpus))


def prepare_rows(corpus: str) -> list[tuple[Any, list[str], list[tuple[Any, ...]]]]:
    """Every row of every table, in memory, with its keys given out already."""
    from annotation.corpora.corpus.models import (
        Document,
        Example,
        Reference,
        Sentence,
        Summary,
        System,
    )
    from annotation.corpora.imports.models import Import
    from annotation.corpora.projects.service import create_project
    from scoring.io import open_corpus
    from scoring.sentences import split_sentences

    project = create_project(user=None, name="bench", slug="bench")
    source = Import.objects.create(project=project, name="bare").pk
    reader = open_corpus(corpus)
    examples = list(reader.examples())
    systems = {system.name: pk for pk, system in enumerate(reader.systems(), 1)}
    references = [(pk, item) for pk, e in enumerate(examples, 1) for item in e.references]
    spans = [
        (pk, at, start, end)
        for pk, (_, item) in enumerate(references, 1)
        for at, (start, end) in enumerate(split_sentences(item.text))
    ]
    return [
        (
            System,
            ["id", "project_id", "source_id", "name", "kind", "summary_count"],
            [(pk, project.pk, source, name, "other", 0) for name, pk in systems.items()],
        ),
        (
            Example,
            ["id", "project_id", "source_id", "key", "position"],
            [(pk, project.pk, source, e.key, pk - 1) for pk, e in enumerate(examples, 1)],
        ),
        (
            Document,
            ["example_id", "position", "text"],
            [(pk, 0, text) for pk, e in enumerate(examples, 1) for text in e.documents],
        ),
        (
            Reference,
            ["id", "example_id", "position", "name", "text", "sentences_given"],
            [
                (pk, example, 0, item.name, item.text, False)
                for pk, (example, item) in enumerate(references, 1)
            ],
        ),
        (Sentence, ["reference_id", "position", "start", "end"], spans),
        (
            Summary,
            ["example_id", "system_id", "source_id", "text"],
            [
                (pk, systems[name], source, text)
                for pk, e in enumerate(examples, 1)
                for name, text in e.summaries.items()
            ],
        ),
    ]


def bulk_create(tables: list[tuple[Any, list[str], list[tuple[Any, ...]]]]) -> None:
    from django.db import transaction

    with transaction.atomic():
        for model, names, rows in tables:
            model.objects.bulk_create(
                (model(**dict(zip(names, row, strict=True))) for row in rows), batch_size=5000
            )


def copy(tables: list[tuple[Any, list[str], list[tuple[Any, ...]]]]) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for model, names, rows in tables:
            columns = ", ".join(f'"{name}"' for name in names)
            statement = f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN'
            with cursor.copy(statement) as stream:
                for row in rows:
                    stream.write_row(row)


def count_rows() -> int:
    from annotation.corpora.corpus.models import (
        Document,
        Example,
        Reference,
        Sentence,
        Summary,
        System,
    )

    models = (System, Example, Document, Reference, Sentence, Summary)
    return sum(model.objects.count() for model in models)


def timed(action: Callable[[], None]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main(way: str, corpus: str) -> None:
    set_up_django()
    if way == "import":
        seconds = timed(lambda: run_import(corpus))
    else:
        tables = prepare_rows(corpus)
        seconds = timed(lambda: {"bulk_create": bulk_create, "copy": copy}[way](tables))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "rows": count_rows(), "peak_mb": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
