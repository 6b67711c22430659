"""What people fill in to draw a sample, and to draft a campaign about it."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.corpora.models import Project
from annotation.crowd.presets import PRESETS
from annotation.evaluation.models import Sample
from annotation.evaluation.selectors.samples import list_unit_sets
from annotation.evaluation.selectors.score_sources import list_score_sources
from annotation.evaluation.services.samples import (
    LEAST_DRAWS,
    MOST_BINS,
    MOST_DRAWS,
    MOST_PER_BIN,
    MOST_SEED,
)
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import UnitSet
from scoring.inclusion import AUTO, EXACT, MONTE_CARLO
from scoring.sampling import BINS, DRAWS, PER_BIN

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
