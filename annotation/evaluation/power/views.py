"""What people fill in about the power of a study.

- The power of a study: what would more examples or annotators detect?
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError
from annotation.evaluation.labels.answers import list_judged_campaigns
from annotation.evaluation.power import service
from annotation.evaluation.power.service import (
    MOST_ANNOTATORS,
    MOST_COMPARISONS,
    MOST_EXAMPLES,
    MOST_SEED,
    conclude,
    draw_power,
    get_power,
    list_power,
    stream_power,
)
from annotation.translation import gettext_lazy
from scoring.estimation.power import ENOUGH

LONGEST_GRID = 200


class NumbersField(forms.CharField):
    """Several numbers in one line, apart by spaces or commas."""

    def __init__(self, *, whole: bool, least: float, most: float, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_GRID, **kwargs)
        self.whole, self.least, self.most = whole, least, most

    def clean(self, value: Any) -> list[Any]:
        read = int if self.whole else float
        words = super().clean(value).replace(",", " ").split()
        try:
            found = [read(word) for word in words]
        except ValueError:
            raise forms.ValidationError(
                _("Enter whole numbers separated by spaces.")
                if self.whole
                else _("Enter numbers separated by spaces.")
            ) from None
        if not found or not all(self.least <= number <= self.most for number in found):
            raise forms.ValidationError(
                _("Enter numbers from {least:g} to {most:,g}.").format(
                    least=self.least, most=self.most
                )
            )
        return found


class PowerForm(forms.Form):
    differences = NumbersField(
        whole=False,
        least=0.001,
        most=1,
        label=gettext_lazy("Differences to detect"),
        help_text=gettext_lazy("Between two systems’ scores, for example 0.05 0.1."),
    )
    examples = NumbersField(
        whole=True,
        least=2,
        most=MOST_EXAMPLES,
        label=gettext_lazy("Examples"),
        help_text=gettext_lazy("For example 50 100 200."),
    )
    annotators = NumbersField(
        whole=True,
        least=1,
        most=MOST_ANNOTATORS,
        label=gettext_lazy("Annotators per summary"),
        help_text=gettext_lazy("For example 1 3."),
    )
    comparisons = forms.IntegerField(
        min_value=1,
        max_value=MOST_COMPARISONS,
        label=gettext_lazy("Comparisons"),
        help_text=gettext_lazy(
            "Number of pairs of systems tested together. The level .05 is divided by it, as in "
            "the first step of Holm’s correction."
        ),
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED)


def fill_from(params: dict[str, Any]) -> dict[str, Any]:
    """The form as somebody filled it in before."""
    lists = {
        name: " ".join(f"{value:g}" for value in params[name])
        for name in ("differences", "examples", "annotators")
    }
    return {**lists, "comparisons": params["comparisons"], "seed": params["seed"]}


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
            job = service.compute_power(
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
