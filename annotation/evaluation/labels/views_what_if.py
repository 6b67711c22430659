"""What if other rules were used: thresholds on one side, what follows from them on the other.

- Crowd size: what would three instead of four people a HIT give?
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError, Invalid
from annotation.evaluation.labels import score_jobs, service
from annotation.evaluation.labels.answers import get_judged_campaigns, list_judged_campaigns
from annotation.evaluation.labels.charts import draw_slopes
from annotation.evaluation.labels.contested import get_ground
from annotation.evaluation.labels.figures import find_stored_answers
from annotation.evaluation.labels.forms import RULE_FIELDS, NoteForm, WhatIfForm
from annotation.evaluation.labels.outcome import (
    NO_LABEL,
    Comparison,
    Outcome,
    compare,
    recall_outcome,
)
from annotation.evaluation.labels.people import get_people_names
from annotation.evaluation.labels.votes import (
    MOST,
    ROUNDS,
    find_comparison,
    get_crowd_sizes,
    is_slow,
    refuse_if_slow,
)
from annotation.evaluation.labels.what_if import (
    count_changes,
    get_next_version,
    list_figures,
    stream_comparison,
    summarise_drops,
)
from annotation.translation import gettext_lazy
from scoring.aggregation import Recipe
from scoring.figures.scale import NARROW, WIDE

# Rules of published studies, as parameters of the address.
PRESETS = (
    (gettext_lazy("All answers"), ""),
    (gettext_lazy("REALSumm’s rule"), "summary=on"),
    (gettext_lazy("PyrXSum’s rule"), "worker=on&min_hits=100&max_disagreement=50"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Campaigns and recipe that an address asks for, with the form that says so."""

    form: WhatIfForm
    campaigns: list[Campaign]
    recipe: Recipe | None

    @property
    def is_valid(self) -> bool:
        return self.recipe is not None


def read(access: ProjectAccess, query: QueryDict) -> Asked:
    form = WhatIfForm(list_judged_campaigns(access.project), query)
    if not form.is_valid():
        return Asked(form, [], None)
    ids = [row.pk for row in form.cleaned_data["campaign"]]
    if "ticked" in query and not ids:
        form.add_error("campaign", _("Choose at least one campaign."))
        return Asked(form, [], None)
    try:
        return Asked(form, get_judged_campaigns(access.project, ids), form.recipe())
    except DomainError as error:
        form.add_error("campaign", f"{error.message} {error.hint}")
        return Asked(form, [], None)


def outcome_of(access: ProjectAccess, asked: Asked) -> Outcome:
    assert asked.recipe is not None
    return recall_outcome(
        access.project, asked.campaigns[0].unit_set, asked.campaigns, asked.recipe
    )


def compared(access: ProjectAccess, asked: Asked) -> Comparison:
    """With the plain majority of the same campaigns; what people decided holds on both sides."""
    plain = Asked(asked.form, asked.campaigns, Recipe())
    return compare(outcome_of(access, plain), outcome_of(access, asked))


