"""Rows of a project that has been studied to its end: units, labels, a run, metrics, campaigns.

They are written straight into the tables: what is measured is how pages read them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, islice
from typing import Any

UNITS = 3
METRICS = ("bleu", "chrf")
WORKERS = 100
# Every so many-th summary is judged by three people, the others by one.
SHARED = 19
BATCH = 5000
# As the database has it, in hundredths of a cent: rows are written past the fields of the models.
REWARD = 1500


def study(slug: str) -> dict[str, Any]:
    """All that pages are about; the ids that their addresses need."""
    from annotation.corpora.projects.models import Project

    project = Project.objects.get(slug=slug)
    rng = random.Random(7)
    unit_set = write_units(project, "SCUs")
    other = write_units(project, "More SCUs")
    summaries = list(project.examples.values_list("summaries__pk", flat=True).order_by("position"))
    labels = _write_labels(project, unit_set, summaries, rng)
    run = _write_run(project, unit_set, summaries, rng)
    scores = _write_scores(project, rng)
    sample = _write_sample(project, scores)
    campaign, draft = write_campaigns(project, unit_set)
    write_jobs_results(run, labels, _write_crowd_labels(campaign, rng))
    return {
        "units": unit_set.pk,
        "other": other.pk,
        "labels": labels.pk,
        "run": run.pk,
        "scores": scores.pk,
        "sample": sample.pk,
        "system": project.systems.order_by("name")[0].pk,
        "import": project.imports.get().pk,
        "job": project.jobs.earliest("pk").pk,
        "campaign": campaign.pk,
        "draft": draft.pk,
        "worker": project.workers.earliest("pk").pk,
        "first_summary": min(summaries),
        "first_assignment": campaign.assignments.earliest("pk").pk,
    }


def _write(model: Any, rows: Iterator[Any]) -> None:
    while batch := list(islice(rows, BATCH)):
        model.objects.bulk_create(batch)


def _insert(model: Any, rows: Iterator[dict[str, Any]]) -> None:
    """Quicker than `_write`; a row names every field that has no default of the database."""
    from django.db import transaction

    from annotation.corpora.bulk import insert_rows

    first = next(rows)
    with transaction.atomic():
        insert_rows(model, list(first), (tuple(row.values()) for row in chain([first], rows)))


def write_units(project: Any, name: str) -> Any:
    from annotation.units.sets.models import SetState, Unit, UnitSet
    from annotation.units.studio.models import Assignment
    from annotation.units.stus.models import SentencePlan

    made = UnitSet.objects.create(
        project=project, name=name, state=SetState.FROZEN, content_hash="0" * 64
    )
    examples = list(project.examples.order_by("position").values_list("pk", flat=True))
    _write(
        Unit,
        (
            Unit(set=made, example_id=pk, text=f"Fact {place}.", position=place, seconds=20)
            for pk in examples
            for place in range(UNITS)
        ),
    )
    _write(Assignment, (Assignment(set=made, example_id=pk, state="signed") for pk in examples))
    sentences = project.examples.values_list("references__sentences__pk", flat=True)
    _write(
        SentencePlan, (SentencePlan(set=made, sentence_id=pk, difficulty=0.5) for pk in sentences)
    )
    made.unit_count = UNITS * len(examples)
    made.save()
    return made


def _write_labels(project: Any, unit_set: Any, summaries: list[int], rng: random.Random) -> Any:
    from annotation.evaluation.labels.models import LabelOrigin, SummaryLabels
    from annotation.evaluation.labels.scores import describe_labels
    from annotation.evaluation.labels.service import (
        create_label_set,
        measure_label_set,
        show_label_set,
    )

    made = create_label_set(project, None, unit_set, LabelOrigin.FILES, "")
    rows = (
        SummaryLabels(label_set=made, summary_id=pk, labels=rng.choices((0, 1), k=UNITS))
        for pk in summaries
    )
    _write(SummaryLabels, rows)
    measure_label_set(made, figures=describe_labels(made), answers_hash="", signature="generated")
    show_label_set(made)
    return made


def _write_run(project: Any, unit_set: Any, summaries: list[int], rng: random.Random) -> Any:
    from annotation.evaluation.judges.queries import keep_learned
    from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
    from annotation.evaluation.runs.queries import keep_run_scores

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
    keep_learned(made)
    return made


def _write_scores(project: Any, rng: random.Random) -> Any:
    import numpy as np

    from annotation.evaluation.metrics.models import ExampleScores, ScoreOrigin, ScoreSet
    from annotation.evaluation.metrics.queries import keep_system_scores, pack

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


def _write_sample(project: Any, scores: Any) -> Any:
    from annotation.evaluation.samples.service import sample_examples

    return sample_examples(
        project=project,
        user=None,
        sources=[f"scores:{scores.pk}:{METRICS[0]}"],
        bins=5,
        per_bin=4,
        seed=0,
    )


def write_campaigns(project: Any, unit_set: Any) -> tuple[Any, Any]:
    """One that everything is judged in, and a draft about everything."""
    from annotation import clock
    from annotation.crowd.campaigns.models import Campaign, CampaignState
    from annotation.crowd.campaigns.service import create_campaign
    from annotation.evaluation.labels.models import Decision
    from tests import factories

    made, draft = (
        create_campaign(
            project=project, user=None, unit_set=unit_set, name=name, assignments_per_hit=1
        )
        for name in ("Judged", "Draft")
    )
    _write_hits(made)
    _write_assignments(made)
    start = clock.now() - timedelta(days=1)
    first = made.assignments.earliest("pk")
    Decision.objects.create(project=project, assignment=first, verdict="drop", reason="Too quick.")
    factories.fund(project, "9000000")
    state = {"state": CampaignState.LIVE, "published_at": start, "budget": "999999"}
    Campaign.objects.filter(pk=made.pk).update(**state)
    return made, draft


def _write_hits(campaign: Any) -> None:
    """One of every summary, each with the entry in the books that paid for it."""
    from annotation import clock
    from annotation.crowd.campaigns.models import Hit, Intent, IntentKind, Outcome, Settlement

    units: dict[int, list[dict[str, Any]]] = {}
    rows = campaign.unit_set.units.order_by("position", "pk").values_list("example", "pk", "text")
    for example, pk, text in rows:
        shown = units.setdefault(example, [])
        shown.append({"key": f"s{len(shown) + 1}", "text": text, "unit": pk})
    told = {example: json.dumps(shown) for example, shown in units.items()}
    summaries = campaign.project.examples.order_by("position").values_list("pk", "summaries__pk")
    now = clock.now()
    _insert(
        Hit,
        (
            {
                "campaign": campaign.pk,
                "summary": pk,
                "part": 0,
                "parts": 1,
                "statements": told[example],
                "shown": "",
                "reward": REWARD,
                "wanted": wanted,
                "again": 0,
                "state": "open",
                "provider_id": f"{campaign.token.hex}-{pk}",
                "published_at": now,
                "collected": wanted,
                "decided": 0,
            }
            for example, pk in list(summaries)
            for wanted in [3 if pk % SHARED == 0 else 1]
        ),
    )
    hits = list(campaign.hits.order_by("pk").values_list("pk", "wanted"))
    _insert(
        Intent,
        (
            {
                "campaign": campaign.pk,
                "kind": IntentKind.PUBLISH.value,
                "base": f"publish:{pk}",
                "attempt": 1,
                "amount": REWARD * wanted,
                "fee": 0,
                "hit": pk,
                "params": "{}",
                "created_at": now,
            }
            for pk, wanted in hits
        ),
    )
    entries = list(campaign.intents.values_list("pk", flat=True))
    done = {"outcome": Outcome.DONE.value, "provider_id": "", "note": "", "at": now}
    _insert(Settlement, ({"intent": pk, **done} for pk in entries))


def _write_assignments(campaign: Any) -> None:
    from annotation import clock
    from annotation.crowd.campaigns.models import Assignment, Judgement

    workers = _write_workers(campaign)
    rng, start = random.Random(11), clock.now() - timedelta(days=1)
    hits = list(campaign.hits.order_by("pk").values_list("pk", "statements", "wanted"))
    places = [(pk, place) for pk, _, wanted in hits for place in range(wanted)]
    empty = {"problem": "", "comment": "", "feedback": "", "gold_asked": 0, "gold_right": 0}
    _insert(
        Assignment,
        (
            {
                "campaign": campaign.pk,
                "hit": pk,
                "worker": workers[(pk + 7 * place) % WORKERS],
                "provider_id": f"{pk}-{place}",
                "state": "submitted",
                "raw": "<Answer/>",
                "answers": "{}",
                **empty,
                "submitted_at": at,
                "auto_approve_at": at,
                "received_at": at,
                "seconds": rng.uniform(20, 90),
            }
            for number, (pk, place) in enumerate(places)
            for at in [start + timedelta(seconds=number * 80_000 / len(places))]
        ),
    )
    shown = {pk: [row["unit"] for row in statements] for pk, statements, _ in hits}
    made = list(campaign.assignments.order_by("pk").values_list("pk", "hit"))
    _insert(
        Judgement,
        (
            {"assignment": pk, "unit": unit, "present": rng.random() < 0.5}
            for pk, hit in made
            for unit in shown[hit]
        ),
    )


def _write_workers(campaign: Any) -> list[int]:
    from annotation.crowd.campaigns.models import Worker

    rows = (
        Worker(project=campaign.project, provider=campaign.provider, provider_id=f"A{number:013}")
        for number in range(WORKERS)
    )
    return [row.pk for row in Worker.objects.bulk_create(rows)]


def _write_crowd_labels(campaign: Any, rng: random.Random) -> Any:
    """Labels of the summaries that several people judged."""
    from annotation.evaluation.labels.models import LabelOrigin, SummaryLabels
    from annotation.evaluation.labels.scores import describe_labels
    from annotation.evaluation.labels.service import (
        create_label_set,
        measure_label_set,
        show_label_set,
    )
    from scoring.aggregation import Recipe

    made = create_label_set(campaign.project, None, campaign.unit_set, LabelOrigin.CROWD, "")
    made.campaigns.add(campaign)
    made.recipe = Recipe().to_json()
    shared = campaign.hits.filter(wanted__gt=1).order_by("pk").values_list("summary", flat=True)
    votes = [[1, 2]] * UNITS
    rows = (
        SummaryLabels(
            label_set=made, summary_id=pk, labels=rng.choices((0, 1), k=UNITS), votes=votes
        )
        for pk in list(shared)
    )
    _write(SummaryLabels, rows)
    measure_label_set(
        made, figures=describe_labels(made), answers_hash="1" * 64, signature="generated"
    )
    show_label_set(made)
    return made


def write_jobs_results(run: Any, labels: Any, crowd_labels: Any) -> None:
    """What the jobs of a study store for its pages."""
    from annotation.evaluation.runs.comparison import keep_comparison
    from annotation.evaluation.runs.review import keep_review
    from annotation.evaluation.runs.summaries import keep_gaps

    for label_set in (labels, crowd_labels):
        keep_gaps(run, label_set)
        keep_review(run, label_set)
        keep_comparison(run, label_set)
    keep_figures(crowd_labels)


def keep_figures(label_set: Any) -> None:
    """As the job that makes labels stores them, without the minutes that its resampling takes."""
    from annotation.evaluation.labels import figures
    from annotation.evaluation.labels.people import WorkerFigures
    from annotation.evaluation.labels.votes import MOST, CrowdSizes
    from scoring.aggregation.simulation import Outlook, Spread

    project = label_set.project
    spread = Spread(0.5, 0.4, 0.6)
    sizes = [
        Outlook(judges, 40, spread, spread, spread, spread, 0.0) for judges in range(1, MOST + 1)
    ]
    leanings = dict.fromkeys(project.systems.values_list("name", flat=True), 0.1)
    workers = [
        WorkerFigures(pk, 10, 10, 0.5, 10, 10, 10, 10, 20.0, "12.00", 0, 0, leanings)
        for pk in project.workers.order_by("pk").values_list("pk", flat=True)
    ]
    rows = label_set.summaries.order_by("summary")[: figures.MOST_CONTESTED]
    first = dict(label_set.unit_set.units.filter(position=0).values_list("example", "pk"))
    contested = [
        [pk, first[example], system]
        for pk, example, system in rows.values_list(
            "summary_id", "summary__example_id", "summary__system_id"
        )
    ]
    found = figures.AnswerFigures(contested, workers, 0, CrowdSizes(sizes, 3.0, 3))
    figures.FIGURES.keep(figures._parts(label_set), lambda: found)
