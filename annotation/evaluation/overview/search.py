"""What is found of labels, gold, runs, judges, scores and reports.

- The labels of an example, as its page in the corpus shows them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import Example
from annotation.corpora.corpus.queries import EXAMPLE_PARTS, ExamplePart
from annotation.corpora.projects.models import Project
from annotation.corpora.search.queries import Kind, Match, add_kinds, holding
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.score_pages import Presence, get_presence, list_summary_ids
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.reports.models import Report
from annotation.evaluation.runs.models import JudgeRun
from annotation.translation import gettext_lazy


def _rows_of(
    model: type[Model], columns: tuple[str, ...], related: tuple[str, ...]
) -> Callable[[Project, str], QuerySet[Any]]:
    def rows(project: Project, q: str) -> QuerySet[Any]:
        found = model._default_manager.filter(holding(q, *columns), project=project)
        return (found.select_related(*related) if related else found).order_by("-pk")

    return rows


def _shown_at(page: str) -> Callable[[Project, str, list[Any]], list[Match]]:
    def show(project: Project, q: str, rows: list[Any]) -> list[Match]:
        return [
            Match(
                str(row),
                reverse(page, args=[project.slug, row.pk]),
                getattr(row, "note", "") or getattr(row, "description", ""),
                "" if row.is_ready else _("not ready"),
            )
            for row in rows
        ]

    return show


def _kind(
    name: str, one: str, model: type[Model], page: str, *columns: str, related: tuple[str, ...] = ()
) -> Kind:
    return Kind(name, one, f"{one}s", _rows_of(model, columns, related), _shown_at(page))


add_kinds(
    _kind(
        "labels",
        gettext_lazy("label set"),
        LabelSet,
        "evaluation:labels",
        "note",
        "unit_set__name",
        related=("unit_set",),
    ),
    _kind(
        "gold",
        gettext_lazy("gold version"),
        GoldVersion,
        "evaluation:version",
        "name",
        "description",
    ),
    _kind(
        "runs",
        gettext_lazy("judge run"),
        JudgeRun,
        "evaluation:run",
        "judge",
        "note",
        "unit_set__name",
        related=("unit_set",),
    ),
    _kind(
        "judges",
        gettext_lazy("trained judge"),
        TrainedJudge,
        "evaluation:trained_judge",
        "name",
        "base",
    ),
    _kind("scores", gettext_lazy("score set"), ScoreSet, "evaluation:score_set", "name", "note"),
    _kind("reports", "report", Report, "evaluation:report", "title"),
)


@dataclass(frozen=True, slots=True)
class ExampleLabels:
    label_set: LabelSet
    presence: Presence


def describe_labels(access: ProjectAccess, example: Example) -> ExamplePart | None:
    """Those of the newest label set that has any for this example."""
    rows = SummaryLabels.objects.filter(
        summary__in=list_summary_ids([example.pk]), label_set__is_ready=True
    )
    newest = rows.select_related("label_set__unit_set").order_by("-label_set").first()
    if newest is None:
        return None
    names = rows.filter(label_set=newest.label_set).values_list("summary__system__name", flat=True)
    presence = get_presence(newest.label_set, example, sorted(names))
    about = ExampleLabels(newest.label_set, presence)
    return ExamplePart("evaluation/_example_part.html", about, "css/pages/evaluation-plots.css")


EXAMPLE_PARTS.append(describe_labels)
