"""The campaign that a command was given, by its number or token.

- Amounts of money on the command line.
- Settings of a campaign on the command line: `name=value`, the value as JSON or plain text.
"""

from __future__ import annotations

import json
import uuid
from argparse import ArgumentParser, ArgumentTypeError
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.checks import MONEY
from annotation.crowd.campaigns.models import Campaign
from annotation.translation import gettext_lazy


def find_campaign(name: str) -> Campaign:
    rows = Campaign.objects.select_related("project", "unit_set", "job")
    if name.isdecimal():
        found = rows.filter(pk=int(name)).first()
    else:
        try:
            found = rows.filter(token=uuid.UUID(name)).first()
        except ValueError:
            raise CommandError(
                _("'{name}' is neither a campaign's number nor its token.").format(name=name)
            ) from None
    if found is None:
        raise CommandError(_("There is no campaign '{name}'.").format(name=name))
    return found


def read_dollars(text: str) -> Decimal:
    try:
        amount = Decimal(text)
        is_whole_cents = amount == amount.quantize(Decimal("0.01"))
    except InvalidOperation:
        is_whole_cents = False
    if not is_whole_cents or amount < 0:
        raise ArgumentTypeError(
            _("'{text}' is not an amount of dollars, such as 12.50").format(text=text)
        )
    return amount


HELP = gettext_lazy("NAME=VALUE, listed in docs/rest.md; repeatable")
# Named by what a person knows of them; kept in `scope` by their ids.
SCOPE = {"systems": "name", "examples": "key"}


def add_settings(parser: ArgumentParser) -> None:
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=HELP)
    parser.add_argument("--file", type=Path, help=_("JSON file with an object of settings"))
    parser.add_argument("--systems", nargs="+", help=_("judge only these systems, by name"))
    parser.add_argument("--examples", nargs="+", help=_("judge only these examples, by ID"))


def read_settings(project: Project, options: dict[str, Any]) -> dict[str, Any]:
    """What the file says, over which single settings go. The service checks every value."""
    found = _read_file(options["file"]) if options["file"] else {}
    for said in options["option"]:
        name, equals, value = said.partition("=")
        if not equals:
            raise CommandError(_("'{said}' is not NAME=VALUE.").format(said=said))
        found[name] = _read_value(name, value)
    scope = {name: _find_ids(project, name, options[name]) for name in SCOPE if options[name]}
    return {**found, "scope": scope} if scope else found


def _read_file(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CommandError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise CommandError(_("{path}: expected a JSON object of settings.").format(path=path))
    return found


def _read_value(name: str, text: str) -> Any:
    """Amounts stay text, so that no cent is lost; what is not JSON is text."""
    if name in MONEY:
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _find_ids(project: Project, name: str, keys: list[str]) -> list[int]:
    field = SCOPE[name]
    rows = getattr(project, name).filter(**{f"{field}__in": keys})
    found = dict(rows.values_list(field, "pk"))
    if missing := [key for key in keys if key not in found]:
        raise CommandError(
            _("--{name}: the project doesn't have '{missing}'.").format(
                name=name, missing=missing[0]
            )
        )
    return sorted(found.values())
