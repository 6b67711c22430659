"""What a run found: units by systems, beside people, where they differ, by summary, as files."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import NotFound
from annotation.evaluation.estimates.queries import count_drawn
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.contested import SHOWN
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.queries import find_way_anew
from annotation.evaluation.labels.score_pages import (
    list_judged_examples,
    pick_example,
    stream_scores,
)
from annotation.evaluation.labels.views_people import (
    SHOW_WORDS,
    last_settled,
    read_review,
    read_shown,
)
from annotation.evaluation.runs.charts import SMALL_SQUARE, SQUARE, draw_calibration
from annotation.evaluation.runs.comparison import (
    MOST_DISAGREEING,
    Codes,
    get_beside,
    get_disagreeing,
)
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.presence import Reason, get_matrix, get_reason
from annotation.evaluation.runs.queries import get_ready_run, list_run_scores
from annotation.evaluation.runs.review import (
    get_review,
    list_disagreements,
    measure_review,
    rank_disagreements,
)
from annotation.evaluation.runs.summaries import (
    MOST_GAPS,
    SORTS,
    get_summary_page,
    stream_pairs_csv,
    stream_pairs_jsonl,
)
from annotation.evaluation.runs.views import choose_labels, run_context
from annotation.headers import attach_as

PAGE = 10


@project_view()
@require_safe
def presence(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Units by systems of one example; a value that is asked for shows its reason."""
    run = get_ready_run(access.project, pk)
    labels = choose_labels(request, run)
    picked = pick_example(list_judged_examples(run), request.GET)
    if picked is None:
        raise NotFound(_("{run} has no judged examples.").format(run=run), _("Open another run."))
    order = [row.system for row in list_run_scores(run)]
    context = run_context(
        access,
        run,
        "presence",
        **labels,
        picked=picked,
        matrix=get_matrix(run, picked.example, order, labels["label_set"]),
        reason=_reason(request, run, labels),
    )
    return render(request, "evaluation/run_presence.html", context)


def _reason(request: HttpRequest, run: JudgeRun, labels: dict[str, Any]) -> Reason | None:
    unit = request.GET.get("unit", "")
    if not unit.isdecimal() or len(unit) > 18:
        return None
    return get_reason(run, labels["label_set"], int(unit), request.GET.get("system", ""))


@project_view()
@require_safe
def people(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    run = get_ready_run(access.project, pk)
    labels = choose_labels(request, run)
    is_known = labels["label_set"] and "uncompared" not in labels
    found = get_beside(run, labels["label_set"]) if is_known else None
    bins = found.bins if found else []
    charts = [draw_calibration(bins, size) for size in (SQUARE, SMALL_SQUARE)]
    drawn = count_drawn(labels["label_set"]) if found else 0
    context = run_context(access, run, "people", **labels, beside=found, charts=charts, drawn=drawn)
    return render(request, "evaluation/run_people.html", context)


@project_view()
@require_safe
def disagreements(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """What is settled here goes into labels that are made from now on.

    Whoever can settle sees statements in random order and no verdicts, until they ask for them;
    with verdicts, those where the judge is surest of the opposite come first.
    """
    run = get_ready_run(access.project, pk)
    labels = choose_labels(request, run)
    show, system = read_shown(request.GET)
    user = user_of(request)
    has_seen = run.verdicts_seen_by.contains(user)
    is_blind = access.can_edit and not (has_seen and request.GET.get("verdicts") == "shown")
    context = run_context(access, run, "disagreements", **labels, show=show, system=system)
    if "uncompared" not in labels and (label_set := labels["label_set"]):
        context |= _blind(request, run, label_set, show) if is_blind else {}
        context |= {} if is_blind else _in_sight(request, run, label_set, show, system)
        context |= {
            "is_blind": is_blind,
            "has_seen": has_seen,
            "accuracy": measure_review(run, label_set),
            "shown": [(name, SHOW_WORDS[name]) for name in SHOWN],
            "back": request.get_full_path(),
            "settled": last_settled(request.GET, access),
            "again": find_way_anew(label_set),
        }
    return render(request, "evaluation/run_disagreements.html", context)


def _blind(request: HttpRequest, run: JudgeRun, label_set: LabelSet, show: str) -> dict[str, Any]:
    agreements, seed = read_review(request.GET)
    review = get_review(run, label_set, agreements, seed)
    page, shown = _page_of(request, review.list_codes(show))
    rows = list_disagreements(run, label_set, review.pairs, shown)
    return {"review": review, "rows": rows, **_paged(request, page)}


def _in_sight(
    request: HttpRequest, run: JudgeRun, label_set: LabelSet, show: str, system: str
) -> dict[str, Any]:
    pairs = get_disagreeing(run, label_set)
    page, shown = _page_of(request, rank_disagreements(run.unit_set, pairs, show, system))
    return {
        "rows": list_disagreements(run, label_set, pairs, shown),
        "systems": sorted(pairs.names),
        "is_cut": len(pairs.values) == MOST_DISAGREEING,
        "most": MOST_DISAGREEING,
        **_paged(request, page),
    }


def _page_of(request: HttpRequest, codes: Codes) -> tuple[Any, Codes]:
    page = Paginator(codes, PAGE).get_page(request.GET.get("page", 1))
    return page, codes[page.start_index() - 1 : page.end_index()] if len(codes) else codes


@project_view(Role.EDITOR)
@require_POST
def show_verdicts(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Recorded: what is settled by this person from now on was not settled blind."""
    run = get_ready_run(access.project, pk)
    settling.show_verdicts(run=run, user=user_of(request))
    query = QueryDict(mutable=True)
    if labels := request.POST.get("labels", ""):
        query["labels"] = labels
    query["verdicts"] = "shown"
    address = reverse("evaluation:disagreements", args=[access.project.slug, pk])
    return redirect(f"{address}?{query.urlencode()}")


def _paged(request: HttpRequest, page: Any) -> dict[str, Any]:
    rest = request.GET.copy()
    rest.pop("page", None)
    return {
        "page": page,
        "total": page.paginator.count,
        "first": page.start_index(),
        "last": page.end_index(),
        "query_string": rest.urlencode(),
    }


@project_view()
@require_safe
def summaries(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    run = get_ready_run(access.project, pk)
    labels = choose_labels(request, run)
    sort, system = request.GET.get("sort", "corpus"), request.GET.get("system", "")
    sort = sort if sort in SORTS else "corpus"
    page = get_summary_page(
        run, labels["label_set"], request.GET.get("page", "1"), sort=sort, system=system
    )
    context = run_context(
        access,
        run,
        "summaries",
        **labels,
        rows=page.object_list,
        sort=sort,
        sorts=SORTS.items(),
        system=system,
        systems=sorted(row.system for row in list_run_scores(run)),
        counts_examples=sort == "corpus",
        most_gaps=MOST_GAPS,
        **_paged(request, page),
    )
    return render(request, "evaluation/run_summaries.html", context)


@project_view()
@require_safe
def run_scores_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    rows = list_run_scores(get_ready_run(access.project, pk))
    return csv_response(stream_scores(rows), f"run-{pk}-scores.csv")


@project_view()
@require_safe
def presence_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    return csv_response(
        stream_pairs_csv(get_ready_run(access.project, pk)), f"run-{pk}-presence.csv"
    )


@project_view()
@require_safe
def presence_jsonl(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    lines = stream_pairs_jsonl(get_ready_run(access.project, pk))
    response = StreamingHttpResponse(lines, content_type="application/x-ndjson")
    attach_as(response, f"run-{pk}-presence.jsonl")
    return response
