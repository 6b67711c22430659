"""Judges: the list of those at hand, a new one trained on labels, and the card of one."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import JobState, Role
from annotation.corpora.views.access import project_context, project_view, sent, user_of
from annotation.errors import DomainError
from annotation.evaluation import services
from annotation.evaluation.judges import LIGHT, list_common_judges
from annotation.evaluation.models import TrainedJudge
from annotation.evaluation.run_charts import SMALL_SQUARE, SQUARE, draw_calibration
from annotation.evaluation.run_forms import OTHER
from annotation.evaluation.selectors.trained import (
    get_ready_trained,
    get_trained,
    list_ready_labels,
    list_trained,
)
from annotation.evaluation.training_forms import TrainForm
from annotation.headers import attach_as
from annotation.translation import gettext as _
from scoring.judge import default_judge
from scoring.judge.probes import ProbeReport

MOST_ROWS = 200
LEVELS = ("system_level", "summary_level", "system_level_by_fold", "summary_level_by_fold")


@project_view()
@require_safe
def trained_judges(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_trained(access.project)[:MOST_ROWS])
    context = project_context(
        access,
        "judges",
        judges=rows,
        common=list_common_judges(),
        has_labels=list_ready_labels(access.project).exists(),
        is_moving=any(row.is_moving for row in rows),
    )
    return render(request, "evaluation/trained_judges.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def train_judge(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    form = TrainForm(project, sent(request), initial=_asked(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = services.train_judge(project=project, user=user_of(request), **form.arguments())
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:trained_judge", project.slug, made.pk)
    context = project_context(
        access,
        "judges",
        form=form,
        other=OTHER,
        has_labels=list_ready_labels(project).exists(),
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/train_judge.html", context, status=status)


def _asked(request: HttpRequest) -> dict[str, str]:
    """What the address says of the form, such as which labels."""
    names = ("name", "source", "base")
    said = {name: request.GET[name] for name in names if name in request.GET}
    return {"base": default_judge(), **said}


@project_view()
@require_safe
def trained_judge(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_trained(access.project, pk)
    job = found.job
    is_open = job is not None and not job.is_over and not found.is_ready
    context = project_context(
        access,
        "judges",
        judge=found,
        job=job if is_open else None,
        failed_job=job if job and job.state == JobState.FAILED and not found.is_ready else None,
        can_cancel=is_open and access.can_edit and job and not job.cancel_requested,
        can_delete=access.can_edit and not is_open,
        **(_told(found) if found.is_ready else {}),
    )
    return render(request, "evaluation/trained_judge.html", context)


def _told(judge: TrainedJudge) -> dict[str, Any]:
    """What the card says, in the shapes that the page shows."""
    card = judge.card
    # Of all options the seed alone has to do with trees.
    shown = ("base", "seed") if card["kind"] in LIGHT else card["options"]
    options = [(name, card["options"][name]) for name in sorted(shown)]
    said: dict[str, Any] = {"card": card, "options": options}
    if measured := card.get("probes"):
        said["probes"] = ProbeReport.from_json(measured)
    if held_out := card["held_out"]:
        bins = [row for row in held_out["calibration"] if row["units"]]
        said |= {
            "held_out": held_out,
            "levels": [held_out[name] for name in LEVELS],
            "bins": bins,
            "charts": [draw_calibration(bins, size) for size in (SQUARE, SMALL_SQUARE)],
        }
    return said


@project_view()
@require_safe
def judge_card(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_ready_trained(access.project, pk)
    text = json.dumps(found.card, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json")
    attach_as(response, f"judge-{pk}.json")
    return response


@project_view(Role.EDITOR)
@require_POST
def delete_judge(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_trained(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    services.delete_judge(judge=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:trained_judges", access.project.slug)
