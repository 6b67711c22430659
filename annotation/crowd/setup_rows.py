"""Rows of a campaign's setup: worked examples, practice and attention items."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory

ANSWERS = [("present", "Present"), ("absent", "Not present")]
# More attention items than this are a file's business: they are shown as a number and stay.
MOST_ROWS = 100


def area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


class WorkedForm(forms.Form):
    """A worked example, or a practice item that says at once what is right."""

    summary = forms.CharField(widget=area(2))
    statement = forms.CharField()
    # An empty row sends the first answer all the same; as the initial one it counts as empty.
    answer = forms.ChoiceField(choices=ANSWERS, initial="present")
    why = forms.CharField(required=False, label="Explanation")


class GoldForm(forms.Form):
    """A statement whose answer is known; of one example or system only, if it names them."""

    text = forms.CharField(max_length=1000, label="Statement")
    answer = forms.ChoiceField(choices=ANSWERS, initial="present", label="Correct answer")
    example = forms.CharField(required=False, label="Only for example")
    system = forms.CharField(required=False, label="Only for system")


def read_rows(rows: BaseFormSet[Any]) -> list[dict[str, Any]]:
    """What was filled in; empty rows are left out, ticked ones go."""
    return [
        {name: value for name, value in form.cleaned_data.items() if name != "DELETE"}
        for form in rows.forms
        if form.cleaned_data and not form.cleaned_data.get("DELETE")
    ]


WorkedRows = formset_factory(WorkedForm, extra=1, can_delete=True, absolute_max=40, max_num=20)
GoldRows = formset_factory(
    GoldForm, extra=1, can_delete=True, absolute_max=200, max_num=MOST_ROWS + 1
)
