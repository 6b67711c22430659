"""The campaign that a command was given, by its number or token."""

from __future__ import annotations

import uuid

from django.core.management.base import CommandError

from annotation.crowd.models import Campaign
from annotation.translation import gettext as _


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
