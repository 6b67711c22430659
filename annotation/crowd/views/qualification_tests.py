"""A qualification test for a draft: made by a form, or one that exists already."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.views.access import project_context, project_view, sent, user_of
from annotation.crowd import services
from annotation.crowd.qualification_forms import (
    ItemRows,
    KnownTestForm,
    QualificationTestForm,
    read_items,
)
from annotation.crowd.selectors import campaigns as selectors
from annotation.errors import DomainError
from annotation.translation import gettext as _


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def qualification_test(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    tests = services.list_tests(campaign)
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
                    services.require_test(
                        campaign=campaign, user=user_of(request), **known.cleaned_data
                    )
                else:
                    services.create_qualification_test(
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
