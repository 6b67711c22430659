"""`manage.py load_demo`: the demo account and its project, made once and then left alone."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.corpus.demo import DEMO_EMAIL, load_demo
from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Load the demo project if it doesn't exist.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--password", required=True, help=_("password of the demo account"))
        parser.add_argument("--staff", action="store_true", help=_("make the demo account staff"))

    def handle(self, *args: Any, **options: Any) -> None:
        made = load_demo(password=options["password"], is_staff=options["staff"])
        outcome = _("was created") if made else _("already exists")
        self.stdout.write(
            _("The demo project {outcome}; sign in as {demo_email}.").format(
                outcome=outcome, demo_email=DEMO_EMAIL
            )
        )
