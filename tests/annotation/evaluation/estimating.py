"""A study that people judged in part and a judge whole, for tests of estimates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.estimates import service as estimates_service
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.samples.models import Sample, SampledExample
from tests import factories
from tests.annotation.evaluation.campaigns import make_judged, make_labels
from tests.annotation.evaluation.running import finish
from tests.annotation.evaluation.toy_judge import installed

EXAMPLES, JUDGED = 9, 5


def make_partly_judged(owner: User, folder: Path) -> tuple[LabelSet, JudgeRun]:
    """Nine examples; people labelled the first five, which differ by a label each."""
    project = factories.make_project(owner)
    factories.import_examples(project, folder, EXAMPLES)
    labels = make_labels(make_judged(project, owner), owner)
    leave_labels(labels, JUDGED)
    with installed():
        run = finish(labels.unit_set)
    return labels, run


def leave_labels(labels: LabelSet, number: int) -> None:
    """Labels of the first examples only, made to differ from one example to the next."""
    keys = list(labels.project.examples.order_by("position").values_list("key", flat=True))
    rows = SummaryLabels.objects.filter(label_set=labels)
    rows.exclude(summary__example__key__in=keys[:number]).delete()
    for row in rows.select_related("summary__example"):
        row.labels[1] = keys.index(row.summary.example.key) % 2
        row.save(update_fields=["labels"])


def begin_estimate(
    labels: LabelSet, run: JudgeRun, user: User | None = None, **said: Any
) -> ScoreEstimate:
    """One that waits for a worker."""
    return estimates_service.estimate_scores(
        project=labels.project, user=user, label_set=labels, run=run, **{"chosen": "random", **said}
    )


def make_estimate(
    labels: LabelSet, run: JudgeRun, user: User | None = None, **said: Any
) -> ScoreEstimate:
    made = begin_estimate(labels, run, user, **said)
    assert made.job is not None
    finish_job(job=made.job)
    assert made.job.state == JobState.DONE, made.job.error
    made.refresh_from_db()
    return made


def keep_sample(project: Project, *, drawn: int, left_out: int = 0) -> Sample:
    """As if a sample had drawn the first examples; the later an example, the likelier."""
    rows = list(project.examples.order_by("position"))
    population = rows[: len(rows) - left_out]
    counts = {"drawn": drawn, "population": len(population)}
    sample = Sample.objects.create(project=project, counts=counts, options={"bins": 1})
    SampledExample.objects.bulk_create(
        SampledExample(
            sample=sample,
            example=example,
            chance=(place + 1) / 10,
            means=[],
            bins=[],
            drawn=place + 1 if place < drawn else None,
        )
        for place, example in enumerate(population)
    )
    return sample


def keys_of(project: Project) -> list[str]:
    return list(project.examples.order_by("position").values_list("key", flat=True))
