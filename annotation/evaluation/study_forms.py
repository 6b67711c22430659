"""What people fill in to begin several metrics at once, or a study of robustness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.corpora.models import Project
from annotation.evaluation.selectors.metric_choices import MetricChoice
from annotation.evaluation.services.robustness import (
    MOST_EXAMPLES,
    MOST_SEED,
    USUAL,
    USUAL_SHARES,
)
from annotation.evaluation.services.score_sets import list_systems
from annotation.translation import format_lazy, gettext_lazy
from annotation.translation import gettext as _
from scoring.metrics.perturbations import PERTURBATIONS, SYNONYMS

USUAL_WORDS = ", ".join(f"{100 * share:g}" for share in USUAL_SHARES)


class ManyMetricsForm(forms.Form):
    """Metrics that can be computed here, and which systems they are to score."""

    metrics = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one metric.")},
    )
    systems = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these systems"),
    )
    note = forms.CharField(required=False, max_length=300)

    def __init__(
        self, project: Project, choices: Sequence[MetricChoice], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.choices = list(choices)
        offered = [row.name for row in choices if not row.lack]
        for name, known in (("metrics", offered), ("systems", list_systems(project))):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(value, value) for value in known]

    def arguments(self) -> dict[str, Any]:
        """As `score_metrics` takes them."""
        return {name: self.cleaned_data[name] for name in ("metrics", "systems", "note")}


class RobustnessForm(ManyMetricsForm):
    perturbation = forms.ChoiceField(
        choices=[
            (
                row.name,
                format_lazy(gettext_lazy("{words} (keeps the meaning)"), words=row.words)
                if row.keeps_meaning
                else format_lazy(gettext_lazy("{words} (changes the meaning)"), words=row.words),
            )
            for row in PERTURBATIONS.values()
        ],
        initial=SYNONYMS,
        required=False,
        label=gettext_lazy("Perturbation"),
    )
    shares = forms.CharField(
        initial=USUAL_WORDS,
        max_length=100,
        label=gettext_lazy("Share changed (%)"),
        help_text=gettext_lazy(
            "Percentages of words, sentences, names or numbers, separated by commas."
        ),
    )
    examples = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_EXAMPLES,
        help_text=gettext_lazy("Number of examples, drawn at random. Leave empty for all."),
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED, initial=0)

    def __init__(
        self, project: Project, choices: Sequence[MetricChoice], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(project, choices, *args, **kwargs)
        self.fields["metrics"].initial = list(USUAL)

    @property
    def options(self) -> list[forms.BoundField]:
        return [self[name] for name in ("perturbation", "shares", "examples", "seed", "note")]

    def clean_shares(self) -> list[float]:
        try:
            parts = [part.strip(" %") for part in self.cleaned_data["shares"].split(",")]
            return [float(part) / 100 for part in parts if part]
        except ValueError:
            raise forms.ValidationError(
                _("Enter percentages separated by commas, such as 10, 20.")
            ) from None

    def arguments(self) -> dict[str, Any]:
        """As `study_robustness` takes them."""
        data = self.cleaned_data
        rest = {name: data[name] for name in ("shares", "seed")}
        rest |= {"perturbation": data["perturbation"] or SYNONYMS}
        return {**super().arguments(), **rest, "examples": data["examples"] or 0}
