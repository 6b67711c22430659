"""The project list, the overview, settings and members.

- Pages that need no project.
"""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess, can_create_projects, require_project_creator
from annotation.corpora.forms import InvitationForm, ProjectForm, ProjectSettingsForm, RoleForm
from annotation.corpora.imports.uploads import get_project_usage
from annotation.corpora.projects import queries, service
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Membership, Role
from annotation.errors import DomainError, Invalid


@login_required
@require_safe
def projects(request: HttpRequest) -> HttpResponse:
    rows = list(queries.list_projects(user_of(request)))
    can_create = can_create_projects(user_of(request))
    home = None if rows or can_create else queries.find_home(user_of(request))
    if home:
        return redirect(home)
    for row in rows:
        row.my_role = Role(row.my_role).label  # type: ignore[attr-defined]
    return render(
        request, "corpora/project_list.html", {"projects": rows, "can_create": can_create}
    )


@login_required
@require_http_methods(["GET", "POST"])
def create_project(request: HttpRequest) -> HttpResponse:
    require_project_creator(user_of(request))
    form = ProjectForm(sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            project = service.create_project(user=user_of(request), **form.cleaned_data)
        except DomainError as error:
            form.add_error("slug", f"{error.message} {error.hint}")
        else:
            return redirect("corpora:project", project.slug)
    status = 422 if form.errors else 200
    return render(request, "corpora/project_form.html", {"form": form}, status=status)


@project_view()
@require_safe
def project(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    active_jobs = queries.list_active_jobs(access.project)
    if "HX-Request" in request.headers:
        # After the jobs: a page that looks again asks no more once they are over.
        access.project.refresh_from_db()
    context = project_context(
        access,
        "overview",
        stages=queries.list_stages(access.project),
        next_step=queries.get_next_step(access),
        activities=queries.list_latest(access.project),
        active_jobs=active_jobs,
        counts=queries.counts_of(access.project),
        usage=get_project_usage(access.project),
        systems_by_kind=queries.count_systems_by_kind(access.project),
    )
    return render(request, "corpora/project.html", context)


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def project_settings(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    initial = {"name": project.name, "description": project.description}
    form = ProjectSettingsForm(sent(request), initial=initial)
    if request.method == "POST" and form.is_valid():
        service.update_project(project=project, **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("corpora:project_settings", project.slug)
    context = project_context(access, "settings", form=form)
    return render(
        request, "corpora/project_settings.html", context, status=422 if form.errors else 200
    )


@project_view(Role.OWNER)
@require_POST
def delete_project(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    if request.POST.get("confirm") != access.project.slug:
        raise Invalid(
            _("The project was not deleted: the address you entered doesn't match."),
            _("Enter {slug} to delete it.").format(slug=access.project.slug),
        )
    service.delete_project(project=access.project)
    messages.success(request, _("{project} was deleted.").format(project=access.project.name))
    return redirect("corpora:projects")


@project_view()
@require_safe
def members(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    return _members_page(request, access, InvitationForm())


@project_view(Role.OWNER)
@require_POST
def create_invitation(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _members_page(request, access, form)
    service.create_invitation(
        project=access.project,
        user=user_of(request),
        role=Role(form.cleaned_data["role"]),
        note=form.cleaned_data["note"],
    )
    messages.success(
        request, _("The invitation link is ready. Send it to one person; it works once.")
    )
    return redirect("corpora:members", access.project.slug)


def _members_page(
    request: HttpRequest, access: ProjectAccess, form: InvitationForm
) -> HttpResponse:
    memberships = list(queries.list_members(access.project))
    for membership in memberships:
        membership.is_me = membership.user_id == request.user.pk  # type: ignore[attr-defined]
        membership.can_change = access.can_own  # type: ignore[attr-defined]
    invitations = list(queries.list_open_invitations(access.project)) if access.can_own else []
    for invitation in invitations:
        address = reverse("corpora:invitation", args=[invitation.token])
        invitation.link = request.build_absolute_uri(address)  # type: ignore[attr-defined]
    context = project_context(
        access,
        "members",
        memberships=memberships,
        invitations=invitations,
        form=form,
        roles=list(Role),
    )
    return render(request, "corpora/members.html", context, status=422 if form.errors else 200)


@project_view(Role.OWNER)
@require_POST
def revoke_invitation(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    invitation = get_object_or_404(access.project.invitations, pk=pk)
    service.revoke_invitation(invitation=invitation)
    messages.success(request, _("The link no longer works."))
    return redirect("corpora:members", access.project.slug)


@project_view(Role.OWNER)
@require_POST
def change_role(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    membership = get_object_or_404(access.project.memberships.select_related("user"), pk=pk)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Invalid(
            _("There is no such role."), _("Known: {values}.").format(values=", ".join(Role.values))
        )
    role = Role(form.cleaned_data["role"])
    service.change_role(membership=membership, role=role, user=user_of(request))
    messages.success(
        request,
        _("{user}'s role is now {role}.").format(user=membership.user, role=role.label.lower()),
    )
    return redirect("corpora:members", access.project.slug)


@project_view()
@require_POST
def remove_member(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Owners remove anybody; everybody may leave."""
    membership: Membership = get_object_or_404(
        access.project.memberships.select_related("user"), pk=pk
    )
    is_me = membership.user_id == request.user.pk
    if not is_me:
        access.require(Role.OWNER)
    service.remove_member(membership=membership, user=user_of(request))
    messages.success(
        request,
        _("You left the project.")
        if is_me
        else _("{user} was removed.").format(user=membership.user),
    )
    return (
        redirect("corpora:projects") if is_me else redirect("corpora:members", access.project.slug)
    )


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    return render(request, "corpora/glossary.html")
