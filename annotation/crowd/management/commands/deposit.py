"""`manage.py deposit NAME AMOUNT --note TEXT`: add to a prepaid budget. No money is moved."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.management.amounts import read_dollars
from annotation.crowd.market import money
from annotation.crowd.models import Requester


class Command(GizaCommand):
    help = "Add money to a requester's prepaid budget."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="name of the requester")
        parser.add_argument("amount", type=read_dollars, help="amount in dollars")
        parser.add_argument("--note", required=True, help="source of the money")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(Requester.objects.filter(name=options["name"])[:2])
        if len(found) != 1:
            problem = "There is no requester" if not found else "There are several requesters"
            raise CommandError(f"{problem} '{options['name']}'. See /work/payments/ for all.")
        money.deposit(requester=found[0], amount=options["amount"], note=options["note"])
        found[0].refresh_from_db()
        self.stdout.write(f"{found[0]}: ${found[0].available:.2f} available")
