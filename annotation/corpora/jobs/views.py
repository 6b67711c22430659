"""Jobs: what is running, how far it is, what it said, stop it, try it again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.jobs import kinds, service
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.queries import get_origin, get_subject, list_outcome
from annotation.corpora.projects.access import project_context, project_view
from annotation.corpora.projects.models import Role


@project_view()
@require_safe
def jobs(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(access.project.jobs.select_related("created_by")[:100])
    active = any(not row.is_over for row in rows)
    return render(
        request, "corpora/job_list.html", project_context(access, "jobs", jobs=rows, active=active)
    )


@project_view()
@require_safe
def job(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = _get(access, pk)
    is_stoppable = kinds.can_cancel(found) and not (found.is_over or found.cancel_requested)
    subject = get_subject(found)
    context = project_context(
        access,
        "jobs",
        job=found,
        lines=found.lines.all(),
        can_cancel=access.can_edit and is_stoppable,
        can_retry=access.allows(kinds.least_role(found)) and found.state == JobState.FAILED,
        subject=subject,
        outcome=list_outcome(found),
        origin=get_origin(found),
    )
    return render(request, "corpora/job.html", context)


@project_view(Role.EDITOR)
@require_POST
def cancel_job(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    service.cancel_job(job=_get(access, pk))
    messages.success(request, _("The job will stop after its current step."))
    return redirect("corpora:job", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def retry_job(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = _get(access, pk)
    access.require(kinds.least_role(found))
    service.retry_job(job=found, user=access.user)
    messages.success(request, _("The job continues from its last step."))
    return redirect("corpora:job", access.project.slug, pk)


def _get(access: ProjectAccess, pk: int) -> Job:
    return get_object_or_404(access.project.jobs.select_related("created_by", "project"), pk=pk)
