"""What people fill in about campaigns, but for their set-up."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.corpora.models import Project
from annotation.crowd.fields import DollarField, KeysField
from annotation.crowd.models import Campaign, Outcome, ProviderName
from annotation.crowd.presets import PRESETS
from annotation.crowd.selectors.offline import list_frozen_sets
from annotation.crowd.selectors.setup import list_examples_left
from annotation.crowd.services.planning import list_systems_left
from annotation.crowd.services.recollecting import Missing
from annotation.units.models import UnitSet
from annotation.wording import counted


class NewCampaignForm(forms.Form):
    name = forms.CharField(max_length=120, help_text="For instance: First round.")
    unit_set = forms.ModelChoiceField(
        UnitSet.objects.none(), label="Unit set", empty_label=None, help_text="What is judged."
    )
    provider = forms.ChoiceField(
        choices=ProviderName.choices,
        required=False,
        label="Where the crowd is",
        help_text="Settings to begin with are fitted to it.",
    )
    preset = forms.ChoiceField(choices=[(name, row.label) for name, row in PRESETS.items()])

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["unit_set"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = list_frozen_sets(project).order_by("-frozen_at", "-pk")

    def clean_provider(self) -> str:
        return self.cleaned_data["provider"] or ProviderName.MARKETPLACE


class ExtendForm(forms.Form):
    additional = forms.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        initial=1,
        label="More assignments of every HIT",
    )
    systems = forms.MultipleChoiceField(
        required=False, label="More systems", widget=forms.CheckboxSelectMultiple
    )

    examples = KeysField(
        required=False,
        label="More examples",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Their keys, one a line.",
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["systems"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(row.pk), row.name) for row in list_systems_left(campaign)]
        self.examples_left = list_examples_left(campaign)

    def clean_examples(self) -> list[int]:
        keys: list[str] = self.cleaned_data["examples"]
        if strange := [key for key in keys if key not in self.examples_left]:
            raise forms.ValidationError(f"'{strange[0]}' has no units, or is judged already.")
        return [self.examples_left[key] for key in keys]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        data["additional"] = data.get("additional") or 0
        data["systems"] = [int(pk) for pk in data.get("systems", [])]
        if not self.errors and not (data["additional"] or data["systems"] or data["examples"]):
            self.add_error("additional", "Say how many more, or choose a system or an example.")
        return data


class RecollectForm(forms.Form):
    """Which places to ask for again."""

    rejected = forms.BooleanField(required=False)
    dropped = forms.BooleanField(required=False)

    def __init__(self, missing: Missing, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, words in (("rejected", "rejected"), ("dropped", "left out of the labels")):
            number = getattr(missing, name)
            verb = "was" if number == 1 else "were"
            self.fields[name].label = f"{counted(number, 'assignment')} that {verb} {words}"
            self.fields[name].initial = bool(number)
            self.fields[name].disabled = not number

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not (data.get("rejected") or data.get("dropped")):
            self.add_error(None, "Choose which places to ask for again.")
        return data


class DecisionForm(forms.Form):
    """What to do with which assignments: those that are ticked, or those that a rule picks."""

    action = forms.ChoiceField(
        choices=[
            ("approve", "Approve and pay"),
            ("reject", "Reject"),
            ("bonus", "Pay a bonus"),
            ("override", "Turn a rejection around and pay"),
        ]
    )
    rule = forms.CharField(required=False, max_length=10)
    text = forms.CharField(
        required=False,
        max_length=1024,
        label="Words to the worker",
        help_text="A rejection and a bonus need a reason.",
    )
    amount = DollarField(required=False, max_value=1000, label="Bonus ($)")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        needs_text = data.get("action") in ("reject", "bonus")
        if needs_text and not str(data.get("text", "")).strip():
            self.add_error("text", "Say why: the worker reads it.")
        if data.get("action") == "bonus" and not data.get("amount"):
            self.add_error("amount", "Say how much.")
        return data


class ExclusionForm(forms.Form):
    reason = forms.CharField(max_length=300, help_text="Kept with the worker; nobody is told.")


class MessageForm(forms.Form):
    subject = forms.CharField(max_length=200)
    text = forms.CharField(max_length=4096, widget=forms.Textarea(attrs={"rows": 4}))


class SettlementForm(forms.Form):
    outcome = forms.ChoiceField(choices=Outcome.choices)
    note = forms.CharField(required=False, max_length=200)
