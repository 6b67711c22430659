"""`manage.py create_reset_link EMAIL`: a link with which a person sets a new password, once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.accounts.service import create_reset_link
from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Create a link to set a new password. It works once and expires after a day."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help=_("e-mail address of the account"))

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(create_reset_link(email=options["email"]))
