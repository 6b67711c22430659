"""Studies of robustness for tests, made through the services that the product uses."""

from __future__ import annotations

from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.robustness import service as robustness_service
from annotation.evaluation.robustness.models import RobustnessStudy


def begin_study(project: Project, user: User | None = None, **said: Any) -> RobustnessStudy:
    """A study that waits for a worker, of a metric that is quick and changes that hit any text."""
    usual = {"metrics": ["rouge"], "perturbation": "characters", "shares": [0.5, 1.0]}
    said = {**usual, **said}
    return robustness_service.study_robustness(project=project, user=user, **said)


def lead_study(made: RobustnessStudy) -> RobustnessStudy:
    """Run the job here, and read the study anew."""
    assert made.job is not None
    run_job(job_id=made.job.pk)
    made.refresh_from_db()
    made.job.refresh_from_db()
    return made


def make_study(project: Project, user: User | None = None, **said: Any) -> RobustnessStudy:
    made = lead_study(begin_study(project, user, **said))
    assert made.job is not None
    assert made.job.state == JobState.DONE, made.job.error
    return made
