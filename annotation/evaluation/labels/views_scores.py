"""Scores of a label set: a plot, a table, every pair, and the labels of one example."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import Invalid
from annotation.evaluation.gold.queries import get_label_set
from annotation.evaluation.labels import score_jobs
from annotation.evaluation.labels.charts import draw_scores, name_groups
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.score_jobs import find_scores_job
from annotation.evaluation.labels.score_pages import (
    SORTS,
    get_presence,
    list_groups,
    list_labelled_examples,
    list_leads,
    make_matrix,
    pick_example,
    sort_rows,
    stream_pairs,
    stream_scores,
)
from annotation.evaluation.labels.scores import METHODS, Scores, find_scores, get_scores
from annotation.translation import gettext_lazy
from scoring.figures.scale import NARROW, WIDE


class MethodForm(forms.Form):
    """How scores are reckoned, as the parameters of an address."""

    method = forms.ChoiceField(choices=[(name, words) for name, words in METHODS.items()])
    sample = forms.IntegerField(min_value=1, max_value=1000, label=gettext_lazy("Units per sample"))
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1)

    def __init__(self, query: QueryDict) -> None:
        filled = query.copy()
        for name, value in (("method", "exhaustive"), ("sample", "16"), ("seed", "0")):
            filled.setdefault(name, value)
        super().__init__(filled)


def read_method(query: QueryDict) -> tuple[MethodForm, dict[str, Any]]:
    form = MethodForm(query)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise Invalid(f"{name}: {errors[0]}", _("Fix it and try again."))
    data = form.cleaned_data
    sample = data["sample"] if data["method"] == "lite" else None
    return form, {"method": data["method"], "sample": sample, "seed": data["seed"]}


@project_view()
@require_safe
def scores(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    label_set = get_label_set(access.project, pk)
    form, asked = read_method(request.GET)
    found = find_scores(label_set, **asked)
    context = project_context(
        access,
        "gold",
        label_set=label_set,
        form=form,
        scores=found,
        query_string=request.GET.urlencode(),
    )
    if found is None:
        params = {"label_set": label_set.pk, **asked}
        context["job"] = find_scores_job(access.project, params)
    else:
        context |= _shown(request.GET, label_set, found)
    return render(request, "evaluation/scores.html", context)


def _shown(query: QueryDict, label_set: LabelSet, found: Scores) -> dict[str, Any]:
    groups = list_groups(found)
    sort = _sort(query)
    named = [row.system for row in found.rows if row.score is not None]
    letters = dict(zip(named, name_groups(len(named), groups), strict=True))
    baseline = query.get("baseline", "")
    baseline = baseline if baseline in named else ""
    leads = list_leads(found, baseline)
    return {
        "charts": [draw_scores(found.rows, groups, width) for width in (WIDE, NARROW)],
        "rows": [
            (row, letters.get(row.system, ""), leads.get(row.system))
            for row in sort_rows(found.rows, sort)
        ],
        "baseline": baseline,
        "systems": named,
        "columns": _columns(query, sort),
        "matrix": make_matrix(found),
        "separable": sum(pair.is_separable for pair in found.pairs),
        "unsettled": sum(not pair.is_settled for pair in found.pairs),
        **_presence(query, label_set, named),
    }


@project_view(Role.EDITOR)
@require_POST
def compute_scores(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Have a job compute what takes too long to wait for; the page shows it once it is there."""
    label_set = get_label_set(access.project, pk)
    form, asked = read_method(request.POST)
    score_jobs.compute_scores(label_set=label_set, user=user_of(request), **asked)
    query = urlencode({name: form.cleaned_data[name] for name in form.fields})
    path = reverse("evaluation:scores", args=[access.project.slug, pk])
    return redirect(f"{path}?{query}")


def _sort(query: QueryDict) -> str:
    sort = query.get("sort", "rank")
    return sort if sort.removeprefix("-") in SORTS else "rank"


def _columns(query: QueryDict, sort: str) -> dict[str, dict[str, str]]:
    """For each sortable column the address that sorts by it, and how it is sorted now."""
    found = {}
    for name, falls in SORTS.items():
        rest = query.copy()
        rest["sort"] = f"-{name}" if sort == name else name
        is_falling = falls != sort.startswith("-")
        state = ("descending" if is_falling else "ascending") if sort in (name, f"-{name}") else ""
        found[name] = {"query": rest.urlencode(), "state": state}
    return found


def _presence(query: QueryDict, label_set: LabelSet, systems: list[str]) -> dict[str, Any]:
    picked = pick_example(list_labelled_examples(label_set), query)
    if picked is None:
        return {"presence": None}
    rest = query.copy()
    for name in ("example", "name"):
        rest.pop(name, None)
    return {
        "picked": picked,
        "presence": get_presence(label_set, picked.example, systems),
        "place_query": f"{rest.urlencode()}&" if rest else "",
    }


@project_view()
@require_safe
def scores_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    __, asked = read_method(request.GET)
    found = get_scores(get_label_set(access.project, pk), **asked)
    return csv_response(stream_scores(found.rows), f"scores-{pk}-{found.method}.csv")


@project_view()
@require_safe
def pairs_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    __, asked = read_method(request.GET)
    found = get_scores(get_label_set(access.project, pk), **asked)
    return csv_response(stream_pairs(found), f"pairs-{pk}-{found.method}.csv")
