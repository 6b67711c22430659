"""`manage.py export_payments`: what workers earned, were paid and are owed, as CSV."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.requesters.payments import stream_payments
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Export what workers earned, were paid and are owed as CSV.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--output", type=Path, help=_("output file; default: standard output"))

    def handle(self, *args: Any, **options: Any) -> None:
        lines = stream_payments()
        if options["output"] is None:
            for line in lines:
                self.stdout.write(line, ending="")
            return
        with options["output"].open("w", encoding="utf-8", newline="") as out:
            out.writelines(lines)
