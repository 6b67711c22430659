"""Whom a project belongs to that a command makes, and the tables it needs first of all."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from annotation.corpora.models import Project, User
from annotation.corpora.services import change_rights
from annotation.translation import gettext as _


def ensure_tables() -> None:
    """On the embedded default the first command of all may be the one that asks."""
    if connection.vendor == "sqlite" and not connection.introspection.table_names():
        call_command("migrate", verbosity=0)


def check_slug(slug: str) -> None:
    try:
        Project._meta.get_field("slug").clean(slug, None)
    except ValidationError as error:
        raise CommandError(
            _("--project: {messages}").format(messages=" ".join(error.messages))
        ) from None


def get_owner(email: str | None) -> User | None:
    if not email:
        return None
    user = User.objects.filter(email=User.objects.normalize_email(email)).first()
    if user is None:
        raise CommandError(
            _("--owner: no account has the e-mail address {email}.").format(email=email)
        )
    return user


def find_new_owner(owner: User | None) -> User | None:
    """Whose a new project is. Whoever runs commands on this machine lets that person in."""
    found = owner or only_account()
    if found is not None:
        change_rights(user=found, can_create_projects=True)
    return found


def only_account() -> User | None:
    """None while there is no account at all; the demo's takes such projects over."""
    users = list(User.objects.filter(is_active=True)[:2])
    if len(users) > 1:
        raise CommandError(_("Give the new project an owner: --owner E-MAIL."))
    return users[0] if users else None
