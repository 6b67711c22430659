"""What people fill in about labels, decisions and gold versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict

from annotation.corpora.forms import ManyFilesField, ProjectForm
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.offline.service import list_frozen_sets
from annotation.evaluation.gold.models import WorkerNames
from annotation.evaluation.labels.models import Verdict
from annotation.evaluation.labels.wording import TIE_NAMES, VOTE_NAMES
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from scoring.aggregation import TIES, VOTES, FilterStep, Recipe, default_options

MAX_SEED = 2**31 - 1


def _threshold(label: str, most: float, step: float, unit: str, **more: Any) -> forms.FloatField:
    """A number next to which a script puts a slider."""
    widget = forms.NumberInput(attrs={"step": step, "data-slider": "", "inputmode": "decimal"})
    field = forms.FloatField(label=label, min_value=0, max_value=most, widget=widget, **more)
    field.unit = unit  # type: ignore[attr-defined]
    return field


class WhatIfForm(forms.Form):
    """A recipe as the parameters of an address; what is left out of it is as by default."""

    campaign = forms.ModelMultipleChoiceField(
        Campaign.objects.none(),
        required=False,
        label=gettext_lazy("Campaigns"),
        widget=forms.CheckboxSelectMultiple,
    )
    gold = forms.BooleanField(required=False, label=gettext_lazy("Attention items missed"))
    min_right = _threshold(gettext_lazy("Minimum correct"), 100, 5, "%")
    fast = forms.BooleanField(required=False, label=gettext_lazy("Too fast"))
    min_seconds = _threshold(gettext_lazy("Minimum per statement"), 30, 0.5, "s")
    straight = forms.BooleanField(required=False, label="Straight-lining")
    min_statements = _threshold(gettext_lazy("Minimum statements"), 50, 1, "")
    worker = forms.BooleanField(required=False, label=gettext_lazy("Noisy workers"))
    min_hits = _threshold(gettext_lazy("Minimum HITs"), 500, 1, "")
    max_disagreement = _threshold(
        gettext_lazy("Maximum disagreement with the majority"), 100, 1, "%"
    )
    summary = forms.BooleanField(
        required=False, label=gettext_lazy("Noisiest assignment per summary")
    )
    vote = forms.ChoiceField(
        choices=[(name, VOTE_NAMES[name]) for name in VOTES], label=gettext_lazy("Method")
    )
    tie = forms.ChoiceField(
        choices=[(name, TIE_NAMES[name]) for name in TIES], label=gettext_lazy("Ties")
    )
    seed = forms.IntegerField(min_value=0, max_value=MAX_SEED, label=gettext_lazy("Seed"))

    def __init__(self, campaigns: list[Campaign], query: QueryDict) -> None:
        super().__init__(_with_defaults(query))
        field = self.fields["campaign"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = Campaign.objects.filter(pk__in=[row.pk for row in campaigns])

    def recipe(self) -> Recipe:
        """Rules about one assignment go before rules that need everybody's answers."""
        data = self.cleaned_data
        steps = {
            "gold": {"min_right": data["min_right"] / 100} if data["gold"] else None,
            "fast": {"min_seconds": data["min_seconds"]} if data["fast"] else None,
            "straight-lining": {"min_statements": data["min_statements"]}
            if data["straight"]
            else None,
            "per-worker": {
                "min_hits": data["min_hits"],
                "max_disagreement": data["max_disagreement"] / 100,
            }
            if data["worker"]
            else None,
            "per-summary": {} if data["summary"] else None,
        }
        filters = [FilterStep(name, given) for name, given in steps.items() if given is not None]
        return Recipe(tuple(filters), vote=data["vote"], tie=data["tie"], seed=data["seed"])


def default_parameters() -> dict[str, str]:
    worker = default_options("per-worker")
    return {
        "min_right": f"{100 * default_options('gold')['min_right']:g}",
        "min_seconds": f"{default_options('fast')['min_seconds']:g}",
        "min_statements": f"{default_options('straight-lining')['min_statements']:g}",
        "min_hits": f"{worker['min_hits']:g}",
        "max_disagreement": f"{100 * worker['max_disagreement']:g}",
        "vote": "majority",
        "tie": "absent",
        "seed": "0",
    }


def _with_defaults(query: QueryDict) -> QueryDict:
    filled = query.copy()
    for name, value in default_parameters().items():
        if name not in filled:
            filled[name] = value
    return filled


# The names of the fields that turn a rule on, and of those that hold its thresholds.
RULE_FIELDS: Mapping[str, tuple[str, ...]] = {
    "gold": ("min_right",),
    "fast": ("min_seconds",),
    "straight": ("min_statements",),
    "worker": ("min_hits", "max_disagreement"),
    "summary": (),
}


class NoteForm(forms.Form):
    note = forms.CharField(required=False, max_length=300)


class VerdictForm(forms.Form):
    verdict = forms.ChoiceField(choices=Verdict.choices)
    reason = forms.CharField(
        max_length=300, help_text=gettext_lazy("Shown with the labels it changes.")
    )


class LabelImportForm(forms.Form):
    unit_set = forms.ModelChoiceField(
        UnitSet.objects.none(), label=gettext_lazy("Unit set"), empty_label=None
    )
    files = ManyFilesField(  # type: ignore[assignment]
        label=gettext_lazy("Label files"),
        required=False,
        allow_empty_file=True,
        help_text=gettext_lazy("One system.label file per system, or a ZIP archive of them."),
    )
    # Of a button: the files that were checked before, and are still here.
    anyway = forms.CharField(required=False, max_length=36)

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["unit_set"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = list_frozen_sets(project)


class GoldForm(forms.Form):
    name = forms.CharField(
        max_length=80,
        help_text=gettext_lazy("Name of the dataset. An existing name gets a new version."),
    )
    description = forms.CharField(
        required=False, max_length=4000, widget=forms.Textarea(attrs={"rows": 4})
    )
    licence = forms.CharField(
        required=False, max_length=80, help_text=gettext_lazy("For example, CC-BY-4.0.")
    )
    citation = forms.CharField(
        required=False,
        max_length=4000,
        help_text=gettext_lazy("BibTeX or plain text."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    worker_names = forms.ChoiceField(
        choices=WorkerNames.choices,
        initial=WorkerNames.PSEUDONYM,
        label=gettext_lazy("Worker names"),
        help_text=gettext_lazy(
            "An ID can identify a person. Publish IDs only if the workers agreed to it."
        ),
    )

    def __init__(self, *args: Any, can_name_workers: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not can_name_workers:
            del self.fields["worker_names"]


class GoldImportForm(ProjectForm):
    description = None  # type: ignore[assignment]  # The dataset brings its own.
    file = forms.FileField(
        label=gettext_lazy("gold.zip or gold.jsonl"),
        help_text=gettext_lazy("A gold version downloaded from Giza."),
    )
