"""The power of a study: what would more examples or annotators detect?"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Job, JobState, Role
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.crowd.views.campaigns import csv_response
from annotation.errors import DomainError
from annotation.evaluation import services
from annotation.evaluation.power_forms import PowerForm, fill_from
from annotation.evaluation.selectors.answers import list_judged_campaigns
from annotation.evaluation.selectors.power import (
    conclude,
    draw_power,
    get_power,
    list_power,
    stream_power,
)
from scoring.estimation.power import ENOUGH

SHOWN = 8
LONGEST = 18


@project_view()
@require_safe
def power(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    asked = request.GET.get("job", "")
    number = int(asked) if asked.isdecimal() and len(asked) <= LONGEST else None
    job = get_power(access.project, number) if number else list_power(access.project).first()
    initial = fill_from(job.params) if job else _suggest(access)
    context = _context(access, job, PowerForm(initial=initial))
    return render(request, "evaluation/power.html", context)


def _suggest(access: ProjectAccess) -> dict[str, Any]:
    """Half as many examples as the project has, as many, and twice as many."""
    count = max(access.project.example_count, 4)
    examples = " ".join(str(number) for number in (count // 2, count, 2 * count))
    return {
        "differences": "0.05",
        "examples": examples,
        "annotators": "1 3",
        "comparisons": 1,
        "seed": 0,
    }


def _context(access: ProjectAccess, job: Job | None, form: PowerForm) -> dict[str, Any]:
    is_done = job is not None and job.state == JobState.DONE
    return project_context(
        access,
        "plans",
        form=form,
        has_answers=bool(list_judged_campaigns(access.project)),
        shown=job,
        job=job if job and not job.is_over else None,
        failed_job=job if job and job.state == JobState.FAILED else None,
        result=job.result if job and is_done else None,
        conclusion=conclude(job) if job and is_done else "",
        figures=draw_power(job) if job and is_done else [],
        goal=ENOUGH,
        earlier=[row for row in list_power(access.project)[:SHOWN] if job and row.pk != job.pk],
    )


@project_view(Role.EDITOR)
@require_POST
def compute_power(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = PowerForm(request.POST)
    if form.is_valid():
        try:
            job = services.compute_power(
                project=access.project, user=user_of(request), **form.cleaned_data
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            path = reverse("evaluation:power", args=[access.project.slug])
            query = urlencode({"job": job.pk})
            return redirect(f"{path}?{query}")
    context = _context(access, None, form)
    return render(request, "evaluation/power.html", context, status=422)


@project_view()
@require_safe
def power_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    return csv_response(stream_power(get_power(access.project, pk)), f"power-{pk}.csv")