@project_view()
@require_safe
def whatif(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    judged = list_judged_campaigns(access.project)
    if not judged:
        return render(request, "evaluation/whatif_empty.html", project_context(access, "whatif"))
    asked = read(access, request.GET)
    context = project_context(
        access,
        "whatif",
        form=asked.form,
        chosen=[row.pk for row in asked.campaigns],
        judged=judged,
        rules=[_rule(asked.form, name) for name in RULE_FIELDS],
        presets=PRESETS,
        query_string=request.GET.urlencode(),
        **(_shown(access, asked) if asked.is_valid else {}),
    )
    is_partial = getattr(request, "htmx", False)
    template = "evaluation/_outcome.html" if is_partial else "evaluation/whatif.html"
    status = 200 if asked.is_valid or is_partial else 422
    response = render(request, template, context, status=status)
    response["Vary"] = "HX-Request"
    return response


def _rule(form: WhatIfForm, name: str) -> dict[str, Any]:
    return {"switch": form[name], "thresholds": [form[field] for field in RULE_FIELDS[name]]}


def _shown(access: ProjectAccess, asked: Asked) -> dict[str, Any]:
    """What follows, or why nobody should wait for it."""
    assert asked.recipe is not None
    try:
        refuse_if_slow(asked.campaigns, asked.recipe)
    except DomainError as error:
        return {"slow": error, "next_version": get_next_version(asked.campaigns[0].unit_set)}
    return _consequences(access, asked)


def _consequences(access: ProjectAccess, asked: Asked) -> dict[str, Any]:
    comparison = compared(access, asked)
    unit_set = asked.campaigns[0].unit_set
    people = get_people_names(access.project, can_see_ids=access.can_edit)
    assert asked.recipe is not None
    return {
        "comparison": comparison,
        "unit_set": unit_set,
        "figures": list_figures(comparison),
        "counts": count_changes(comparison),
        "drops": summarise_drops(comparison.after, people),
        "statements": len(comparison.after.present),
        "is_empty": comparison.after.is_empty,
        "slopes": [draw_slopes(comparison.systems, width) for width in (WIDE, NARROW)],
        "recipe": asked.recipe.to_json(),
        "signature": asked.recipe.signature(comparison.after.collected.answers.content_hash()),
        "next_version": get_next_version(unit_set),
    }


@project_view()
@require_safe
def whatif_csv(request: HttpRequest, access: ProjectAccess) -> StreamingHttpResponse:
    asked = read(access, request.GET)
    _refuse(asked)
    assert asked.recipe is not None
    refuse_if_slow(asked.campaigns, asked.recipe)
    return csv_response(stream_comparison(compared(access, asked)), "ranking.csv")


@project_view()
@require_safe
def votes(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """Models of the people who answered, beside the majority, as far as a job has fitted them."""
    asked = read(access, request.GET)
    _refuse(asked)
    assert asked.recipe is not None
    job = find_comparison(access.project, asked.campaigns, asked.recipe)
    result = job.result if job and job.state == JobState.DONE else None
    context = project_context(
        access,
        "whatif",
        job=job if job and not job.is_over else None,
        failed_job=job if job and job.state == JobState.FAILED else None,
        form=asked.form,
        rows=result["rows"] if result else [],
        table=_by_system(result) if result else [],
        query_string=request.GET.urlencode(),
    )
    return render(request, "evaluation/votes.html", context)


def _by_system(result: dict[str, Any]) -> list[tuple[str, list[float | None]]]:
    return [
        (system, [row["scores"][place] for row in result["rows"]])
        for place, system in enumerate(result["systems"])
    ]


@project_view(Role.EDITOR)
@require_POST
def compare_votes(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """Have every vote fitted; asking twice for the same does it once."""
    asked = read(access, request.POST)
    _refuse(asked)
    assert asked.recipe is not None
    found = find_comparison(access.project, asked.campaigns, asked.recipe)
    if found is None or found.state == JobState.FAILED:
        score_jobs.compare_votes(
            project=access.project,
            user=user_of(request),
            campaigns=asked.campaigns,
            recipe=asked.recipe,
        )
    query = request.POST.copy()
    query.pop("csrfmiddlewaretoken", None)
    address = reverse("evaluation:votes", args=[access.project.slug])
    return redirect(f"{address}?{query.urlencode()}")


def _refuse(asked: Asked) -> None:
    """Where there is no form to show errors in, they are the answer."""
    if not asked.is_valid:
        first = next(iter(asked.form.errors.items()))
        raise Invalid(f"{first[0]}: {first[1][0]}", _("Correct it and try again."))


@project_view(Role.EDITOR)
@require_POST
def keep_labels(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """A job makes them; the page of the label set shows how far it is."""
    asked = read(access, request.POST)
    _refuse(asked)
    note = NoteForm(request.POST)
    if not note.is_valid():
        raise Invalid(_("The note is too long."), _("Use at most 300 characters."))
    assert asked.recipe is not None
    if not is_slow(asked.campaigns, asked.recipe) and outcome_of(access, asked).is_empty:
        raise DomainError(NO_LABEL, _("Relax a rule."))
    made = service.keep_labels(
        project=access.project,
        user=user_of(request),
        campaigns=asked.campaigns,
        recipe=asked.recipe,
        note=note.cleaned_data["note"],
    )
    messages.success(request, _("{made} is being created.").format(made=made))
    return redirect("evaluation:labels", access.project.slug, made.pk)


LONGEST_SEED = 9


@project_view()
@require_safe
def crowd_size(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    if not list_judged_campaigns(access.project):
        return render(
            request, "evaluation/whatif_empty.html", project_context(access, "crowd_size")
        )
    ground = get_ground(access.project)
    stored = find_stored_answers(access.project)
    seed = 0 if stored else _number(request.GET.get("seed", ""), 0)
    if stored:
        table = stored.figures.sizes
    else:
        table = get_crowd_sizes(ground.get_outcome(access.project), seed)
    chosen = min(max(_number(request.GET.get("judges", ""), 3), 1), MOST)
    context = project_context(
        access,
        "crowd_size",
        ground=ground,
        stored=stored,
        table=table,
        chosen=table.row(chosen),
        numbers=range(1, MOST + 1),
        rounds=ROUNDS,
        seed=seed,
    )
    return render(request, "evaluation/crowd_size.html", context)


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) <= LONGEST_SEED else otherwise
