"""Participants on Prolific: whom a study does not invite, and messages to them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from annotation.crowd.models import Campaign, ProlificStudy, ProviderName, Worker
from annotation.crowd.providers.base import ProviderError
from annotation.crowd.providers.prolific_client import ProlificClient
from annotation.crowd.providers.prolific_study import group_name
from annotation.translation import gettext as _

CHUNK = 500


def make_group(client: ProlificClient, campaign: Campaign) -> str:
    """The group of those who are not invited, found or made; excluded people are put into it."""
    workspace = next(client.list_workspaces(), None)
    if workspace is None:
        raise ProviderError(
            _("The Prolific account has no workspace."), _("Create one on Prolific.")
        )
    name = group_name(campaign)
    groups = client.list_groups(workspace["id"])
    found = next((row for row in groups if row.get("name") == name), None)
    group = str((found or client.create_group(workspace["id"], name))["id"])
    people = list_uninvited(campaign)
    for start in range(0, len(people), CHUNK):
        client.add_to_group(group, people[start : start + CHUNK])
    return group


def list_uninvited(campaign: Campaign) -> list[str]:
    """The project's excluded participants; all of its earlier ones, where that is wished."""
    rows = Worker.objects.filter(project=campaign.project_id, provider=ProviderName.PROLIFIC)
    if not campaign.exclude_earlier_workers:
        rows = rows.filter(excluded_at__isnull=False)
    else:
        here = Worker.objects.filter(assignments__campaign=campaign).values("pk")
        rows = rows.filter(Q(excluded_at__isnull=False) | ~Q(pk__in=here))
    return list(rows.values_list("provider_id", flat=True))


def list_groups(campaign: Campaign) -> list[str]:
    """Of all the project's studies: who is excluded is excluded from each."""
    rows = ProlificStudy.objects.filter(campaign__project=campaign.project_id)
    return list(rows.exclude(group_id="").values_list("group_id", flat=True))


def notify(
    client: ProlificClient, study_id: str, people: Sequence[str], text: str
) -> dict[str, str]:
    """Write to all at once; if that is refused, to each, to know whom it did not reach."""
    if not people:
        return {}
    try:
        client.send_message(list(people), study_id, text)
    except ProviderError as error:
        if len(people) == 1:
            return {people[0]: error.message}
        failures: dict[str, str] = {}
        for person in people:
            failures.update(notify(client, study_id, [person], text))
        return failures
    return {}
