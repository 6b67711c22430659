"""Scores of six made-up systems and reports on them, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ExampleScores, ScoreOrigin, ScoreSet
from annotation.evaluation.metrics.queries import pack
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.reports.models import Report

SYSTEMS = ["a", "b", "c", "d", "e", "f"]
COLUMNS = ["gold", "good", "<b>bad</b>"]


def make_score_set(project: Project, user: User | None = None) -> ScoreSet:
    """Numbers as a file would bring them: people's, a metric's, and one of which less is better."""
    rng = np.random.default_rng(1)
    made = ScoreSet.objects.create(
        project=project,
        name="Made up",
        origin=ScoreOrigin.FILE,
        systems=SYSTEMS,
        columns=COLUMNS,
        lower=[COLUMNS[2]],
        signature="made-up",
        content_hash="0" * 64,
        is_ready=True,
        created_by=user,
    )
    for example in Example.objects.filter(project=project).order_by("pk"):
        people = np.linspace(0.1, 0.9, len(SYSTEMS)) + rng.normal(0, 0.05, len(SYSTEMS))
        good = people + rng.normal(0, 0.05, len(SYSTEMS))
        bad = rng.normal(0, 1, len(SYSTEMS))
        values = pack(np.stack([people, good, bad], axis=1))
        ExampleScores.objects.create(score_set=made, example=example, values=values)
    return made


def key_of(scores: ScoreSet, column: str) -> str:
    return f"scores:{scores.pk}:{column}"


def asked(scores: ScoreSet, **said: Any) -> dict[str, Any]:
    """What a report of these scores is asked by."""
    metrics = [key_of(scores, column) for column in COLUMNS[1:]]
    return {"human": key_of(scores, "gold"), "metrics": metrics, "resamples": 10, **said}


def begin_report(scores: ScoreSet, user: User | None = None, **said: Any) -> Report:
    return reports_service.build_report(project=scores.project, user=user, **asked(scores, **said))


def make_report(scores: ScoreSet, user: User | None = None, **said: Any) -> Report:
    made = begin_report(scores, user, **said)
    assert made.job is not None
    finish_job(job=made.job)
    assert made.job.state == "done", made.job.error
    made.refresh_from_db()
    return made
