"""Several metrics at once: a set of scores and a job for each, so that one may fail alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotation.corpora.models import Project, User
from annotation.errors import DomainError
from annotation.evaluation.models import ScoreSet
from annotation.evaluation.selectors.metric_choices import list_metric_choices
from annotation.evaluation.services.score_sets import read_metric_options, score_metric
from annotation.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Begun:
    """Scores that are being made, and why those of other metrics are not, by name."""

    score_sets: list[ScoreSet]
    left_out: Mapping[str, str]


def score_metrics(
    *,
    project: Project,
    user: User | None,
    metrics: Sequence[str] = (),
    systems: Sequence[str] = (),
    note: str = "",
) -> Begun:
    """Begin to score by some metrics, or by all, each with its usual options.

    A metric that reads what no example has, or models that are not here, is left out.
    """
    for name in metrics:
        read_metric_options(name, {})
    wanted = [row for row in list_metric_choices(project) if not metrics or row.name in metrics]
    left_out = {row.name: row.lack for row in wanted if row.lack}
    if len(left_out) == len(wanted):
        told = "; ".join(f"{name} {lack}" for name, lack in left_out.items())
        raise DomainError(
            _("None of these metrics can be computed here: {told}.").format(told=told)
        )
    with transaction.atomic():
        made = [
            score_metric(project=project, user=user, metric=row.name, systems=systems, note=note)
            for row in wanted
            if not row.lack
        ]
    return Begun(made, left_out)
