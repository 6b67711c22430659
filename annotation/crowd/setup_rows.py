"""Rows of a campaign's setup: worked examples, practice and attention items."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory

from annotation.translation import gettext_lazy

ANSWERS = [("present", gettext_lazy("Present")), ("absent", gettext_lazy("Not present"))]
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
    why = forms.CharField(required=False, label=gettext_lazy("Explanation"))


class GoldForm(forms.Form):
    """A statement whose answer is known; of one example or system only, if it names them."""

    text = forms.CharField(max_length=1000, label=gettext_lazy("Statement"))
    answer = forms.ChoiceField(
        choices=ANSWERS, initial="present", label=gettext_lazy("Correct answer")
    )
    example = forms.CharField(required=False, label=gettext_lazy("Only for example"))
    system = forms.CharField(required=False, label=gettext_lazy("Only for system"))


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
