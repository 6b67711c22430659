"""Every page of a project that has been studied: units, labels, a run and metrics of all summaries.

Rows are written straight into the tables: what is measured is how pages read them.
"""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tests.benchmarks.database import BENCH_DIR, fresh_database, run_in, set_up_django
from tests.benchmarks.generated import EXAMPLES, write_corpus
from tests.benchmarks.pages import MOST_RATIO, SMALL, count_queries, prepare, visit
from tests.benchmarks.report import Figure

ROUNDS, WARM_UP = 30, 3
UNITS = 3
METRICS = ("bleu", "chrf")
BATCH = 5000
# Names of pages that need only the project, and the ids that the others need.
PAGES: dict[str, str] = {
    "systems": "systems/",
    "system": "systems/{system}/?page={page}",
    "imports": "imports/",
    "activity": "activity/",
    "jobs": "jobs/",
    "members": "members/",
    "settings": "settings/",
    "export": "export/",
    "unit sets": "units/",
    "unit set": "units/{units}/",
    "narrow spans": "units/{units}/narrow/",
    "studio": "units/{units}/examples/{example}/",
    "history": "units/{units}/examples/{example}/history/",
    "campaigns": "crowd/",
    "gold": "gold/",
    "labels": "gold/labels/{labels}/",
    "scores by people": "gold/labels/{labels}/scores/?example={example}",
    "new gold version": "gold/labels/{labels}/gold/",
    "runs": "runs/",
    "new run": "runs/new/",
    "run": "runs/{run}/",
    "run, units by systems": "runs/{run}/presence/?example={example}",
    "run, people": "runs/{run}/people/",
    "run, disagreements": "runs/{run}/disagreements/",
    "run, summaries": "runs/{run}/summaries/?page={page}",
    "run, summaries from the highest": "runs/{run}/summaries/?sort=high&page={page}",
    "run, summaries by difference": "runs/{run}/summaries/?sort=gap&page={near}",
    "judges": "judges/",
    "train a judge": "judges/new/",
    "metrics": "metrics/",
    "score by a metric": "metrics/new/",
    "score set": "metrics/{scores}/?page={page}",
    "disagreements of metrics": "metrics/disagreements/",
    "robustness": "metrics/robustness/",
    "samples": "samples/",
    "draw a sample": "samples/new/",
    "estimates": "estimates/",
    "estimate scores": "estimates/new/",
    "curves": "curves/",
    "draw curves": "curves/new/",
    "budgets": "plans/",
    "new budget": "plans/new/",
    "reports": "reports/",
    "new report": "reports/new/",
}


def measure(vendor: str) -> list[Figure]:
    small = write_corpus(BENCH_DIR / "small", examples=SMALL)
    large = write_corpus(BENCH_DIR)
    with fresh_database(vendor) as environment:
        found = run_in(environment, __name__, str(small), str(large))
    figures = []
    for page, sizes in found.items():
        few, many = sizes["small"], sizes["large"]
        ratio = many["p95_ms"] / few["p95_ms"]
        figures += [
            Figure(f"{vendor}: {page}, p95 at {EXAMPLES:,} examples", many["p95_ms"], "ms"),
            Figure(f"{vendor}: {page}, ratio to {SMALL}", ratio, "x", None, MOST_RATIO),
            Figure(f"{vendor}: {page}, queries more", many["queries"] - few["queries"], "", 0, 0),
        ]
    return figures


def study(slug: str) -> dict[str, int]:
    """Units, labels, a run and metrics of every summary; the ids of pages."""
    from annotation.corpora.models import Project

    project = Project.objects.get(slug=slug)
    unit_set = _write_units(project)
    rng = random.Random(7)
    summaries = list(project.examples.values_list("summaries__pk", flat=True).order_by("position"))
    labels = _write_labels(project, unit_set, summaries, rng)
    run = _write_run(project, unit_set, summaries, rng)
    scores = _write_scores(project, rng)
    return {
        "units": unit_set.pk,
        "labels": labels.pk,
        "run": run.pk,
        "scores": scores.pk,
        "system": project.systems.order_by("name")[0].pk,
    }


def _write(model: Any, rows: Iterator[Any]) -> None:
    while batch := list(islice(rows, BATCH)):
        model.objects.bulk_create(batch)


def _write_units(project: Any) -> Any:
    from annotation.units.models import SetState, Unit, UnitSet

    made = UnitSet.objects.create(
        project=project, name="SCUs", state=SetState.FROZEN, content_hash="0" * 64
    )
    examples = project.examples.order_by("position").values_list("pk", flat=True)
    rows = (
        Unit(set=made, example_id=pk, text=f"Fact {place}.", position=place)
        for pk in examples
        for place in range(UNITS)
    )
    _write(Unit, rows)
    made.unit_count = UNITS * len(examples)
    made.save()
    return made


