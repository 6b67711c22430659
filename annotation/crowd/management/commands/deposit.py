"""`manage.py deposit NAME AMOUNT --note TEXT`: add to a prepaid budget. No money is moved."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.management.finding import read_dollars
from annotation.crowd.market import money
from annotation.crowd.market.models_accounts import Requester
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Add money to a requester's prepaid budget.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help=_("name of the requester"))
        parser.add_argument("amount", type=read_dollars, help=_("amount in dollars"))
        parser.add_argument("--note", required=True, help=_("source of the money"))

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(Requester.objects.filter(name=options["name"])[:2])
        if len(found) != 1:
            problem = _("There is no requester") if not found else _("There are several requesters")
            raise CommandError(
                _("{problem} '{name}'. See /work/payments/ for all.").format(
                    problem=problem, name=options["name"]
                )
            )
        money.deposit(requester=found[0], amount=options["amount"], note=options["note"])
        found[0].refresh_from_db()
        self.stdout.write(
            _("{found}: ${available:.2f} available").format(
                found=found[0], available=found[0].available
            )
        )
