"""Crowd size: what would three instead of four people a HIT give?"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import ProjectAccess
from annotation.corpora.views.access import project_context, project_view
from annotation.evaluation.selectors.answer_figures import find_stored_answers
from annotation.evaluation.selectors.answers import list_judged_campaigns
from annotation.evaluation.selectors.pages_contested import get_ground
from annotation.evaluation.selectors.pages_crowd_size import MOST, ROUNDS, get_crowd_sizes

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
