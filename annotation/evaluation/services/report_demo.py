"""The demo's report: ROUGE and length beside the made-up labels, so that a report can be read."""

from __future__ import annotations

from annotation.corpora.models import Project, User
from annotation.corpora.services.demo import PARTS
from annotation.corpora.services.jobs import finish_job
from annotation.evaluation.models import LabelSet, Report, ScoreSet
from annotation.evaluation.services.reports import build_report
from annotation.evaluation.services.score_sets import score_metric

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
