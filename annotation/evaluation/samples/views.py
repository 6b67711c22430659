"""A sample against its population, as the coordinates of an SVG that a template writes out.

- What people fill in to draw a sample, and to draft a campaign about it.
- Samples: the list, a new one, one against its population, and a draft campaign about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from numpy.typing import NDArray

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.campaigns.presets import PRESETS
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError
from annotation.evaluation.metrics.sources import list_score_sources
from annotation.evaluation.samples import service
from annotation.evaluation.samples.models import Sample
from annotation.evaluation.samples.queries import (
    SourcePopulation,
    get_sample,
    list_rows,
    list_samples,
    list_unit_sets,
    read_populations,
    stream_sample,
)
from annotation.evaluation.samples.service import (
    LEAST_DRAWS,
    MOST_BINS,
    MOST_DRAWS,
    MOST_PER_BIN,
    MOST_SEED,
)
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from scoring.figures.scale import NARROW, WIDE, Scale, Tick, nice_ticks
from scoring.inclusion import AUTO, EXACT, MONTE_CARLO
from scoring.sampling import BINS, DRAWS, PER_BIN

HEIGHT = 190
LEFT, RIGHT, HEAD, FOOT = 44, 16, 20, 40
INTERVALS, NARROW_INTERVALS = 24, 12
# What a bar leaves free on both sides.
GAP = 0.28


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval's share of the sample; `title` says it in words."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class DistributionChart:
    """`area` is the population's outline; `cuts` are where its bins meet."""

    width: int
    height: int
    left: int
    right: int
    top: int
    base: int
    area: str
    bars: list[Bar]
    cuts: list[float]
    across: list[Tick]
    up: list[Tick]


def draw_distribution(shown: SourcePopulation, width: int = WIDE) -> DistributionChart:
    """Mean scores from left to right; the share of examples from bottom to top."""
    is_wide = width >= WIDE
    lowest, highest = _range(shown.means)
    edges = np.linspace(lowest, highest, (INTERVALS if is_wide else NARROW_INTERVALS) + 1)
    whole, some = _share(shown.means, edges), _share(shown.means[shown.chosen], edges)
    right, base = width - RIGHT, HEIGHT - FOOT
    most = float(max(whole.max(), some.max())) or 1.0
    across, up = Scale(lowest, highest, LEFT, right), Scale(0, most, base, HEAD)
    return DistributionChart(
        width=width,
        height=HEIGHT,
        left=LEFT,
        right=right,
        top=HEAD,
        base=base,
        area=_outline(whole, edges, across, up, base),
        bars=[
            _bar(share, whole[place], edges[place : place + 2].tolist(), across, up, base)
            for place, share in enumerate(some)
            if share
        ],
        cuts=[across.at(cut) for cut in shown.cuts],
        across=[
            Tick(across.at(value), f"{value:g}")
            for value in nice_ticks(lowest, highest, 8 if is_wide else 4)
        ],
        up=[Tick(up.at(value), f"{100 * value:g} %") for value in nice_ticks(0, most, 3)],
    )


def _range(means: NDArray[np.float64]) -> tuple[float, float]:
    lowest, highest = float(means.min()), float(means.max())
    return (lowest, highest) if highest > lowest else (lowest - 0.5, highest + 0.5)


def _share(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    counts, __ = np.histogram(values, bins=edges)
    return np.asarray(counts / max(len(values), 1), dtype=np.float64)


def _outline(
    shares: NDArray[np.float64], edges: NDArray[np.float64], across: Scale, up: Scale, base: int
) -> str:
    points = [(across.at(float(edges[0])), float(base))]
    for place, share in enumerate(shares):
        y = up.at(float(share))
        points += [(across.at(float(edges[place])), y), (across.at(float(edges[place + 1])), y)]
    points.append((across.at(float(edges[-1])), float(base)))
    return " ".join(f"{x},{y}" for x, y in points)


def _bar(share: float, whole: float, ends: list[float], across: Scale, up: Scale, base: int) -> Bar:
    left, right = (across.at(end) for end in ends)
    room = (right - left) * GAP
    y = up.at(float(share))
    title = _(
        "{ends:.3f} to {ends_2:.3f}: {value:.1f} % of the sample, {value_2:.1f} % of the population"
    ).format(ends=ends[0], ends_2=ends[1], value=100 * share, value_2=100 * whole)
    wide = round(right - left - 2 * room, 1)
    return Bar(round(left + room, 1), y, wide, round(base - y, 1), title)


CHANCES = [
    (AUTO, gettext_lazy("Automatic: exact for one or two scores, otherwise Monte Carlo")),
    (EXACT, gettext_lazy("Exact (one or two scores only)")),
    (MONTE_CARLO, gettext_lazy("Monte Carlo")),
]


class SampleForm(forms.Form):
    sources = forms.MultipleChoiceField(
        label=gettext_lazy("Scores to stratify by"), widget=forms.CheckboxSelectMultiple
    )
    bins = forms.IntegerField(
        min_value=1,
        max_value=MOST_BINS,
        initial=BINS,
        help_text=gettext_lazy("Equal-sized groups of examples by difficulty."),
    )
    per_bin = forms.IntegerField(
        min_value=1,
        max_value=MOST_PER_BIN,
        initial=PER_BIN,
        label=gettext_lazy("Examples per bin"),
        help_text=gettext_lazy("Drawn for each score."),
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED, initial=0)
    chances = forms.ChoiceField(
        choices=CHANCES, initial=AUTO, label=gettext_lazy("Inclusion probabilities")
    )
    draws = forms.IntegerField(
        min_value=LEAST_DRAWS,
        max_value=MOST_DRAWS,
        initial=DRAWS,
        label=gettext_lazy("Monte Carlo draws"),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = list_score_sources(project)
        field = self.fields["sources"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(row.key, row.title) for row in self.known]

    @property
    def numbers(self) -> list[forms.BoundField]:
        return [self[name] for name in ("bins", "per_bin", "seed")]

    @property
    def advanced(self) -> list[forms.BoundField]:
        return [self[name] for name in ("chances", "draws")]


class DraftForm(forms.Form):
    """A campaign about the sampled examples; sets that have units of some of them."""

    name = forms.CharField(max_length=120, label=gettext_lazy("Campaign name"))
    unit_set = forms.ModelChoiceField(
        UnitSet.objects.none(),
        label=gettext_lazy("Unit set"),
        empty_label=None,
        help_text=gettext_lazy("The units to be judged."),
    )
    preset = forms.ChoiceField(
        choices=[(name, row.label) for name, row in PRESETS.items()], required=False
    )

    def __init__(self, sample: Sample, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.counts = list_unit_sets(sample)
        field = self.fields["unit_set"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = UnitSet.objects.filter(pk__in=[row.pk for row, __ in self.counts])
        size = sample.counts["drawn"]
        said = {
            row.pk: _("{row}: units of {count:,} of {size:,}").format(
                row=row, count=count, size=size
            )
            for row, count in self.counts
        }
        field.choices = [(row.pk, said[row.pk]) for row, __ in self.counts]


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
            made = service.sample_examples(
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
            made = service.draft_campaign(sample=found, user=user_of(request), **form.cleaned_data)
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
    service.delete_sample(sample=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:samples", access.project.slug)
