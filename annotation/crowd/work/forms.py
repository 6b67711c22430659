"""What workers and the people who run the marketplace fill in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.corpora.forms import SignUpForm
from annotation.crowd.campaigns.presets import has_subdivision, list_countries, name_country
from annotation.translation import gettext_lazy

COUNTRY_HELP = gettext_lazy(
    "Some work is available only in certain countries. You can't change your country later."
)


class PlaceForm(forms.Form):
    country = forms.ChoiceField(
        choices=lambda: [("", _("Choose your country")), *list_countries()],
        help_text=COUNTRY_HELP,
        widget=forms.Select(attrs={"autocomplete": "country"}),
    )
    subdivision = forms.CharField(
        max_length=3,
        required=False,
        label=gettext_lazy("State or province"),
        help_text=gettext_lazy("Its code, such as CA for California."),
    )

    def clean_subdivision(self) -> str:
        code = str(self.cleaned_data["subdivision"]).upper()
        country = self.cleaned_data.get("country", "")
        if code and country and not has_subdivision(country, code):
            raise ValidationError(
                _("{name_country} has no state or province '{code}'.").format(
                    name_country=name_country(country), code=code
                )
            )
        return code


class JoinForm(PlaceForm):
    """For somebody who has an account."""

    consent = forms.BooleanField(
        label=gettext_lazy(
            "I am legally an adult where I live, and I agree that requesters can see my work and "
            "how long it took."
        )
    )


class WorkerSignUpForm(SignUpForm, JoinForm):
    """For somebody who has none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = _("Requesters never see your name, only your worker ID.")
        self.order_fields(["name", "email", "password", "country", "subdivision", "consent"])


class ContactForm(forms.Form):
    subject = forms.CharField(max_length=200)
    text = forms.CharField(max_length=4096, widget=forms.Textarea(attrs={"rows": 6}))


class TimeForm(forms.Form):
    seconds = forms.FloatField(min_value=0)


class PayoutForm(forms.Form):
    amount = forms.DecimalField(min_value=0, max_digits=12, decimal_places=4)
    key = forms.CharField(max_length=40)
    note = forms.CharField(max_length=200, required=False)


class WorkerInvitationForm(forms.Form):
    uses = forms.IntegerField(
        min_value=1, max_value=10_000, initial=1, label=gettext_lazy("Number of workers")
    )
    days = forms.IntegerField(
        min_value=1, max_value=365, initial=14, label=gettext_lazy("Valid for (days)")
    )
    note = forms.CharField(
        max_length=120, required=False, label=gettext_lazy("Who the link is for")
    )
