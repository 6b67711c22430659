"""The plot of an estimate, as the coordinates of an SVG that a template writes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError
from annotation.evaluation.estimates import service
from annotation.evaluation.estimates.models import Chosen, CountBy, ScoreEstimate, Target
from annotation.evaluation.estimates.queries import (
    count_apart,
    get_estimate,
    get_ready_estimate,
    list_estimates,
    list_pairs,
    list_ready_runs,
    list_rows,
    stream_pairs,
    stream_scores,
)
from annotation.evaluation.judges.queries import list_ready_labels, read_learned_sources
from annotation.evaluation.labels.charts import FOOT, LETTER, TOP
from annotation.evaluation.planning.forms import Sources
from annotation.evaluation.planning.studies import list_study_judges
from annotation.evaluation.planning.views import job_context
from annotation.evaluation.runs.models import JudgeRun
from annotation.translation import gettext_lazy
from scoring.estimation.corrected import PRICE
from scoring.estimation.replacement import EPSILON
from scoring.figures.scale import NARROW, WIDE, Scale, Tick, nice_ticks, shorten

STEP = 30
# The estimate stands above a system's line, people alone beneath it.
APART = 5
ROOM, NARROW_ROOM = 240, 118


@dataclass(frozen=True, slots=True)
class Interval:
    x: float
    x1: float
    x2: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A system: its estimate, people alone, and where the judge alone puts it."""

    row: Mapping[str, Any]
    label: str
    y: float
    both: Interval
    people: Interval
    judge: float


@dataclass(frozen=True, slots=True)
class EstimateChart:
    width: int
    height: int
    left: int
    right: int
    base: float
    lines: list[Line]
    ticks: list[Tick]


def draw_estimates(rows: Sequence[Mapping[str, Any]], width: int = WIDE) -> EstimateChart | None:
    """A line a system, the best on top."""
    if not rows:
        return None
    names = ("low", "high", "people_low", "people_high", "judge")
    shown = [row[name] for row in rows for name in names]
    most = max(len(row["system"]) for row in rows)
    left = min(ROOM if width >= WIDE else NARROW_ROOM, int(most * LETTER) + 24)
    right = width - 18
    lowest, highest = min(shown), max(shown)
    scale = Scale(lowest, highest if highest > lowest else lowest + 0.01, left, right)
    labels = shorten([row["system"] for row in rows], int((left - 16) / LETTER))
    base = TOP + STEP * len(rows)
    return EstimateChart(
        width=width,
        height=base + FOOT,
        left=left,
        right=right,
        base=base,
        lines=[
            _line(row, TOP + STEP * (place + 0.5), scale, labels[place])
            for place, row in enumerate(rows)
        ],
        ticks=[
            Tick(scale.at(value), f"{value:g}")
            for value in nice_ticks(lowest, highest, 6 if width >= WIDE else 4)
        ],
    )


def _line(row: Mapping[str, Any], y: float, scale: Scale, label: str) -> Line:
    return Line(
        row,
        label,
        y,
        _interval(row["value"], row["low"], row["high"], y - APART, scale),
        _interval(row["people"], row["people_low"], row["people_high"], y + APART, scale),
        scale.at(row["judge"]),
    )


def _interval(value: float, low: float, high: float, y: float, scale: Scale) -> Interval:
    return Interval(scale.at(value), scale.at(low), scale.at(high), y)


LINES = forms.Textarea(attrs={"rows": 4, "spellcheck": "false"})


