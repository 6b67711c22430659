"""`manage.py change_rights E-MAIL [--staff yes] [--projects no]`: what an account may do."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.service import change_rights
from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy

ANSWERS = {"yes": True, "no": False}


class Command(GizaCommand):
    help = gettext_lazy(
        "Grant an account staff rights or the right to create projects, or withdraw them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help=_("e-mail address of the account"))
        parser.add_argument(
            "--staff", choices=ANSWERS, help=_("add money to budgets, pay workers, invite anybody")
        )
        parser.add_argument("--projects", choices=ANSWERS, help=_("create projects"))

    def handle(self, *args: Any, **options: Any) -> None:
        email = User.objects.normalize_email(options["email"])
        user = User.objects.filter(email=email).first()
        if user is None:
            raise CommandError(_("No account has the e-mail address {email}.").format(email=email))
        change_rights(
            user=user,
            is_staff=ANSWERS.get(options["staff"]),
            can_create_projects=ANSWERS.get(options["projects"]),
        )
        self.stdout.write(f"{user.email}: {_describe(user)}")


def _describe(user: User) -> str:
    rights = [
        _("staff") if user.is_staff else _("not staff"),
        _("can create projects") if user.can_create_projects else _("cannot create projects"),
    ]
    return ", ".join(rights)