def _write_labels(project: Any, unit_set: Any, summaries: list[int], rng: random.Random) -> Any:
    from annotation.evaluation.models import LabelOrigin, SummaryLabels
    from annotation.evaluation.selectors.scores import describe_labels
    from annotation.evaluation.services.labels import create_label_set, finish_label_set

    made = create_label_set(project, None, unit_set, LabelOrigin.FILES, "")
    rows = (
        SummaryLabels(label_set=made, summary_id=pk, labels=rng.choices((0, 1), k=UNITS))
        for pk in summaries
    )
    _write(SummaryLabels, rows)
    finish_label_set(made, figures=describe_labels(made), answers_hash="", signature="generated")
    return made


def _write_run(project: Any, unit_set: Any, summaries: list[int], rng: random.Random) -> Any:
    from annotation.evaluation.models import JudgeRun, SummaryPresence
    from annotation.evaluation.selectors.run_scores import keep_run_scores

    counts = {
        "examples": project.example_count,
        "summaries": len(summaries),
        "pairs": UNITS * len(summaries),
    }
    made = JudgeRun.objects.create(
        project=project,
        unit_set=unit_set,
        judge="generated",
        function="p2c",
        chunk_size=20,
        counts=counts,
        figures={"counts": counts | {"stored": 0, "judged": counts["pairs"]}, "systems": []},
        data_hash="0" * 64,
        content_hash=f"{project.pk:064}",
        is_ready=True,
    )

    def rows() -> Iterator[SummaryPresence]:
        for pk in summaries:
            values = [round(rng.random(), 4) for _ in range(UNITS)]
            score = sum(values) / UNITS
            yield SummaryPresence(
                run=made, summary_id=pk, presence=values, sentences=[-1] * UNITS, score=score
            )

    _write(SummaryPresence, rows())
    keep_run_scores(made)
    return made


def _write_scores(project: Any, rng: random.Random) -> Any:
    import numpy as np

    from annotation.evaluation.models import ExampleScores, ScoreOrigin, ScoreSet
    from annotation.evaluation.selectors.score_tables import keep_system_scores, pack

    systems = list(project.systems.order_by("name").values_list("name", flat=True))
    counts = {"examples": project.example_count, "systems": len(systems)}
    made = ScoreSet.objects.create(
        project=project,
        name="generated",
        origin=ScoreOrigin.FILE,
        systems=systems,
        columns=list(METRICS),
        counts=counts | {"summaries": project.example_count * len(systems)},
        content_hash=f"{project.pk:064}",
        is_ready=True,
    )
    numbers = np.random.default_rng(rng.randrange(2**32))
    rows = (
        ExampleScores(
            score_set=made,
            example_id=pk,
            values=pack(numbers.random((len(systems), len(METRICS)))),
        )
        for pk in project.examples.values_list("pk", flat=True)
    )
    _write(ExampleScores, rows)
    keep_system_scores(made)
    return made


def addresses(slug: str, ids: dict[str, int], round_: int) -> dict[str, str]:
    """Another example and page each round, spread over the project."""
    from annotation.corpora.models import Example, Project

    project = Project.objects.get(slug=slug)
    place = round_ * 7919 % project.example_count
    example = Example.objects.get(project=project, position=place).pk
    filled = ids | {"example": example, "page": place // 50 + 1, "near": round_ % 5 + 1}
    return {page: f"/p/{slug}/{path.format(**filled)}" for page, path in PAGES.items()}


def run(small: Path, large: Path) -> dict[str, Any]:
    """The two projects take turns, so that a noisy moment of the machine hits both."""
    from django.db import connection
    from django.test import Client

    prepare("small", small)
    user = prepare("large", large)
    ids = {slug: study(slug) for slug in ("small", "large")}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    times: dict[str, dict[str, list[float]]] = {page: {} for page in PAGES}
    queries: dict[str, dict[str, int]] = {page: {} for page in PAGES}
    for round_ in range(WARM_UP + ROUNDS):
        for slug in ("small", "large"):
            for page, address in addresses(slug, ids[slug], round_).items():
                elapsed = visit(client, address)
                if round_ >= WARM_UP:
                    times[page].setdefault(slug, []).append(elapsed)
                if round_ == WARM_UP:
                    queries[page][slug] = count_queries(client, address)
    return {
        page: {
            slug: {
                "p95_ms": statistics.quantiles(values, n=20)[-1],
                "queries": queries[page][slug],
            }
            for slug, values in sizes.items()
        }
        for page, sizes in times.items()
    }


def main(small: str, large: str) -> None:
    set_up_django()
    print(json.dumps(run(Path(small), Path(large))))


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
