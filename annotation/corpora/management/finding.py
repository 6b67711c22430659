"""What a command was told to work on, and in whose name: a project, a member of it."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotation.corpora.models import Membership, Project, Role, User
from annotation.translation import gettext as _


def find_project(slug: str) -> Project:
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(_("There is no project '{slug}'.").format(slug=slug))
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
            _("{email} needs the role {least} or above in {slug}.").format(
                email=email, least=least.label.lower(), slug=project.slug
            )
        )
    if len(members) != 1:
        raise CommandError(
            _("{slug} has {members} owners. Choose one by e-mail address.").format(
                slug=project.slug, members=len(members)
            )
        )
    return members[0]
