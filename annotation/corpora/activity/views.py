"""What was done in a project, to look through and to take along.

For editors and owners, who answer for the study: a record of every person's acts that can be
searched is a means of supervision, and not for everybody's eyes. All members see the latest acts on
the overview.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import ProjectAccess
from annotation.corpora.activity import queries
from annotation.corpora.activity.models import Verb
from annotation.corpora.corpus.views import activity_response
from annotation.corpora.projects.access import project_context, project_view
from annotation.corpora.projects.models import Role
from annotation.errors import Invalid


@project_view(Role.EDITOR)
@require_safe
def activity(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    asked = queries.read_filter(request.GET.dict())
    rows = queries.list_activity(access.project, asked)
    page = queries.page_activity(rows, read_before(request.GET.get("before", "")))
    context = project_context(
        access,
        "activity",
        asked=asked,
        rows=queries.add_links(access.project, page.rows),
        older=urlencode(asked.as_query() | {"before": str(page.before)}) if page.before else "",
        newest=urlencode(asked.as_query()) if request.GET.get("before") else "",
        is_later="before" in request.GET,
        query=urlencode(asked.as_query()),
        people=queries.list_people(access.project),
        program=queries.PROGRAM,
        verbs=Verb.choices,
        kinds=queries.list_target_kinds(access.project),
        formats=queries.FORMATS,
    )
    is_part = request.headers.get("HX-Target") == "activity-rows"
    name = "corpora/_activity_rows.html" if is_part else "corpora/activity.html"
    return render(request, name, context)


def read_before(value: str) -> int | None:
    """The id that a page goes on before."""
    if not value:
        return None
    if not (value.isascii() and value.isdecimal() and 0 < len(value) <= 18):
        raise Invalid(
            _("before: '{value}' is not an ID.").format(value=value[:40]),
            _("Use the links of the list."),
        )
    return int(value)


@project_view(Role.EDITOR)
@require_safe
def download_activity(
    request: HttpRequest, access: ProjectAccess, format: str
) -> StreamingHttpResponse:
    asked = queries.read_filter(request.GET.dict())
    return activity_response(access.project, asked, format)
