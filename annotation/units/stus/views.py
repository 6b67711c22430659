"""Forms about STUs: extracting them, training regressors, ranking sentences."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError
from annotation.headers import attach_as
from annotation.translation import gettext_lazy
from annotation.units.plans import leaving
from annotation.units.plans import queries as plans
from annotation.units.plans import service as plans_service
from annotation.units.plans.queries import list_scu_sets, list_stu_sets
from annotation.units.sets.models import UnitSet
from annotation.units.studio import queries as studio_queries
from annotation.units.stus import easiness as stus_easiness
from annotation.units.stus import extraction
from annotation.units.stus import ranking as stus_ranking
from annotation.units.stus.easiness import FOLDS, MOST_FOLDS
from annotation.units.stus.extraction import MOST_X
from annotation.units.stus.ranking import list_ranking_jobs
from annotation.units.stus.regressors import count_ranked, list_regressors
from annotation.wording import counted

EXTRACTORS = (
    (
        "rich",
        gettext_lazy("Rich"),
        gettext_lazy(
            "Verbs with their arguments, plus facts from modifiers, appositions and titles."
        ),
    ),
    (
        "srl",
        "SRL",
        gettext_lazy("Only verbs with their arguments, as published (Zhang & Bansal 2021, §3.2)."),
    ),
)
REGRESSORS = (
    ("giza", "Giza: the sentence’s parse tree and its STUs"),
    ("paper", gettext_lazy("Paper: the 69 published features of the parse tree")),
)


def _offer(form: forms.Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def _offer_sets(form: forms.Form, name: str, sets: Iterable[UnitSet]) -> dict[str, UnitSet]:
    known = {str(row.pk): row for row in sets}
    _offer(form, name, [(pk, str(row)) for pk, row in known.items()])
    return known


class ExtractForm(forms.Form):
    extractor = forms.ChoiceField(
        choices=[(value, title) for value, title, __ in EXTRACTORS],
        initial="rich",
        widget=forms.RadioSelect,
    )
    x = forms.FloatField(
        min_value=0.1,
        max_value=MOST_X,
        initial=1,
        label=gettext_lazy("STUs per SCU (x)"),
        help_text=gettext_lazy("Only for Rich. 1 gives about as many units as people would write."),
    )
    coref = forms.BooleanField(
        required=False, label=gettext_lazy("Replace pronouns with names (coreference)")
    )
    name = forms.CharField(
        max_length=80,
        required=False,
        help_text=gettext_lazy(
            "If empty, named after the extractor. An existing name gets its next version."
        ),
    )
    regressor = forms.ChoiceField(
        label=gettext_lazy("Regressor for ranking"),
        help_text=gettext_lazy("Predicts which sentences most need a person."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = list_regressors(project)
        _offer(self, "regressor", [(row.name, f"{row.name}: {row.what}") for row in known])

    @property
    def extractors(self) -> tuple[tuple[str, str, str], ...]:
        return EXTRACTORS


class TrainEasinessForm(forms.Form):
    name = forms.CharField(
        max_length=80,
        help_text=gettext_lazy(
            "Letters, digits, dots and hyphens. An existing name gets its next version."
        ),
    )
    scus = forms.ChoiceField(label=gettext_lazy("Set of SCUs"))
    stus = forms.ChoiceField(label=gettext_lazy("Set of STUs"))
    regressor = forms.ChoiceField(
        choices=REGRESSORS, initial="giza", label=gettext_lazy("Features")
    )
    folds = forms.IntegerField(
        min_value=2,
        max_value=MOST_FOLDS,
        initial=FOLDS,
        label=gettext_lazy("Cross-validation folds"),
        help_text=gettext_lazy("Each fold is predicted by a regressor that was not trained on it."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scu_sets = _offer_sets(self, "scus", list_scu_sets(project))
        self.stu_sets = _offer_sets(self, "stus", list_stu_sets(project))

    def arguments(self) -> dict[str, Any]:
        """As `train_easiness` takes them."""
        data = self.cleaned_data
        sets = {"scus": self.scu_sets[data["scus"]], "stus": self.stu_sets[data["stus"]]}
        return {**data, **sets}


class RankForm(forms.Form):
    stus = forms.ChoiceField(label="STUs")
    regressor = forms.ChoiceField(required=False, label=gettext_lazy("Regressor"))

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stu_sets = _offer_sets(self, "stus", list_stu_sets(project))
        known = [(row.name, row.name) for row in list_regressors(project)]
        _offer(self, "regressor", [("", _("predictions stored with the STUs")), *known])

    def arguments(self) -> dict[str, Any]:
        """As `start_ranking` takes them."""
        data = self.cleaned_data
        return {"stus": self.stu_sets[data["stus"]], "regressor": data["regressor"]}


ROWS_A_PAGE = 50
MOST_MODELS = 200
HARDEST = 5
WHO = {"people": True, "stus": False}


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def extract(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = ExtractForm(access.project, sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = extraction.extract_stus(
                project=access.project, user=user_of(request), **form.cleaned_data
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("units:set", access.project.slug, made.pk)
    context = project_context(access, "units", form=form)
    status = 422 if request.method == "POST" else 200
    return render(request, "units/extract.html", context, status=status)


@project_view(Role.EDITOR)
@require_POST
def pause(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    extraction.pause_filling(unit_set=studio_queries.get_set(access.project, pk))
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def resume(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    extraction.resume_filling(unit_set=studio_queries.get_set(access.project, pk))
    return redirect("units:set", access.project.slug, pk)


@project_view()
@require_http_methods(["GET", "POST"])
def easiness(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """Regressors with their figures, one to train, and the sets whose sentences are ranked."""
    project = access.project
    form = TrainEasinessForm(project, sent(request), initial=_asked(request))
    if request.method == "POST":
        access.require(Role.EDITOR)
        if form.is_valid():
            try:
                made = stus_easiness.train_easiness(
                    project=project, user=user_of(request), **form.arguments()
                )
            except DomainError as error:
                form.add_error(None, f"{error.message} {error.hint}".strip())
            else:
                return redirect("units:easiness_model", project.slug, made.pk)
    rows = list(plans.list_easiness_models(project)[:MOST_MODELS])
    context = project_context(
        access,
        "easiness",
        form=form,
        models=rows,
        common=[row for row in list_regressors(project) if row.model is None],
        is_moving=any(row.is_moving for row in rows),
        rankings=plans.list_rankings(project),
        is_asked=bool(form.errors) or "scus" in request.GET,
    )
    return render(request, "units/easiness.html", context, status=422 if form.errors else 200)


def _asked(request: HttpRequest) -> dict[str, str]:
    """What the address says of the form."""
    names = ("name", "scus", "stus", "regressor")
    return {name: request.GET[name] for name in names if name in request.GET}


@project_view()
@require_safe
def easiness_model(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = plans.get_easiness_model(access.project, pk)
    job = found.job
    is_open = job is not None and not job.is_over and not found.is_ready
    context = project_context(
        access,
        "easiness",
        model=found,
        card=found.card,
        held_out=found.card.get("held_out"),
        job=job if is_open else None,
        failed_job=job if job and job.state == JobState.FAILED and not found.is_ready else None,
        can_cancel=is_open and access.can_edit and job and not job.cancel_requested,
        can_delete=access.can_edit and not is_open,
    )
    return render(request, "units/easiness_model.html", context)


@project_view()
@require_safe
def easiness_file(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """The regressor as `python -m scoring easiness predict --model FILE` reads it."""
    found = plans.get_ready_model(access.project, pk)
    text = json.dumps(found.file, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json")
    attach_as(response, f"easiness-{pk}.json")
    return response


@project_view(Role.EDITOR)
@require_POST
def delete_easiness_model(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = plans.get_easiness_model(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    stus_easiness.delete_easiness_model(model=found, user=user_of(request))
    messages.success(request, words)
    return redirect("units:easiness", access.project.slug)


@project_view()
@require_safe
def ranking(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """The sentences of a set by how hard they are; `who` keeps those of people, or of STUs."""
    found = studio_queries.get_set(access.project, pk)
    who = request.GET.get("who", "")
    rows = plans.list_sentence_plans(found)
    if who in WHO:
        rows = rows.filter(is_human=WHO[who])
    counts = plans.get_plan_counts(found)
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page", 1))
    context = project_context(
        access,
        "units",
        unit_set=found,
        counts=counts,
        shared=count_ranked(found),
        who=who if who in WHO else "",
        is_mixed=bool(counts["stus"] and counts["human"]),
        page=page,
        first=page.start_index(),
        last=page.end_index(),
        total=page.paginator.count,
        query_string=f"who={who}" if who in WHO else "",
    )
    return render(request, "units/ranking.html", context)


@project_view(Role.EDITOR)
@require_POST
def rank(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    form = RankForm(access.project, request.POST)
    if not form.is_valid():
        raise DomainError(
            _("No set of STUs is selected."), _("Extract STUs, then select their set.")
        )
    stus_ranking.start_ranking(unit_set=found, user=user_of(request), **form.arguments())
    messages.success(request, _("Ranking started."))
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def drop_plan(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    plans_service.drop_plan(unit_set=found, user=user_of(request))
    messages.success(request, _("Plan removed. All sentences are for people to write."))
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def leave_rest(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    count = leaving.leave_rest(unit_set=found, user=user_of(request))
    messages.success(
        request,
        _("{sentences} left to STUs.").format(sentences=counted(count, "sentence", "sentences")),
    )
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def take_rest_back(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    count = leaving.take_rest_back(unit_set=found, user=user_of(request))
    messages.success(
        request,
        _("{sentences} returned to people.").format(
            sentences=counted(count, "sentence", "sentences")
        ),
    )
    return redirect("units:set", access.project.slug, pk)


def describe_order(access: ProjectAccess, unit_set: UnitSet) -> dict[str, Any]:
    """What a set's page says of its ranking and plan, and the form that ranks a draft."""
    form = RankForm(access.project) if unit_set.state == "draft" and access.can_edit else None
    hardest = plans.list_sentence_plans(unit_set)[:HARDEST] if unit_set.extractor else []
    return {
        "hardest": hardest,
        "plan": plans.get_plan_counts(unit_set),
        "rest": leaving.count_rest(unit_set) if form else None,
        "rank_form": form if form and form.stu_sets else None,
        "ranking_job": next(iter(list_ranking_jobs(unit_set)), None),
    }