class EstimateForm(Sources):
    source = forms.ChoiceField(
        label=gettext_lazy("People’s labels"),
        help_text=gettext_lazy("Of some examples; at least 3 for each system."),
    )
    run = forms.ModelChoiceField(
        JudgeRun.objects.none(),
        label=gettext_lazy("Judge run"),
        empty_label=None,
        help_text=gettext_lazy("A run over the same units and all examples."),
    )
    chosen = forms.ChoiceField(
        choices=Chosen.choices,
        widget=forms.RadioSelect,
        label=gettext_lazy("How were the human-judged examples chosen?"),
    )
    probabilities = forms.CharField(
        required=False,
        widget=LINES,
        label=gettext_lazy("Ranker’s probabilities"),
        help_text=gettext_lazy(
            "One line per judged example: ID, comma, inclusion probability (0 to 1)."
        ),
    )
    audit = forms.CharField(
        required=False,
        widget=LINES,
        label=gettext_lazy("Or audit slice"),
        help_text=gettext_lazy(
            "IDs of judged examples that were drawn at random from those that the ranker didn’t "
            "choose."
        ),
    )
    by = forms.ChoiceField(
        choices=CountBy.choices, initial=CountBy.EXAMPLES, label=gettext_lazy("Weighting")
    )
    target = forms.ChoiceField(
        choices=Target.choices, initial=Target.DOCUMENTS, label=gettext_lazy("Target")
    )

    epsilon = forms.FloatField(
        min_value=0,
        max_value=0.99,
        required=False,
        initial=EPSILON,
        label=gettext_lazy("Margin ε"),
        help_text=gettext_lazy(
            "How much less often than a person the judge may win: 0.1 for crowd workers, 0.15 for "
            "trained annotators, 0.2 for experts."
        ),
    )
    price = forms.FloatField(
        min_value=0.001,
        required=False,
        initial=PRICE,
        label=gettext_lazy("Cost ratio"),
        help_text=gettext_lazy(
            "Cost of labelling an example by people, relative to judging it with the judge (model)."
        ),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer_labels("source", project)
        self.offer_sets("run", list_ready_runs(project))

    def clean_probabilities(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for number, line in enumerate(self.cleaned_data["probabilities"].splitlines(), 1):
            if line.strip():
                example, comma, said = line.rpartition(",")
                found[example.strip()] = self._chance(said, number, comma)
        return found

    def _chance(self, said: str, number: int, comma: str) -> float:
        try:
            value = float(said) if comma else -1.0
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise forms.ValidationError(
                _(
                    "Line {number}: expected an example ID, a comma and a number from 0 to 1."
                ).format(number=number)
            )
        return value

    def clean_audit(self) -> list[str]:
        lines = (line.strip() for line in self.cleaned_data["audit"].splitlines())
        return [line for line in lines if line]

    def arguments(self) -> dict[str, Any]:
        """As `estimate_scores` takes them; what a ranker alone needs is left out for others."""
        data = dict(self.cleaned_data)
        if data["chosen"] != Chosen.RANKER:
            data["probabilities"], data["audit"] = {}, []
        given = {name: value for name, value in data.items() if value is not None}
        return {"label_set": self.by_value[given.pop("source")], **given}


MOST_ROWS = 200
MOST_PAIRS = 400


@project_view()
@require_safe
def estimates(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_estimates(access.project)[:MOST_ROWS])
    is_moving = any(row.is_moving for row in rows)
    names = list_study_judges(access.project)
    context = project_context(
        access,
        "estimates",
        rows=rows,
        judge_names=names,
        is_moving=is_moving,
        **_needs(access),
    )
    return render(request, "evaluation/estimates.html", context)


def _needs(access: ProjectAccess) -> dict[str, bool]:
    """What estimates are made of."""
    return {
        "has_labels": list_ready_labels(access.project).exists(),
        "has_runs": list_ready_runs(access.project).exists(),
    }


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def estimate_scores(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    asked = {name: request.GET[name] for name in ("source", "run") if name in request.GET}
    form = EstimateForm(project, sent(request), initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            made = service.estimate_scores(
                project=project, user=user_of(request), **form.arguments()
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:estimate", project.slug, made.pk)
    context = project_context(access, "estimates", form=form, **_needs(access))
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/estimate_scores.html", context, status=status)


@project_view()
@require_safe
def estimate(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_estimate(access.project, pk)
    names = list_study_judges(access.project)
    context = project_context(
        access, "estimates", estimate=found, judge_names=names, **job_context(access, found)
    )
    if found.is_ready:
        context |= _shown(found)
    return render(request, "evaluation/estimate.html", context)


def _shown(estimate: ScoreEstimate) -> dict[str, Any]:
    rows, pairs = list_rows(estimate), list_pairs(estimate)
    annotators = estimate.found.get("replacement", {}).get("annotators", [])
    saved = sum(row["saved"] for row in rows) / len(rows)
    return {
        "learned": read_learned_sources(estimate.sources, [estimate.run]),
        "rows": rows,
        "pairs": pairs[:MOST_PAIRS],
        "more_pairs": max(len(pairs) - MOST_PAIRS, 0),
        "apart": count_apart(estimate),
        "charts": [draw_estimates(rows, width) for width in (WIDE, NARROW)],
        "annotators": annotators[:MOST_ROWS],
        "more_annotators": max(len(annotators) - MOST_ROWS, 0),
        "saved": saved,
        "saved_labels": saved * estimate.found["labels"] * len(rows),
        "narrower": _narrower(rows),
    }


def _narrower(rows: list[dict[str, Any]]) -> float | None:
    """The mean width of intervals, as a share of people's alone."""
    alone = sum(row["people_high"] - row["people_low"] for row in rows)
    return sum(row["high"] - row["low"] for row in rows) / alone if alone else None


@project_view()
@require_safe
def estimate_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    found = get_ready_estimate(access.project, pk)
    return csv_response(stream_scores(found), f"estimate-{pk}.csv")


@project_view()
@require_safe
def estimate_pairs_csv(
    request: HttpRequest, access: ProjectAccess, pk: int
) -> StreamingHttpResponse:
    found = get_ready_estimate(access.project, pk)
    return csv_response(stream_pairs(found), f"estimate-{pk}-pairs.csv")


@project_view(Role.EDITOR)
@require_POST
def delete_estimate(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_estimate(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    service.delete_estimate(estimate=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:estimates", access.project.slug)
