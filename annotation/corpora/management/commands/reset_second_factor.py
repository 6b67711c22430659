"""`manage.py reset_second_factor EMAIL`: for somebody who has lost the app and the codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from annotation.corpora.management.base import GizaCommand
from annotation.corpora.services.second_factor import reset_second_factor


class Command(GizaCommand):
    help = "Remove the second factor of an account, so that the password alone signs in again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        user = reset_second_factor(email=options["email"])
        self.stdout.write(f"{user.email} signs in with the password alone.")
