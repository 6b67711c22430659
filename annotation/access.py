"""The only permission look-ups: who may see a project, and what they may do in it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.errors import Forbidden, NotFound


@dataclass(frozen=True, slots=True)
class ProjectAccess:
    """A project, the role in which somebody has come to it, and who that is."""

    project: Project
    role: Role
    user: User | None = None

    def allows(self, role: Role) -> bool:
        return self.role.rank >= role.rank

    def require(self, role: Role) -> None:
        if not self.allows(role):
            raise Forbidden(
                _("Only {holders} can do this; you are {with_article}.").format(
                    holders=role.holders, with_article=self.role.with_article
                ),
                _("Ask a project owner to change your role."),
            )

    @property
    def can_edit(self) -> bool:
        return self.allows(Role.EDITOR)

    @property
    def can_own(self) -> bool:
        return self.allows(Role.OWNER)


def can_create_projects(user: User | AnonymousUser) -> bool:
    """Staff, and people whom staff or a project's owner let in. Workers can't."""
    return user.is_staff or bool(getattr(user, "can_create_projects", False))


def can_send_files(user: User) -> bool:
    """People with something to import: a project of their own to come, or work in one."""
    roles = [role for role in Role if role is not Role.VIEWER]
    working = Membership.objects.filter(user=user.pk, role__in=roles)
    return can_create_projects(user) or working.exists()


def require_project_creator(user: User) -> None:
    if not can_create_projects(user):
        raise Forbidden(
            _("Your account can't create projects."),
            _("Ask a project owner or a member of staff for an invitation link."),
        )


def owns_project(user: User, project: Project | None = None) -> bool:
    """Whether somebody who was let in is an owner of this project; without one, of any."""
    owned = Membership.objects.owning().filter(user=user)
    return (owned.filter(project=project) if project is not None else owned).exists()


def holds_role(user_id: int, project_id: int, role: Role) -> bool:
    """Whether somebody is active, and has at least this role in the project."""
    rows = Membership.objects.filter(user=user_id, project=project_id, user__is_active=True)
    return any(Role(held).rank >= role.rank for held in rows.values_list("role", flat=True))


def require_staff(user: User, refusal: str, hint: str = "") -> None:
    if not user.is_staff:
        raise Forbidden(refusal, hint)


def get_access(
    user: User | AnonymousUser, slug: str, *, at_least: Role = Role.VIEWER
) -> ProjectAccess:
    """Outsiders learn nothing of a project, not even that it exists."""
    membership = (
        Membership.objects.select_related("project", "user")
        .filter(project__slug=slug, user_id=user.pk or 0)
        .first()
    )
    if membership is None:
        raise NotFound(_("You are not a member of a project '{slug}'.").format(slug=slug))
    access = ProjectAccess(membership.project, Role(membership.role), membership.user)
    access.require(at_least)
    return access
