"""`manage.py reset_second_factor EMAIL`: for somebody who has lost the app and the codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.accounts.sign_in import reset_second_factor
from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Remove an account's second factor, so that the password is enough to sign in."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help=_("e-mail address of the account"))

    def handle(self, *args: Any, **options: Any) -> None:
        user = reset_second_factor(email=options["email"])
        self.stdout.write(
            _("{email} now signs in with the password only.").format(email=user.email)
        )
