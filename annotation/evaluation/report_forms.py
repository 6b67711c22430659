"""What people fill in about a report."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.corpora.models import Project, System
from annotation.evaluation.models.reports import LONGEST_TITLE, MOST_METRICS
from annotation.evaluation.selectors.reports import SourceChoice, list_report_sources
from annotation.evaluation.selectors.score_sources import ScoreSource
from annotation.evaluation.services.reports import TITLE
from annotation.translation import format_lazy, gettext_lazy
from annotation.translation import gettext as _
from scoring.metaeval.report.options import MOST_RESAMPLES, MOST_SEED, RESAMPLES
from scoring.metaeval.study import EVERY, JUDGED

INPUT_WORDS = [
    (EVERY, gettext_lazy("Metrics: all examples; people: the examples they judged")),
    (JUDGED, gettext_lazy("Both: only the examples that people judged")),
]
GROUPS = {
    "judge": gettext_lazy("Judges"),
    "metric": gettext_lazy("Metrics"),
    "people": gettext_lazy("Other human labels"),
}


class ReportForm(forms.Form):
    title = forms.CharField(
        required=False,
        max_length=LONGEST_TITLE,
        help_text=format_lazy(gettext_lazy("Leave empty for “{title}”."), title=TITLE),
    )
    human = forms.ChoiceField(
        label=gettext_lazy("Human scores"),
        help_text=gettext_lazy("The scores that metrics are compared with."),
    )
    metrics = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Metrics"),
        error_messages={"required": gettext_lazy("Choose at least one metric.")},
    )
    systems = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these systems"),
    )
    inputs = forms.ChoiceField(
        choices=INPUT_WORDS, initial=EVERY, label=gettext_lazy("Examples to include")
    )
    resamples = forms.IntegerField(
        min_value=1,
        max_value=MOST_RESAMPLES,
        initial=RESAMPLES,
        help_text=gettext_lazy("Number of bootstrap resamples for intervals."),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MOST_SEED,
        initial=0,
        help_text=gettext_lazy("The same seed gives the same report."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sources: SourceChoice = list_report_sources(project)
        people, others = self.sources.people, self.sources.others
        self._offer("human", {"People": people, "Metrics and judges": others})
        self._offer("metrics", {"Metrics and judges": others, "People": people})
        systems = System.objects.live().filter(project=project).order_by("name")
        field = self.fields["systems"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(name, name) for name in systems.values_list("name", flat=True)]
        if "metrics" not in self.initial:
            human = self.initial.get("human") or next((row.key for row in people), "")
            self.initial["metrics"] = [row.key for row in self.sources.suggest_metrics(human)]

    @property
    def most_metrics(self) -> int:
        return MOST_METRICS

    def clean_metrics(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["metrics"]
        if len(chosen) > MOST_METRICS:
            raise forms.ValidationError(
                _("You chose {chosen} metrics. Choose at most {most_metrics}.").format(
                    chosen=len(chosen), most_metrics=MOST_METRICS
                )
            )
        return chosen

    def _offer(self, name: str, groups: dict[str, list[ScoreSource]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (words, [(source.key, f"{source.label} – {source.title}") for source in sources])
            for words, sources in groups.items()
            if sources
        ]

    @property
    def groups(self) -> list[tuple[str, list[ScoreSource]]]:
        """Metrics to choose, by kind; none of a kind that is not there."""
        rows = [*self.sources.others, *self.sources.people[1:]]
        found = [
            (words, [row for row in rows if row.kind == kind]) for kind, words in GROUPS.items()
        ]
        return [(words, listed) for words, listed in found if listed]

    @property
    def chosen(self) -> list[str]:
        value = self["metrics"].value()
        return list(value) if isinstance(value, list | tuple) else []

    @property
    def chosen_systems(self) -> list[str]:
        value = self["systems"].value()
        return list(value) if isinstance(value, list | tuple) else []
