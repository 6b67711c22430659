"""The demo's judgements: four made-up workers, one of them noisy, so that gold is not empty.

They judge a frozen copy of the units that are written. Who is careful says what the words of the
unit and the summary have in common; nobody ever worked for it.

- The demo's report: ROUGE and length beside the made-up labels, so that a report can be read.
- The demo's run of a judge, so that presence, calibration and disagreements can be seen.
"""

from __future__ import annotations

import csv
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.demo import PARTS
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.offline.service import import_judgements
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.service import keep_labels
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.service import score_metric
from annotation.evaluation.reports.models import Report
from annotation.evaluation.reports.service import build_report
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.service import start_run
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.sets.service import create_set, freeze_set, send_to_review
from scoring.aggregation import FilterStep, Recipe
from scoring.overlap import coverage

WRITTEN, NAME = "SCUs", "SCUs, judged"
CAMPAIGN = "Simulated judgements"
# A worker's id, how often they are right, and how many seconds they take for a statement.
WORKERS = (
    ("demo-worker-1", 0.96, 7.0),
    ("demo-worker-2", 0.94, 9.0),
    ("demo-worker-3", 0.93, 6.0),
    ("demo-worker-noisy", 0.55, 1.6),
)
SLOTS = 16
SEED = 7
# The share of a unit's words that a summary must have.
PRESENT = 0.6


def add_demo_judgements(project: Project, user: User) -> None:
    written = UnitSet.objects.get(project=project, name=WRITTEN)
    _clear(project)
    judged = _freeze_copy(project, user, written)
    with tempfile.TemporaryDirectory(prefix="giza-demo-") as folder:
        path = Path(folder) / "judgements.csv"
        with path.open("w", newline="", encoding="utf-8") as out:
            table = csv.DictWriter(out, _columns(), restval="BLANK")
            table.writeheader()
            table.writerows(_rows(judged))
        outcome = import_judgements(
            project=project, user=user, unit_set=judged, paths=[path], name=CAMPAIGN
        )
        assert outcome.job is not None, outcome.problems
        finish_job(job=outcome.job)
    campaign = Campaign.objects.get(project=project, name=CAMPAIGN)
    recipe = Recipe((FilterStep("per-summary"),))
    labels = keep_labels(
        project=project, user=user, campaigns=[campaign], recipe=recipe, note="Example"
    )
    assert labels.job is not None
    finish_job(job=labels.job)


def _clear(project: Project) -> None:
    """A first start that was killed may have left a part."""
    runs = JudgeRun.objects.filter(project=project)
    Job.objects.filter(pk__in=list(runs.values_list("job", flat=True))).delete()
    runs.delete()
    SummaryLabels.objects.filter(label_set__project=project).delete()
    LabelSet.objects.filter(project=project).delete()
    Campaign.objects.filter(project=project, name=CAMPAIGN).delete()
    UnitSet.objects.filter(project=project, name=NAME).delete()


def _freeze_copy(project: Project, user: User, written: UnitSet) -> UnitSet:
    """What is written so far; the draft itself stays open to be worked on."""
    made = create_set(project=project, user=user, name=NAME)
    rows = written.units.filter(is_deleted=False).exclude(text="")
    Unit.objects.bulk_create(
        Unit(
            set=made,
            example_id=row.example_id,
            text=row.text,
            position=row.position,
            weight=row.weight,
            author=user,
        )
        for row in rows
    )
    UnitSet.objects.filter(pk=made.pk).update(unit_count=len(rows))
    made.refresh_from_db()
    send_to_review(unit_set=made, user=user)
    freeze_set(unit_set=made, user=user, role=Role.OWNER, reason="Frozen for the example campaign.")
    return made


def _columns() -> list[str]:
    slots = range(1, SLOTS + 1)
    return [
        *("Input.eventId", "Input.summaryId", "Input.summary_text"),
        *(f"Input.statement_{slot}" for slot in slots),
        *(f"Answer.S{slot}Answer" for slot in slots),
        *("AssignmentId", "HITId", "WorkerId", "WorkTimeInSeconds"),
    ]


def _rows(unit_set: UnitSet) -> Iterator[dict[str, str]]:
    """Every worker on every summary of an example that has units."""
    chance = random.Random(SEED)
    summaries = Summary.objects.live().filter(example__units__set=unit_set).distinct()
    order = summaries.select_related("example", "system").order_by("example__position", "pk")
    for summary in order:
        units = list(
            unit_set.units.filter(example=summary.example_id).order_by("position", "pk")[:SLOTS]
        )
        for worker, skill, pace in WORKERS:
            yield _row(chance, summary, units, worker, skill, pace)


def _row(
    chance: random.Random,
    summary: Summary,
    units: list[Unit],
    worker: str,
    skill: float,
    pace: float,
) -> dict[str, str]:
    hit = f"{summary.example.key}-{summary.system.name}"
    row = {
        "Input.eventId": summary.example.key,
        "Input.summaryId": summary.system.name,
        "Input.summary_text": summary.text,
        "AssignmentId": f"{hit}-{worker}"[-64:],
        "HITId": hit[:64],
        "WorkerId": worker,
        "WorkTimeInSeconds": str(round(len(units) * pace * chance.uniform(0.8, 1.3))),
    }
    for slot, unit in enumerate(units, start=1):
        is_there = coverage(summary.text, unit.text) >= PRESENT
        said = is_there if chance.random() < skill else not is_there
        row[f"Input.statement_{slot}"] = unit.text
        row[f"Answer.S{slot}Answer"] = "p" if said else "n"
    return row


PARTS.append(add_demo_judgements)


METRICS = ("length", "rouge")
# Of what a metric gives, what is compared.
COLUMNS = ("recall", "words")
RESAMPLES = 200
TITLE = "Does ROUGE rank the town’s summaries as its readers do?"


def add_demo_report(project: Project, user: User) -> None:
    """A first start that was killed may have left a part."""
    Report.objects.filter(project=project).delete()
    ScoreSet.objects.filter(project=project).delete()
    labels = LabelSet.objects.filter(project=project, is_ready=True).first()
    if labels is None:
        return
    made = build_report(
        project=project,
        user=user,
        human=f"labels:{labels.pk}",
        metrics=[key for metric in METRICS for key in _score(project, user, metric)],
        title=TITLE,
        resamples=RESAMPLES,
    )
    assert made.job is not None
    finish_job(job=made.job)


def _score(project: Project, user: User, metric: str) -> list[str]:
    """Keys of the columns that the report compares."""
    scores = score_metric(project=project, user=user, metric=metric)
    assert scores.job is not None
    finish_job(job=scores.job)
    scores.refresh_from_db()
    return [f"scores:{scores.pk}:{column}" for column in scores.columns if _is_wanted(column)]


def _is_wanted(column: str) -> bool:
    return any(word in column for word in COLUMNS)


PARTS.append(add_demo_report)


JUDGE = "embedded"


def add_demo_run(project: Project, user: User) -> None:
    labels = LabelSet.objects.filter(project=project, is_ready=True).first()
    if labels is None:
        return
    start_run(project=project, user=user, unit_set=labels.unit_set, judge=JUDGE, note="Example")


PARTS.append(add_demo_run)
