"""What people fill in to score summaries by a metric, or to bring scores in.

- What people fill in to begin several metrics at once, or a study of robustness.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import System
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.service import list_systems
from annotation.evaluation.metrics.sources import MetricChoice
from annotation.evaluation.robustness.service import MOST_EXAMPLES, MOST_SEED, USUAL, USUAL_SHARES
from annotation.translation import format_lazy, gettext_lazy
from scoring.metrics import METRICS, Option, list_options
from scoring.metrics.perturbations import PERTURBATIONS, SYNONYMS

PREFIX = "option_"


def make_field(option: Option) -> forms.Field:
    """A field for an option, by the type of its default."""
    said: dict[str, Any] = {
        "label": option.name.replace("_", " ").capitalize(),
        "initial": option.default,
        "help_text": f"{option.what[:1].upper()}{option.what[1:]}.",
    }
    if option.choices:
        return forms.ChoiceField(choices=[(value, value) for value in option.choices], **said)
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, **said)
    if isinstance(option.default, int):
        return forms.IntegerField(**said)
    if isinstance(option.default, float):
        return forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}), **said)
    return forms.CharField(required=False, max_length=200, **said)


class MetricForm(forms.Form):
    """The options of one metric, and which systems it is to score."""

    systems = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these systems"),
    )
    note = forms.CharField(required=False, max_length=300)

    def __init__(self, project: Project, metric: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entry = METRICS[metric]
        self.option_names = [option.name for option in list_options(metric)]
        for option in list_options(metric):
            self.fields[f"{PREFIX}{option.name}"] = make_field(option)
        rows = System.objects.live().filter(project=project, summary_count__gt=0).order_by("name")
        field = self.fields["systems"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, name) for name in rows.values_list("name", flat=True)]

    @property
    def options(self) -> list[forms.BoundField]:
        return [self[f"{PREFIX}{name}"] for name in self.option_names]

    def arguments(self) -> dict[str, Any]:
        """As `score_metric` takes them."""
        data = self.cleaned_data
        return {
            "metric": self.entry.name,
            "options": {name: data[f"{PREFIX}{name}"] for name in self.option_names},
            "systems": data["systems"],
            "note": data["note"],
        }


class ScoreImportForm(forms.Form):
    file = forms.FileField(
        allow_empty_file=True,
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "CSV, TSV, Excel or JSONL with one score per line, or SacreROUGE JSONL."
        ),
    )
    name = forms.CharField(
        required=False,
        max_length=100,
        help_text=gettext_lazy("Leave empty to use the file’s name."),
    )
    lower = forms.CharField(
        required=False,
        max_length=2000,
        label=gettext_lazy("Lower is better for"),
        help_text=gettext_lazy("Names of metrics, separated by commas."),
    )
    unflagged = forms.BooleanField(
        required=False,
        label=gettext_lazy("Skip flagged rows"),
        help_text=gettext_lazy(
            "Rows with a value in the column <code>flag</code>. Otherwise they are imported like "
            "all others. Either way, the page of the scores shows how many there are."
        ),
    )

    def arguments(self) -> dict[str, Any]:
        """As `import_uploaded_scores` takes them."""
        data = self.cleaned_data
        file = data["file"]
        named = (name.strip() for name in data["lower"].split(","))
        return {
            "files": [(file.name, file.chunks())],
            "name": data["name"],
            "lower": [name for name in named if name],
            "flagged": not data["unflagged"],
        }


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
