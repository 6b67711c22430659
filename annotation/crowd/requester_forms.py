"""What staff and owners of projects fill in about requesters."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from django import forms

from annotation.corpora.models import Project, User
from annotation.crowd.market import money
from annotation.crowd.selectors import requesters as selectors


class RequesterForm(forms.Form):
    name = forms.CharField(max_length=120, help_text="Workers see it next to the work.")
    project = forms.ModelChoiceField(
        queryset=Project.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label="No project",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "requester-%s", **kwargs})
        project = cast("forms.ModelChoiceField[Project]", self.fields["project"])
        project.queryset = selectors.list_projects_without(user)
        if not user.is_staff:
            project.required, project.empty_label = True, None


class LayoutForm(forms.Form):
    name = forms.CharField(max_length=120)
    html = forms.CharField(
        label="HTML",
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}),
        help_text="Placeholders are written ${name}. A page without a form gets one, with a "
        "Submit button.",
    )
    frame_height = forms.IntegerField(
        min_value=0,
        max_value=10_000,
        initial=0,
        label="Frame height in pixels",
        help_text="0 uses the whole window.",
    )


class DepositForm(forms.Form):
    amount = forms.DecimalField(
        min_value=Decimal("0.01"),
        max_value=money.MOST,
        decimal_places=2,
        label="Add to the budget, in US dollars",
        help_text="A record of what may be spent. No money is moved.",
    )
    note = forms.CharField(
        max_length=200,
        label="Where the money comes from",
        help_text="For instance: grant 4711, by bank transfer on 3 May.",
    )
    key = forms.UUIDField(widget=forms.HiddenInput)
