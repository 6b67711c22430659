"""The statements that people disagree about most, and an expert's word on them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Project, Role, Summary
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.errors import Invalid
from annotation.evaluation import services
from annotation.evaluation.models import Adjudication
from annotation.evaluation.selectors.answer_figures import (
    MOST_CONTESTED,
    StoredAnswers,
    choose_contested,
    find_stored_answers,
    list_stored_contested,
    list_stored_systems,
)
from annotation.evaluation.selectors.answers import list_judged_campaigns
from annotation.evaluation.selectors.contested import (
    SHOWN,
    Contested,
    list_contested,
    rank_contested,
)
from annotation.evaluation.selectors.labels import get_ready_labels, get_summary, get_unit
from annotation.evaluation.selectors.pages_contested import Ground, get_ground, name_people
from annotation.evaluation.selectors.pages_people import get_people_names
from annotation.evaluation.selectors.run_review import AGREEMENTS, MOST_DRAWN, MOST_SEED
from annotation.evaluation.selectors.runs import get_ready_run
from annotation.evaluation.selectors.whatif import Outcome
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import Unit

PAGE = 10
SHOW_WORDS = {
    "open": gettext_lazy("Not decided"),
    "settled": gettext_lazy("Decided"),
    "all": gettext_lazy("All"),
}


@project_view()
@require_safe
def contested(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    if not list_judged_campaigns(access.project):
        return render(request, "evaluation/whatif_empty.html", project_context(access, "contested"))
    ground = get_ground(access.project)
    show, system = read_shown(request.GET)
    stored = find_stored_answers(access.project)
    if stored:
        page, items, systems = _page_stored(request, stored, show, system)
    else:
        outcome = ground.get_outcome(access.project)
        page, items = _page_read(request, ground, outcome, show, system)
        systems = list(outcome.collected.answers.system_keys)
    people = get_people_names(access.project, can_see_ids=access.can_edit)
    rest = request.GET.copy()
    rest.pop("page", None)
    context = project_context(
        access,
        "contested",
        ground=ground,
        rows=name_people(items, people),
        show=show,
        shown=[(name, SHOW_WORDS[name]) for name in SHOWN],
        system=system,
        systems=systems,
        stored=stored,
        most=MOST_CONTESTED,
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string=rest.urlencode(),
        back=request.get_full_path(),
        settled=last_settled(request.GET, access),
    )
    return render(request, "evaluation/contested.html", context)


def _page_read(
    request: HttpRequest, ground: Ground, outcome: Outcome, show: str, system: str
) -> tuple[Page[Any], list[Contested]]:
    codes = rank_contested(outcome, show, system)
    page: Page[Any] = Paginator(codes, PAGE).get_page(request.GET.get("page", 1))
    shown = codes[page.start_index() - 1 : page.end_index()] if len(codes) else codes
    return page, list_contested(ground.campaigns[0].unit_set, outcome, shown)


def _page_stored(
    request: HttpRequest, stored: StoredAnswers, show: str, system: str
) -> tuple[Page[Any], list[Contested], list[str]]:
    """Of more answers than a page can read: as of the labels that were made of them."""
    pairs = choose_contested(stored, show, system)
    page: Page[Any] = Paginator(pairs, PAGE).get_page(request.GET.get("page", 1))
    items = list_stored_contested(stored, list(page.object_list))
    return page, items, list_stored_systems(stored.label_set.unit_set)


def read_shown(query: QueryDict) -> tuple[str, str]:
    """Which statements, and of which system."""
    show = query.get("show", "open")
    return show if show in SHOWN else "open", query.get("system", "")


def last_settled(query: QueryDict, access: ProjectAccess) -> Adjudication | None:
    """What was settled a moment ago, so that it can be taken back at once."""
    asked = query.get("last", "")
    if not access.can_edit or not asked.isdecimal() or len(asked) > 18:
        return None
    rows = Adjudication.objects.filter(project=access.project, undone_at=None)
    return rows.select_related("unit", "summary__system").filter(pk=int(asked)).first()


@project_view(Role.EDITOR)
@require_POST
def adjudicate(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    summary, unit = _statement(access.project, request.POST)
    present = request.POST.get("present")
    if present not in ("0", "1"):
        raise Invalid(_("present: expected 1 or 0."), _("Use one of the buttons."))
    made = services.adjudicate(
        project=access.project,
        user=user_of(request),
        summary=summary,
        unit=unit,
        present=present == "1",
        reason=request.POST.get("reason", "")[:300],
        beside=_beside(request.POST, access.project),
    )
    return _back(request, access, made.pk)


def _beside(sent: QueryDict, project: Project) -> services.ReviewContext | None:
    """The run and labels next to which it was settled; drawn, where verdicts were hidden."""
    ids = [sent.get(name, "") for name in ("run", "labels")]
    if not all(value.isdecimal() and len(value) < 19 for value in ids):
        return None
    run, labels = get_ready_run(project, int(ids[0])), get_ready_labels(project, int(ids[1]))
    if labels.unit_set_id != run.unit_set_id:
        raise Invalid(
            _("{labels} and {run} use different units.").format(labels=labels, run=run),
            _("Open the page again."),
        )
    if "agreements" not in sent:
        return services.ReviewContext(run, labels, saw_verdicts=True)
    agreements, seed = read_review(sent)
    return services.ReviewContext(run, labels, agreements, seed)


def read_review(query: QueryDict) -> tuple[int, int]:
    """How many agreements are mixed in, and the seed; a wrong number is an error that names it."""
    found = []
    for name, usual, most in (("agreements", AGREEMENTS, MOST_DRAWN), ("seed", 0, MOST_SEED)):
        said = query.get(name) or str(usual)
        if not (said.isascii() and said.isdecimal() and len(said) < 12 and int(said) <= most):
            raise Invalid(
                _("{name}: expected 0 to {most:,}, not '{said}'.").format(
                    name=name, most=most, said=said[:20]
                ),
                _("Correct the number."),
            )
        found.append(int(said))
    return found[0], found[1]


def _statement(project: Project, sent: QueryDict) -> tuple[Summary, Unit]:
    ids = [sent.get(name, "") for name in ("summary", "unit")]
    if not all(value.isdecimal() and len(value) < 19 for value in ids):
        raise Invalid(_("summary and unit: both are required."), _("Open the page again."))
    return get_summary(project, int(ids[0])), get_unit(project, int(ids[1]))


@project_view(Role.EDITOR)
@require_POST
def undo_adjudication(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    rows = Adjudication.objects.filter(project=access.project).select_related("unit", "project")
    services.undo_adjudication(adjudication=get_object_or_404(rows, pk=pk), user=user_of(request))
    return _back(request, access)


def _back(request: HttpRequest, access: ProjectAccess, last: int | None = None) -> HttpResponse:
    """To the list as it was looked at; the next statement has taken the place of this one."""
    asked = urlsplit(request.POST.get("back", ""))
    query = QueryDict(asked.query, mutable=True)
    query.pop("last", None)
    if last is not None:
        query["last"] = str(last)
    place = f"#{asked.fragment}" if asked.fragment.isdecimal() else ""
    return redirect(f"{_list_at(asked.path, access)}?{query.urlencode()}{place}")


def _list_at(path: str, access: ProjectAccess) -> str:
    """A run's disagreements if the way led from there, and else the contested statements."""
    slug = access.project.slug
    try:
        found = resolve(path)
    except Resolver404:
        return reverse("evaluation:contested", args=[slug])
    is_run = found.view_name == "evaluation:disagreements" and found.kwargs.get("slug") == slug
    return path if is_run else reverse("evaluation:contested", args=[slug])
