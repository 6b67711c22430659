"""A plot of what metrics lose as more words are replaced, as the coordinates of an SVG.

- Studies of robustness: the list, new ones, and what was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError
from annotation.evaluation.labels.charts import LETTER, NARROW_LETTER
from annotation.evaluation.metrics.forms import RobustnessForm
from annotation.evaluation.metrics.sources import list_metric_choices
from annotation.evaluation.planning.views import job_context
from annotation.evaluation.robustness import service
from annotation.evaluation.robustness.models import RobustnessStudy
from annotation.evaluation.robustness.queries import (
    choose_columns,
    get_ready_study,
    get_study,
    group_columns,
    list_lines,
    list_pieces,
    list_studies,
    stream_drops,
)
from scoring.figures.scale import NARROW, WIDE, Scale, Tick, nice_ticks, shorten

HEIGHT, LOW_HEIGHT = 340, 320
LEFT, HEAD, FOOT = 54, 18, 46
# The share of the width that names may take at the right end, and the least between two of them.
NAMES, NARROW_NAMES, APART = 0.28, 0.38, 16
MOST_LINES = 6  # as many as have a stroke of their own


@dataclass(frozen=True, slots=True)
class Dot:
    """A drop and its interval."""

    x: float
    y: float
    y1: float
    y2: float
    words: str


@dataclass(frozen=True, slots=True)
class DropLine:
    """A metric's line; `label_y` is where its name stands, apart from the others."""

    name: str
    label: str
    stroke: int
    path: str
    dots: list[Dot]
    end_x: float
    end_y: float
    label_y: float


@dataclass(frozen=True, slots=True)
class DropChart:
    width: int
    height: int
    left: int
    right: int
    top: int
    base: int
    zero: float
    lines: list[DropLine]
    across: list[Tick]
    up: list[Tick]


def draw_drops(
    rows: Sequence[Mapping[str, Any]], percentages: Sequence[float], width: int = WIDE
) -> DropChart | None:
    """Words replaced from left to right, the share of a score that is lost from bottom to top."""
    known = [100 * value for row in rows for value in _all_values(row) if value is not None]
    if not any(known):
        return None
    is_wide = width >= WIDE
    height = HEIGHT if is_wide else LOW_HEIGHT
    right = round(width * (1 - (NAMES if is_wide else NARROW_NAMES)))
    base = height - FOOT
    lowest, highest = _widened(min(known), max(known))
    across = Scale(0, percentages[-1], LEFT, right - 12)
    up = Scale(lowest, highest, base, HEAD)
    letters = int((width - right - 4) / (LETTER if is_wide else NARROW_LETTER))
    labels = shorten([row["words"] for row in rows], letters)
    lines = [
        _line(row, percentages, across, up, place % MOST_LINES + 1, labels[place])
        for place, row in enumerate(rows)
    ]
    return DropChart(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        top=HEAD,
        base=base,
        zero=up.at(0),
        lines=_part(lines, base),
        across=[Tick(across.at(value), f"{value:g} %") for value in percentages],
        up=[
            Tick(up.at(value), f"{value:g} %".replace("-", "−"))
            for value in nice_ticks(lowest, highest, 6)
        ],
    )


def _all_values(row: Mapping[str, Any]) -> list[float | None]:
    return [*row["values"], *row["low"], *row["high"]]


def _widened(lowest: float, highest: float) -> tuple[float, float]:
    """A little room above and below, so that nothing lies on the frame."""
    room = max(highest - lowest, 0.1) * 0.06
    return lowest - room, highest + room


def _line(
    row: Mapping[str, Any],
    percentages: Sequence[float],
    across: Scale,
    up: Scale,
    stroke: int,
    label: str,
) -> DropLine:
    points = zip(percentages, row["values"], row["low"], row["high"], strict=True)
    dots = [
        Dot(
            across.at(percentage),
            up.at(100 * value),
            up.at(100 * (value if low is None else low)),
            up.at(100 * (value if high is None else high)),
            _("{percentage:g} % changed: drop of {value:.1f} %").format(
                percentage=percentage, value=100 * value
            ),
        )
        for percentage, value, low, high in points
        if value is not None
    ]
    end = dots[-1]
    path = " ".join(f"{dot.x},{dot.y}" for dot in dots)
    return DropLine(row["words"], label, stroke, path, dots[1:], end.x, end.y, end.y)


def _part(lines: Sequence[DropLine], base: int) -> list[DropLine]:
    """Names stand beside the ends of their lines, moved down or up until none is in another."""
    ordered = sorted(lines, key=lambda line: line.end_y)
    heights: list[float] = []
    for line in ordered:
        heights.append(max(line.end_y, heights[-1] + APART if heights else HEAD))
    beyond = max(0.0, heights[-1] - base) if heights else 0.0
    return [
        replace(line, label_y=round(height - beyond, 1))
        for line, height in zip(ordered, heights, strict=True)
    ]


MOST_ROWS = 200
TAB = "robustness"


@project_view()
@require_safe
def studies(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_studies(access.project)[:MOST_ROWS])
    is_moving = any(row.is_moving for row in rows)
    context = project_context(access, TAB, rows=rows, is_moving=is_moving, **_needs(access))
    return render(request, "evaluation/robustness_list.html", context)


def _needs(access: ProjectAccess) -> dict[str, bool]:
    return {"has_summaries": access.project.system_count > 0}


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def study_robustness(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    form = RobustnessForm(project, list_metric_choices(project), sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = service.study_robustness(
                project=project, user=user_of(request), **form.arguments()
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:robustness", project.slug, made.pk)
    context = project_context(access, TAB, form=form, **_needs(access))
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/study_robustness.html", context, status=status)


@project_view()
@require_safe
def study(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_study(access.project, pk)
    context = project_context(access, TAB, study=found, **job_context(access, found))
    if found.is_ready:
        context |= _found(request, found)
    return render(request, "evaluation/robustness.html", context)


def _found(request: HttpRequest, study: RobustnessStudy) -> dict[str, Any]:
    chosen = choose_columns(study, request.GET.dict())
    lines = list_lines(study, chosen)
    return {
        "chosen": [(name, own, chosen[name]) for name, own in group_columns(study).items()],
        "charts": [draw_drops(lines, study.percentages, width) for width in (WIDE, NARROW)],
        "texts": [
            row | {"pieces": list_pieces(row["before"], row["after"])}
            for row in study.found["texts"]
        ],
    }


@project_view()
@require_safe
def drops_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    found = get_ready_study(access.project, pk)
    return csv_response(stream_drops(found), f"robustness-{pk}.csv")


@project_view(Role.EDITOR)
@require_POST
def delete_study(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_study(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    service.delete_study(study=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:robustness_list", access.project.slug)
