"""A qualification test as people fill it in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory

from annotation.crowd.fields import SpanField
from annotation.crowd.services.qualification_tests import MOST_ITEMS, KnownTest, QualificationItem
from annotation.crowd.setup_rows import ANSWERS, area, read_rows
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy


class PassMarkField(forms.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            min_value=1, max_value=100, initial=80, label=_("Pass mark (% correct)"), **options
        )


class QualificationTestForm(forms.Form):
    name = forms.CharField(
        max_length=200, help_text=gettext_lazy("Workers see it next to the requirement.")
    )
    description = forms.CharField(
        max_length=2000,
        widget=area(2),
        initial=gettext_lazy("A few statements about short summaries, like those in the HITs."),
    )
    pass_mark = PassMarkField()
    seconds = SpanField(label=gettext_lazy("Time for the test"), initial=600)
    retry_seconds = SpanField(
        required=False,
        label=gettext_lazy("Can be retaken after"),
        help_text=gettext_lazy("Empty: no second attempt."),
    )


class ItemForm(forms.Form):
    summary = forms.CharField(max_length=4000, widget=area(2))
    statement = forms.CharField(max_length=1000)
    answer = forms.ChoiceField(
        choices=ANSWERS, initial="present", label=gettext_lazy("Correct answer")
    )


ItemRows = formset_factory(
    ItemForm, extra=1, can_delete=True, absolute_max=2 * MOST_ITEMS, max_num=MOST_ITEMS
)


def read_items(rows: BaseFormSet[Any]) -> list[QualificationItem]:
    return [
        QualificationItem(row["summary"], row["statement"], row["answer"] == "present")
        for row in read_rows(rows)
    ]


class KnownTestForm(forms.Form):
    """A test that exists already."""

    type_id = forms.ChoiceField(label=gettext_lazy("Test"))
    pass_mark = PassMarkField()

    def __init__(self, tests: list[KnownTest], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["type_id"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(test.type_id, test.name) for test in tests]
