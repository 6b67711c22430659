"""`manage.py deactivate_account E-MAIL [--activate]`: shut an account, or open it again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.accounts.service import activate_account, deactivate_account
from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Deactivate an account and end its sessions, keys and open links, or reactivate it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help=_("e-mail address of the account"))
        parser.add_argument(
            "--activate",
            action="store_true",
            help=_("let the person sign in again (restores nothing else)"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        act = activate_account if options["activate"] else deactivate_account
        user = act(email=options["email"])
        self.stdout.write(
            _("{email} is active.").format(email=user.email)
            if user.is_active
            else _("{email} is deactivated.").format(email=user.email)
        )
