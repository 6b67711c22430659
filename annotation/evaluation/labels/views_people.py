"""The statements that people disagree about most, and an expert's word on them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.errors import Invalid
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.answers import (
    get_collected,
    get_judged_campaigns,
    list_judged_campaigns,
    read_some,
)
from annotation.evaluation.labels.contested import (
    SHOWN,
    Contested,
    Ground,
    get_ground,
    list_contested,
    name_people,
    rank_contested,
)
from annotation.evaluation.labels.figures import (
    MOST_CONTESTED,
    StoredAnswers,
    choose_contested,
    find_stored_answers,
    list_stored_contested,
    list_stored_systems,
)
from annotation.evaluation.labels.forms import VerdictForm
from annotation.evaluation.labels.models import Adjudication, Decision
from annotation.evaluation.labels.outcome import Outcome
from annotation.evaluation.labels.people import (
    SORTS,
    WorkerList,
    describe_work,
    get_assignment,
    get_people_names,
    get_worker,
    list_leanings,
    list_stored_rows,
    list_work,
    list_worker_decisions,
    list_worker_rows,
    sort_leanings,
)
from annotation.evaluation.labels.queries import get_ready_labels, get_summary, get_unit
from annotation.evaluation.runs.queries import get_ready_run
from annotation.evaluation.runs.review import AGREEMENTS, MOST_DRAWN, MOST_SEED
from annotation.translation import gettext_lazy
from annotation.units.sets.models import Unit

CONTESTED_PAGE = 10
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
    page: Page[Any] = Paginator(codes, CONTESTED_PAGE).get_page(request.GET.get("page", 1))
    shown = codes[page.start_index() - 1 : page.end_index()] if len(codes) else codes
    return page, list_contested(ground.campaigns[0].unit_set, outcome, shown)


def _page_stored(
    request: HttpRequest, stored: StoredAnswers, show: str, system: str
) -> tuple[Page[Any], list[Contested], list[str]]:
    """Of more answers than a page can read: as of the labels that were made of them."""
    pairs = choose_contested(stored, show, system)
    page: Page[Any] = Paginator(pairs, CONTESTED_PAGE).get_page(request.GET.get("page", 1))
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
    made = settling.adjudicate(
        project=access.project,
        user=user_of(request),
        summary=summary,
        unit=unit,
        present=present == "1",
        reason=request.POST.get("reason", "")[:300],
        beside=_beside(request.POST, access.project),
    )
    return _back(request, access, made.pk)


def _beside(sent: QueryDict, project: Project) -> settling.ReviewContext | None:
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
        return settling.ReviewContext(run, labels, saw_verdicts=True)
    agreements, seed = read_review(sent)
    return settling.ReviewContext(run, labels, agreements, seed)


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
    settling.undo_adjudication(adjudication=get_object_or_404(rows, pk=pk), user=user_of(request))
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


PAGE = 25


@project_view(Role.EDITOR)
@require_safe
def workers(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    if not list_judged_campaigns(access.project):
        return render(request, "evaluation/whatif_empty.html", project_context(access, "workers"))
    sort = request.GET.get("sort", "")
    sort = sort if sort in SORTS else SORTS[0]
    campaigns = get_judged_campaigns(access.project, [])
    stored = find_stored_answers(access.project)
    found = (
        WorkerList(
            list_stored_rows(access.project, stored.figures.workers, sort), stored.figures.unknown
        )
        if stored
        else list_worker_rows(access.project, campaigns, sort)
    )
    page = Paginator(found.rows, 100).get_page(request.GET.get("page", 1))
    context = project_context(
        access,
        "workers",
        campaigns=campaigns,
        stored=stored,
        rows=page.object_list,
        unknown=found.unknown,
        sort=sort,
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string=f"sort={sort}",
    )
    return render(request, "evaluation/workers.html", context)


@project_view(Role.EDITOR)
@require_safe
def worker(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_worker(access.project, pk)
    campaigns = get_judged_campaigns(access.project, [])
    page = Paginator(list_work(campaigns, found), PAGE).get_page(request.GET.get("page", 1))
    works = list(page.object_list)
    stored = find_stored_answers(access.project)
    if stored:
        figures = [row for row in stored.figures.workers if row.worker == pk]
        rows = list_stored_rows(access.project, figures)
        collected = read_some(campaigns, {work.hit.summary_id for work in works})
        leanings = sort_leanings(figures[0].leanings if figures else {})
    else:
        rows = list_worker_rows(access.project, campaigns).rows
        collected = get_collected(campaigns)
        leanings = list_leanings(collected, found)
    context = project_context(
        access,
        "workers",
        worker=found,
        row=next((row for row in rows if row.worker.pk == pk), None),
        stored=stored,
        leanings=leanings,
        work=describe_work(access.project, collected, works),
        decisions=list_worker_decisions(found),
        form=VerdictForm(),
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string="",
        back=request.get_full_path(),
    )
    return render(request, "evaluation/worker.html", context)


def _verdict(request: HttpRequest) -> dict[str, str]:
    form = VerdictForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("A decision needs a verdict and a reason."), _("Enter both."))
    return {name: form.cleaned_data[name] for name in ("verdict", "reason")}


@project_view(Role.EDITOR)
@require_POST
def decide_worker(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_worker(access.project, pk)
    settling.decide_worker(
        project=access.project, user=user_of(request), worker=found, **_verdict(request)
    )
    messages.success(request, _("Decision saved. It applies to labels created from now on."))
    return redirect("evaluation:worker", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def decide_assignment(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_assignment(access.project, pk)
    settling.decide_assignment(
        project=access.project, user=user_of(request), assignment=found, **_verdict(request)
    )
    messages.success(request, _("Decision saved. It applies to labels created from now on."))
    return redirect(_page_of(access, found.worker_id))


@project_view(Role.EDITOR)
@require_POST
def undo_decision(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    rows = Decision.objects.filter(project=access.project).select_related("project", "assignment")
    found = get_object_or_404(rows, pk=pk)
    settling.undo_decision(decision=found, user=user_of(request))
    messages.success(request, _("Decision undone. From now on, only the rules apply."))
    worker_pk = found.assignment.worker_id if found.assignment else found.worker_id
    return redirect(_page_of(access, worker_pk))


def _page_of(access: ProjectAccess, worker_pk: int | None) -> str:
    if worker_pk is None:
        return reverse("evaluation:workers", args=[access.project.slug])
    return reverse("evaluation:worker", args=[access.project.slug, worker_pk])
