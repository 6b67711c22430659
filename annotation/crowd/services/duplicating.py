"""A new draft with the settings of another campaign."""

from __future__ import annotations

from typing import Any

from annotation.corpora.models import Example, System, User
from annotation.crowd.models import Campaign
from annotation.crowd.services.campaigns import FIELDS, create_campaign, is_imported
from annotation.errors import DomainError
from annotation.translation import gettext as _

LONGEST_NAME = 120


def duplicate_campaign(*, campaign: Campaign, user: User | None, name: str = "") -> Campaign:
    """Everything that workers see and are paid; answers, HITs and books stay where they are."""
    if is_imported(campaign):
        raise DomainError(
            _("{campaign} was created from files and has no settings.").format(campaign=campaign),
            _("Create a new campaign."),
        )
    fields: dict[str, Any] = {key: getattr(campaign, key) for key in FIELDS - {"name", "budget"}}
    fields["scope"] = _list_what_is_there(campaign)
    made = create_campaign(
        project=campaign.project,
        user=user,
        unit_set=campaign.unit_set,
        name=name.strip() or find_free_name(campaign),
        **fields,
    )
    if campaign.seconds_per_statement:
        made.seconds_per_statement = campaign.seconds_per_statement
        made.save(update_fields=["seconds_per_statement"])
    return made


def _list_what_is_there(campaign: Campaign) -> dict[str, list[int]]:
    """The scope without systems and examples that were removed since."""
    found = {}
    if systems := campaign.scope.get("systems"):
        there = System.objects.live().filter(project=campaign.project_id, pk__in=systems)
        found["systems"] = sorted(there.values_list("pk", flat=True))
    if examples := campaign.scope.get("examples"):
        read = Example.objects.live().filter(project=campaign.project_id, pk__in=examples)
        found["examples"] = sorted(read.values_list("pk", flat=True))
    return found


def find_free_name(campaign: Campaign) -> str:
    taken = set(Campaign.objects.filter(project=campaign.project_id).values_list("name", flat=True))
    stem = campaign.name[: LONGEST_NAME - 10]
    names = [
        _("{stem} (copy)").format(stem=stem),
        *(
            _("{stem} (copy {number})").format(stem=stem, number=number)
            for number in range(2, len(taken) + 2)
        ),
    ]
    return next(name for name in names if name not in taken)
