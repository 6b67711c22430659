"""Curves as their pages and REST tell of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from annotation.corpora.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.models import CurveRun
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import SetState, UnitSet
from annotation.units.selectors.plans import list_stu_sets
from scoring.io.cells import row_line

LEVELS = ("system", "summary")
ORDER_WORDS = {
    "regressor": gettext_lazy("Regressor"),
    "oracle": gettext_lazy("True easiness"),
    "damage-oracle": gettext_lazy("True damage"),
    "reverse": gettext_lazy("Reverse"),
    "random": gettext_lazy("Random"),
}


def list_curves(project: Project) -> QuerySet[CurveRun]:
    """The newest first, those that are still being drawn among them."""
    return CurveRun.objects.filter(project=project).select_related(
        "project", "label_set", "stus", "job__project", "created_by"
    )


def get_curves(project: Project, pk: int) -> CurveRun:
    found = list_curves(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no curves {pk}.").format(pk=pk))
    return found


def get_ready_curves(project: Project, pk: int) -> CurveRun:
    found = get_curves(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} are not ready yet.").format(found=found),
            _("Wait for their job to finish."),
            fix=found,
        )
    return found


def list_frozen_stus(project: Project) -> QuerySet[UnitSet]:
    return list_stu_sets(project).filter(state=SetState.FROZEN)


def list_curve_rows(curves: CurveRun, level: str, measure: str = "pearson") -> list[dict[str, Any]]:
    """A curve for each order, with what it gains over random; random itself last."""
    found = curves.found
    gains = {row["order"]: row for row in found["gains"] if _is(row, level, measure)}
    rows = [row for row in found["curves"] if _is(row, level, measure)]
    rows.sort(key=lambda row: list(ORDER_WORDS).index(row["order"]))
    return [
        row | {"words": ORDER_WORDS[row["order"]], "gain": gains.get(row["order"])} for row in rows
    ]


def _is(row: dict[str, Any], level: str, measure: str) -> bool:
    return bool(row["level"] == level and row["measure"] == measure)


def stream_curves(curves: CurveRun) -> Iterator[str]:
    """Every point a line."""
    yield row_line("order", "level", "measure", "percentage", "value", "low", "high")
    for row in curves.found["curves"]:
        for place, percentage in enumerate(curves.found["percentages"]):
            values = (row[name][place] if row[name] else None for name in ("values", "low", "high"))
            told = ("" if value is None else str(value) for value in values)
            yield row_line(row["order"], row["level"], row["measure"], str(percentage), *told)
