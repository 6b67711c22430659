"""A qualification test as people fill it in.

- A qualification test for a draft: made by a form, or one that exists already.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.forms import BaseFormSet, formset_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns import qualification_tests, queries
from annotation.crowd.campaigns.forms import SpanField
from annotation.crowd.campaigns.forms_setup import ANSWERS, area, read_rows
from annotation.crowd.campaigns.qualification_tests import MOST_ITEMS, KnownTest, QualificationItem
from annotation.errors import DomainError
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


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def qualification_test(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = queries.get_campaign(access.project, pk)
    tests = qualification_tests.list_tests(campaign)
    is_known = "type_id" in request.POST
    known = KnownTestForm(tests, sent(request) if is_known else None, auto_id="known-%s")
    form = QualificationTestForm(None if is_known else sent(request))
    start = [] if request.method == "POST" else campaign.worked_examples
    items = ItemRows(None if is_known else sent(request), prefix="items", initial=start)
    if request.method == "POST":
        chosen: list[Any] = [known] if is_known else [form, items]
        # Each is asked, so that all faults show at once.
        faults = [part for part in chosen if not part.is_valid()]
        if not faults:
            try:
                if is_known:
                    qualification_tests.require_test(
                        campaign=campaign, user=user_of(request), **known.cleaned_data
                    )
                else:
                    qualification_tests.create_qualification_test(
                        campaign=campaign,
                        user=user_of(request),
                        items=read_items(items),
                        **form.cleaned_data,
                    )
            except DomainError as error:
                chosen[0].add_error(None, f"{error.message} {error.hint}".strip())
            else:
                messages.success(request, _("The campaign now requires the test."))
                return redirect("crowd:campaign", access.project.slug, pk)
    context = project_context(
        access, "crowd", campaign=campaign, form=form, items=items, tests=tests, known=known
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "crowd/campaigns/test.html", context, status=status)
