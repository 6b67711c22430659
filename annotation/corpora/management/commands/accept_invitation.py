"""`manage.py accept_invitation LINK --email E-MAIL [--name NAME]`: join a project."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import User
from annotation.corpora.management.base import ServiceCommand
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.queries import get_invitation
from annotation.translation import gettext_lazy


class Command(ServiceCommand):
    help = gettext_lazy("Accept an invitation to a project, with an existing or a new account.")

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("link", help=_("the invitation link that create_invitation printed"))
        parser.add_argument("--email", required=True, help=_("e-mail address of the account"))
        parser.add_argument(
            "--name",
            default="",
            help=_("create an account with this name; set its password with create_reset_link"),
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        invitation = get_invitation(options["link"].rstrip("/").rpartition("/")[2])
        if invitation is None:
            raise CommandError(_("This invitation was withdrawn, or its link is incomplete."))
        with transaction.atomic():
            user = _get_account(options["email"], options["name"])
            joined = projects_service.accept_invitation(invitation=invitation, user=user)
        words = _("{user} joined {project} as {role}.").format(
            user=user, project=joined.project, role=joined.get_role_display().lower()
        )
        return words, {"project": joined.project.slug, "member": joined.pk, "role": joined.role}


def _get_account(email: str, name: str) -> User:
    found = User.objects.filter(email=User.objects.normalize_email(email)).first()
    if found is not None:
        return found
    if not name:
        raise CommandError(
            _("No account has the e-mail address {email}. To create one, add --name NAME.").format(
                email=email
            )
        )
    return accounts_service.sign_up(name=name, email=email, password=secrets.token_urlsafe(24))
