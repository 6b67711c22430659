"""`manage.py create_requester NAME [--deposit 500 --note TEXT]`: a requester with a key pair."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import KeyScope, User
from annotation.corpora.accounts.service import change_rights
from annotation.corpora.management.base import GizaCommand
from annotation.crowd.management.finding import read_dollars
from annotation.crowd.market.models_accounts import Requester, RequesterKey
from annotation.crowd.market.money import deposit
from annotation.crowd.market.requesters import create_key, create_requester
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Create a marketplace requester with a key pair and an optional prepaid budget."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help=_("name; an existing requester gets another key pair"))
        parser.add_argument(
            "--owner", required=True, help=_("e-mail of the owner, who also holds the key")
        )
        parser.add_argument(
            "--scope",
            choices=KeyScope.values,
            default=KeyScope.PAY.value,
            help=_("what the key may do"),
        )
        parser.add_argument(
            "--deposit",
            type=read_dollars,
            help=_("prepaid budget of a new requester, in dollars; default: 0"),
        )
        parser.add_argument("--note", default="", help=_("source of the --deposit money"))
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        if options["deposit"] and not options["note"].strip():
            raise CommandError(
                _("--note is required with --deposit: state the source of the money.")
            )
        owner = _find_user(options["owner"])
        requester = self._get(owner, options)
        key = create_key(requester=requester, user=owner, scope=options["scope"])
        self.stdout.write(_json(requester, key) if options["json"] else _lines(requester, key))

    @transaction.atomic
    def _get(self, owner: User, options: dict[str, Any]) -> Requester:
        name = options["name"].strip()
        found = Requester.objects.filter(name=name, project=None).first()
        if found is not None and options["deposit"]:
            raise CommandError(
                _("{name} exists already. Add money with: manage.py deposit").format(name=name)
            )
        if found is not None:
            return found
        # Whoever runs commands on this machine lets that person in.
        change_rights(user=owner, can_create_projects=True)
        made = create_requester(name=name, owner=owner)
        if options["deposit"]:
            deposit(requester=made, amount=options["deposit"], note=options["note"])
            made.refresh_from_db()
        return made


def _find_user(email: str) -> User:
    found = User.objects.filter(email__iexact=email).first()
    if found is None:
        raise CommandError(_("There is no account with the e-mail {email}.").format(email=email))
    return found


def _client(key: RequesterKey) -> dict[str, str]:
    """What `boto3.client("mturk", **…)` takes."""
    return {
        "endpoint_url": f"{settings.PUBLIC_URL.rstrip('/')}{reverse('crowd:mturk')}",
        "region_name": "us-east-1",
        "aws_access_key_id": key.access_key,
        "aws_secret_access_key": key.secret,
    }


def _json(requester: Requester, key: RequesterKey) -> str:
    return json.dumps(
        {
            "id": requester.pk,
            "name": requester.name,
            "access_key": key.access_key,
            "secret_key": key.secret,
            "balance": f"{requester.available:.2f}",
            "client": _client(key),
        }
    )


def _lines(requester: Requester, key: RequesterKey) -> str:
    lines = [
        _("{requester}: ${available:.2f} available").format(
            requester=requester.name, available=requester.available
        ),
        *(f"{name}: {value}" for name, value in _client(key).items()),
    ]
    return "\n".join(lines)
