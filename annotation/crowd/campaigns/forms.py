"""Form fields of the crowd: lengths of time as people write them, dollars, countries.

- Forms about campaigns, except their setup.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.live import list_examples_left, list_systems_left
from annotation.crowd.campaigns.models import Campaign, Outcome, ProviderName
from annotation.crowd.campaigns.presets import PRESETS, country_codes
from annotation.crowd.campaigns.recollecting import Missing
from annotation.crowd.offline.service import list_frozen_sets
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet

UNITS = {"d": 86_400, "h": 3600, "min": 60, "s": 1}
_NAMES = {"day": "d", "days": "d", "hour": "h", "hours": "h", "hr": "h", "m": "min"}
_NAMES |= {"minute": "min", "minutes": "min", "mins": "min", "sec": "s", "second": "s"}
_NAMES |= {"seconds": "s", **{name: name for name in UNITS}}
_SPAN = re.compile(r"\s*(\d{1,9})\s*([a-z]+)\s*")


class SpanField(forms.CharField):
    """A length of time such as `7 d`, `90 min` or `45 s`, in seconds."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if text in self.empty_values:
            return None
        found = _SPAN.fullmatch(str(text).lower())
        unit = _NAMES.get(found[2]) if found else None
        if found is None or unit is None:
            raise ValidationError(
                _("Enter a time such as 7 d, 3 h, 90 min or 45 s, not {text!r}.").format(text=text)
            )
        return int(found[1]) * UNITS[unit]

    def prepare_value(self, value: Any) -> Any:
        """The largest unit that leaves no rest, so that nothing is lost by saving."""
        if not isinstance(value, int):
            return value
        unit = next(name for name, length in UNITS.items() if value % length == 0)
        return f"{value // UNITS[unit]} {unit}" if value else _("0 min")


class DollarField(forms.DecimalField):
    """Whole cents; what is stored finer is shown without its trailing zeros."""

    def __init__(self, **options: Any) -> None:
        options = {"min_value": 0, "max_digits": 10, "decimal_places": 2, **options}
        super().__init__(**options)

    def prepare_value(self, value: Any) -> Any:
        return f"{value:.2f}" if isinstance(value, Decimal) else value


class CountryField(forms.CharField):
    """Countries by their two letters, as a list."""

    def to_python(self, value: Any) -> Any:
        codes = re.split(r"[\s,;]+", str(value or "").upper().strip())
        wrong = [code for code in codes if code and code not in country_codes()]
        if wrong:
            raise ValidationError(
                _("'{wrong}' is not an ISO 3166 country code, such as US or GB.").format(
                    wrong=wrong[0]
                )
            )
        return [code for code in codes if code]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value


class KeysField(forms.CharField):
    """Names one a line, as a list without repetitions."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> Any:
        lines = (line.strip() for line in str(value or "").splitlines())
        return list(dict.fromkeys(line for line in lines if line))

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value


class NewCampaignForm(forms.Form):
    name = forms.CharField(max_length=120, help_text=gettext_lazy("For example: First round."))
    unit_set = forms.ModelChoiceField(
        UnitSet.objects.none(),
        label=gettext_lazy("Unit set"),
        empty_label=None,
        help_text=gettext_lazy("The units that workers judge."),
    )
    provider = forms.ChoiceField(
        choices=ProviderName.choices,
        required=False,
        label=gettext_lazy("Provider"),
        help_text=gettext_lazy("The preset is adapted to the provider."),
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
        label=gettext_lazy("More assignments per HIT"),
    )
    systems = forms.MultipleChoiceField(
        required=False, label=gettext_lazy("More systems"), widget=forms.CheckboxSelectMultiple
    )

    examples = KeysField(
        required=False,
        label=gettext_lazy("More examples"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Example IDs, one per line."),
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
            raise forms.ValidationError(
                _("'{strange}' has no units or is already in the campaign.").format(
                    strange=strange[0]
                )
            )
        return [self.examples_left[key] for key in keys]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        data["additional"] = data.get("additional") or 0
        data["systems"] = [int(pk) for pk in data.get("systems", [])]
        if not self.errors and not (data["additional"] or data["systems"] or data["examples"]):
            self.add_error("additional", _("Enter a number, or choose a system or an example."))
        return data


class RecollectForm(forms.Form):
    """Which assignments to re-collect."""

    rejected = forms.BooleanField(required=False)
    dropped = forms.BooleanField(required=False)

    def __init__(self, missing: Missing, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rejected"].label = ngettext(
            "{number:,} assignment that was rejected",
            "{number:,} assignments that were rejected",
            missing.rejected,
        ).format(number=missing.rejected)
        self.fields["dropped"].label = ngettext(
            "{number:,} assignment that was excluded from the labels",
            "{number:,} assignments that were excluded from the labels",
            missing.dropped,
        ).format(number=missing.dropped)
        for name in ("rejected", "dropped"):
            number = getattr(missing, name)
            self.fields[name].initial = bool(number)
            self.fields[name].disabled = not number

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not (data.get("rejected") or data.get("dropped")):
            self.add_error(None, _("Choose which assignments to re-collect."))
        return data


class DecisionForm(forms.Form):
    """What to do with which assignments: those that are ticked, or those that a rule picks."""

    action = forms.ChoiceField(
        choices=[
            ("approve", gettext_lazy("Approve and pay")),
            ("reject", gettext_lazy("Reject")),
            ("bonus", gettext_lazy("Pay bonus")),
            ("override", gettext_lazy("Overturn the rejection and pay")),
        ]
    )
    rule = forms.CharField(required=False, max_length=10)
    text = forms.CharField(
        required=False,
        max_length=1024,
        label=gettext_lazy("Message to the worker"),
        help_text=gettext_lazy("Required for rejections and bonuses."),
    )
    amount = DollarField(required=False, max_value=1000, label=gettext_lazy("Bonus ($)"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        needs_text = data.get("action") in ("reject", "bonus")
        if needs_text and not str(data.get("text", "")).strip():
            self.add_error("text", _("Enter a message with the reason. The worker sees it."))
        if data.get("action") == "bonus" and not data.get("amount"):
            self.add_error("amount", _("Enter an amount."))
        return data


class ExclusionForm(forms.Form):
    reason = forms.CharField(
        max_length=300,
        help_text=gettext_lazy("Only project members see it. The worker isn’t notified."),
    )


class MessageForm(forms.Form):
    subject = forms.CharField(max_length=200)
    text = forms.CharField(max_length=4096, widget=forms.Textarea(attrs={"rows": 4}))


class SettlementForm(forms.Form):
    outcome = forms.ChoiceField(choices=Outcome.choices)
    note = forms.CharField(required=False, max_length=200)
