"""What people fill in about a report.

- Reports: the list, a new one, the report as a page of a paper, its files and its link.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import System
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError
from annotation.evaluation.estimates.queries import get_newest_widths
from annotation.evaluation.metrics.sources import ScoreSource
from annotation.evaluation.planning.views import job_context
from annotation.evaluation.reports import service
from annotation.evaluation.reports.files import (
    figure_response,
    html_response,
    latex_response,
    record_response,
    scores_response,
)
from annotation.evaluation.reports.models import LONGEST_TITLE, MOST_METRICS, Report
from annotation.evaluation.reports.queries import (
    SourceChoice,
    get_ready_report,
    get_report,
    get_shared_report,
    list_report_sections,
    list_report_sources,
    list_reports,
)
from annotation.evaluation.reports.service import TITLE
from annotation.translation import format_lazy, gettext_lazy
from scoring.metaeval.report.options import MOST_RESAMPLES, MOST_SEED, RESAMPLES
from scoring.metaeval.study import EVERY, JUDGED

INPUT_WORDS = [
    (EVERY, gettext_lazy("Metrics: all examples; people: the examples they judged")),
    (JUDGED, gettext_lazy("Both: only the examples that people judged")),
]
GROUPS = {
    "judge": gettext_lazy("Judges"),
    "metric": gettext_lazy("Metrics"),
    "people": gettext_lazy("Other human labels"),
}


class ReportForm(forms.Form):
    title = forms.CharField(
        required=False,
        max_length=LONGEST_TITLE,
        help_text=format_lazy(gettext_lazy("Leave empty for “{title}”."), title=TITLE),
    )
    human = forms.ChoiceField(
        label=gettext_lazy("Human scores"),
        help_text=gettext_lazy("The scores that metrics are compared with."),
    )
    metrics = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Metrics"),
        error_messages={"required": gettext_lazy("Choose at least one metric.")},
    )
    systems = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these systems"),
    )
    inputs = forms.ChoiceField(
        choices=INPUT_WORDS, initial=EVERY, label=gettext_lazy("Examples to include")
    )
    resamples = forms.IntegerField(
        min_value=1,
        max_value=MOST_RESAMPLES,
        initial=RESAMPLES,
        help_text=gettext_lazy("Number of bootstrap resamples for intervals."),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MOST_SEED,
        initial=0,
        help_text=gettext_lazy("The same seed gives the same report."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sources: SourceChoice = list_report_sources(project)
        people, others = self.sources.people, self.sources.others
        self._offer("human", {"People": people, "Metrics and judges": others})
        self._offer("metrics", {"Metrics and judges": others, "People": people})
        systems = System.objects.live().filter(project=project).order_by("name")
        field = self.fields["systems"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(name, name) for name in systems.values_list("name", flat=True)]
        if "metrics" not in self.initial:
            human = self.initial.get("human") or next((row.key for row in people), "")
            self.initial["metrics"] = [row.key for row in self.sources.suggest_metrics(human)]

    @property
    def most_metrics(self) -> int:
        return MOST_METRICS

    def clean_metrics(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["metrics"]
        if len(chosen) > MOST_METRICS:
            raise forms.ValidationError(
                _("You chose {chosen} metrics. Choose at most {most_metrics}.").format(
                    chosen=len(chosen), most_metrics=MOST_METRICS
                )
            )
        return chosen

    def _offer(self, name: str, groups: dict[str, list[ScoreSource]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (words, [(source.key, f"{source.label} – {source.title}") for source in sources])
            for words, sources in groups.items()
            if sources
        ]

    @property
    def groups(self) -> list[tuple[str, list[ScoreSource]]]:
        """Metrics to choose, by kind; none of a kind that is not there."""
        rows = [*self.sources.others, *self.sources.people[1:]]
        found = [
            (words, [row for row in rows if row.kind == kind]) for kind, words in GROUPS.items()
        ]
        return [(words, listed) for words, listed in found if listed]

    @property
    def chosen(self) -> list[str]:
        value = self["metrics"].value()
        return list(value) if isinstance(value, list | tuple) else []

    @property
    def chosen_systems(self) -> list[str]:
        value = self["systems"].value()
        return list(value) if isinstance(value, list | tuple) else []


MOST_ROWS = 200


@project_view()
@require_safe
def reports(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_reports(access.project)[:MOST_ROWS])
    context = project_context(
        access,
        "reports",
        rows=rows,
        sources=list_report_sources(access.project),
        is_moving=any(row.is_moving for row in rows),
    )
    return render(request, "evaluation/reports.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def build_report(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    form = ReportForm(project, sent(request), initial=_asked(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = service.build_report(project=project, user=user_of(request), **form.cleaned_data)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:report", project.slug, made.pk)
    context = project_context(access, "reports", form=form)
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/build_report.html", context, status=status)


def _asked(request: HttpRequest) -> dict[str, Any]:
    """What the address says of the form."""
    asked: dict[str, Any] = {"human": request.GET["human"]} if "human" in request.GET else {}
    if "metrics" in request.GET:
        asked["metrics"] = request.GET.getlist("metrics")
    return asked


@project_view()
@require_safe
def report(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_report(access.project, pk)
    context = project_context(access, "reports", report=found, **job_context(access, found))
    if found.is_ready:
        context["sections"] = list_report_sections(found)
        context["link"] = _link(request, found)
        context["estimated"] = get_newest_widths(access.project)
    return render(request, "evaluation/report.html", context)


def _link(request: HttpRequest, report: Report) -> str:
    if report.share_token is None:
        return ""
    path = reverse("evaluation:shared_report", args=[report.share_token])
    return request.build_absolute_uri(path)


@project_view()
@require_safe
def print_report(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_ready_report(access.project, pk)
    context = {"report": found, "sections": list_report_sections(found), "in_file": True}
    return render(request, "evaluation/report_alone.html", context)


@project_view()
@require_safe
def report_figure(
    request: HttpRequest, access: ProjectAccess, pk: int, name: str, format: str
) -> HttpResponse:
    columns = request.GET.get("columns", "")
    return figure_response(get_ready_report(access.project, pk), name, format, columns)


@project_view()
@require_safe
def report_html(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    return html_response(get_ready_report(access.project, pk))


@project_view()
@require_safe
def report_json(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    return record_response(get_ready_report(access.project, pk))


@project_view()
@require_safe
def report_latex(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    return latex_response(get_ready_report(access.project, pk))


@project_view()
@require_safe
def report_scores(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    return scores_response(get_ready_report(access.project, pk))


@project_view(Role.EDITOR)
@require_POST
def comment_report(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_report(access.project, pk)
    service.comment_report(
        report=found, user=user_of(request), commentary=request.POST.get("commentary", "")
    )
    messages.success(request, _("The commentary was saved."))
    return redirect("evaluation:report", access.project.slug, pk)


@project_view(Role.OWNER)
@require_POST
def share_report(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_ready_report(access.project, pk)
    is_wanted = request.POST.get("shared") == "1"
    service.share_report(report=found, user=user_of(request), shared=is_wanted)
    said = (
        _("Anyone with the link can now read the report.")
        if is_wanted
        else _("The link no longer works.")
    )
    messages.success(request, said)
    return redirect("evaluation:report", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def delete_report(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_report(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    service.delete_report(report=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:reports", access.project.slug)


@require_safe
def shared_report(request: HttpRequest, token: str) -> HttpResponseBase:
    """For whoever has the link; search engines are asked to stay away."""
    found = get_shared_report(token)
    context = {"report": found, "sections": list_report_sections(found), "token": token}
    return _unlisted(render(request, "evaluation/report_alone.html", context))


@require_safe
def shared_figure(request: HttpRequest, token: str, name: str, format: str) -> HttpResponseBase:
    columns = request.GET.get("columns", "")
    return _unlisted(figure_response(get_shared_report(token), name, format, columns))


@require_safe
def shared_latex(request: HttpRequest, token: str) -> HttpResponseBase:
    return _unlisted(latex_response(get_shared_report(token)))


@require_safe
def shared_scores(request: HttpRequest, token: str) -> HttpResponseBase:
    return _unlisted(scores_response(get_shared_report(token)))


@require_safe
def shared_html(request: HttpRequest, token: str) -> HttpResponseBase:
    return _unlisted(html_response(get_shared_report(token)))


def _unlisted(response: HttpResponseBase) -> HttpResponseBase:
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "private, no-store"
    return response
