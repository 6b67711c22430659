"""Samples: the list, a new one, one against its population, and a draft campaign about it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.views.access import project_context, project_view, sent, user_of
from annotation.crowd.views.campaigns import csv_response
from annotation.errors import DomainError
from annotation.evaluation import services
from annotation.evaluation.models import Sample
from annotation.evaluation.sample_charts import draw_distribution
from annotation.evaluation.sample_forms import DraftForm, SampleForm
from annotation.evaluation.selectors.samples import (
    get_sample,
    list_rows,
    list_samples,
    read_populations,
    stream_sample,
)
from annotation.evaluation.selectors.score_sources import list_score_sources
from annotation.translation import gettext as _
from scoring.figures.scale import NARROW, WIDE

MOST_ROWS = 200


@project_view()
@require_safe
def samples(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    context = project_context(
        access,
        "samples",
        rows=list(list_samples(access.project)[:MOST_ROWS]),
        has_scores=bool(list_score_sources(access.project)),
    )
    return render(request, "evaluation/samples.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def sample_examples(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    form = SampleForm(project, sent(request), initial={"sources": request.GET.getlist("sources")})
    if request.method == "POST" and form.is_valid():
        try:
            made = services.sample_examples(
                project=project, user=user_of(request), **form.cleaned_data
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:sample", project.slug, made.pk)
    context = project_context(access, "samples", form=form)
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/sample_examples.html", context, status=status)


@project_view()
@require_safe
def sample(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_sample(access.project, pk)
    return render(request, "evaluation/sample.html", _context(access, found))


def _context(
    access: ProjectAccess, sample: Sample, form: DraftForm | None = None
) -> dict[str, Any]:
    shown = read_populations(sample)
    context = project_context(
        access,
        "samples",
        sample=sample,
        shown=[
            {"row": row, "charts": [draw_distribution(row, width) for width in (WIDE, NARROW)]}
            for row in shown
        ],
        drawn=[(row, sample.sources[row.source or 0]) for row in list_rows(sample, drawn=True)],
        campaigns=sample.campaigns.all(),
    )
    if access.can_edit:
        context["form"] = form or DraftForm(
            sample, initial={"name": _("Sample {sample}").format(sample=sample.pk)}
        )
    return context


@project_view(Role.EDITOR)
@require_POST
def draft_sample(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """A draft campaign about the sampled examples; what is wrong is said on the sample's page."""
    found = get_sample(access.project, pk)
    form = DraftForm(found, request.POST)
    if form.is_valid():
        try:
            made = services.draft_campaign(sample=found, user=user_of(request), **form.cleaned_data)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            messages.success(
                request,
                _(
                    "A draft campaign with the sampled examples was created. Nothing has been "
                    "spent."
                ),
            )
            return redirect("crowd:setup", access.project.slug, made.pk)
    return render(request, "evaluation/sample.html", _context(access, found, form), status=422)


@project_view()
@require_safe
def sample_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    return csv_response(stream_sample(get_sample(access.project, pk)), f"sample-{pk}.csv")


@project_view(Role.EDITOR)
@require_POST
def delete_sample(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_sample(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    services.delete_sample(sample=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:samples", access.project.slug)
