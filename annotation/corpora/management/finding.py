"""What a command was told to work on, and in whose name: a project, a member of it."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotation.corpora.models import Membership, Project, Role, User


def find_project(slug: str) -> Project:
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no project '{slug}'.")
    return found


def find_member(project: Project, email: str, least: Role) -> User:
    """The member with this e-mail; without one, the project's only owner."""
    rows = Membership.objects.filter(project=project, user__is_active=True).select_related("user")
    if email:
        rows = rows.filter(user__email=User.objects.normalize_email(email))
    else:
        rows = rows.filter(role=Role.OWNER)
    members = [row.user for row in rows if Role(row.role).rank >= least.rank]
    if not members and email:
        raise CommandError(
            f"{email} needs the role {least.label.lower()} or above in {project.slug}."
        )
    if len(members) != 1:
        raise CommandError(
            f"{project.slug} has {len(members)} owners. Choose one by e-mail address."
        )
    return members[0]
