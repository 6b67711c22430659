"""Score sets for tests, made through the services that the product uses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics import files
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.files import ScoreImport
from annotation.evaluation.metrics.models import ScoreSet

Row = tuple[str, str, str, object]


def begin_scores(
    project: Project, metric: str = "rouge", user: User | None = None, **said: Any
) -> ScoreSet:
    """Scores that wait for a worker."""
    return metrics_service.score_metric(project=project, user=user, metric=metric, **said)


def lead_scores(made: ScoreSet) -> ScoreSet:
    """Run the job here, and read the set anew."""
    assert made.job is not None
    run_job(job_id=made.job.pk)
    made.refresh_from_db()
    made.job.refresh_from_db()
    return made


def make_scores(
    project: Project, metric: str = "rouge", user: User | None = None, **said: Any
) -> ScoreSet:
    made = lead_scores(begin_scores(project, metric, user, **said))
    assert made.job is not None
    assert made.job.state == JobState.DONE, made.job.error
    return made


def write_csv(path: Path, rows: Iterable[Row]) -> Path:
    lines = ("doc_id,system,metric,score", *(",".join(map(str, row)) for row in rows))
    path.write_text("\n".join(lines) + "\n")
    return path


def bring(project: Project, path: Path, user: User | None = None, **said: Any) -> ScoreImport:
    return files.import_scores(project=project, user=user, path=path, **said)


def bring_whole(project: Project, path: Path, **said: Any) -> ScoreSet:
    outcome = bring(project, path, **said)
    assert outcome.score_set is not None, outcome.problems
    return lead_scores(outcome.score_set)
