"""Trained judges for tests, made through the services that the product uses."""

from __future__ import annotations

from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import finish_job
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges import service as judges_service
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels.models import LabelSet


def learn(
    labels: LabelSet | None,
    user: User | None = None,
    gold: GoldVersion | None = None,
    **said: Any,
) -> TrainedJudge:
    """A training that waits for a worker: a lexical judge called dams, three folds."""
    source = labels or gold
    said = {"name": "dams", "base": "lexical", "folds": 3, **said}
    project = source.project if source else None
    return judges_service.train_judge(
        project=project,  # type: ignore[arg-type]
        user=user,
        label_set=labels,
        gold=gold,
        **said,
    )


def train(
    labels: LabelSet | None,
    user: User | None = None,
    gold: GoldVersion | None = None,
    **said: Any,
) -> TrainedJudge:
    """The same, trained here to its end."""
    made = learn(labels, user, gold, **said)
    assert made.job is not None
    finish_job(job=made.job)
    assert made.job.state == JobState.DONE, made.job.error
    made.refresh_from_db()
    return made
