"""`manage.py load_demo`: the demo account and its project, made once and then left alone."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from annotation.corpora.management.base import GizaCommand
from annotation.corpora.services.demo import DEMO_EMAIL, load_demo


class Command(GizaCommand):
    help = "Load the demo project if it doesn't exist."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--password", required=True, help="password of the demo account")
        parser.add_argument("--staff", action="store_true", help="make the demo account staff")

    def handle(self, *args: Any, **options: Any) -> None:
        made = load_demo(password=options["password"], is_staff=options["staff"])
        outcome = "was created" if made else "already exists"
        self.stdout.write(f"The demo project {outcome}; sign in as {DEMO_EMAIL}.")
