"""What corpora and units must ask before they let go of what a campaign refers to."""

from __future__ import annotations

from annotation.corpora.models import Import, Project
from annotation.corpora.services.import_removal import REFUSALS
from annotation.corpora.services.projects import REMOVE_FIRST
from annotation.crowd.market.ties import let_go
from annotation.crowd.models import Campaign, CampaignState, Hit, Worker
from annotation.crowd.selectors.payments import list_undecided, sum_owed
from annotation.errors import DomainError
from annotation.removal import remove_rows
from annotation.translation import gettext as _
from annotation.units.models import UnitSet
from annotation.units.services.sets import SET_REFUSALS
from annotation.wording import counted

OUT = [CampaignState.PUBLISHING, CampaignState.LIVE, CampaignState.PAUSED]


def refuse_if_judged(import_: Import) -> None:
    hit = Hit.objects.filter(summary__source=import_).select_related("campaign").first()
    if hit is not None:
        raise DomainError(
            _("Summaries of this import are part of the campaign {campaign}.").format(
                campaign=hit.campaign
            ),
            _("Published summaries can't be removed."),
            fix=hit.campaign,
        )


def refuse_if_drafted(unit_set: UnitSet) -> None:
    """A draft campaign may be about units that are still being written."""
    draft = Campaign.objects.filter(unit_set=unit_set).first()
    if draft is not None:
        message = _("The draft campaign {draft} uses {unit_set}.").format(
            draft=draft, unit_set=unit_set
        )
        raise DomainError(message, _("Delete the draft campaign first."), fix=draft)


def remove_campaigns(project: Project) -> None:
    """Nothing that costs may go on after its project is gone."""
    running = Campaign.objects.filter(project=project, state__in=OUT).first()
    if running is not None:
        raise DomainError(
            _("The campaign {running} is {state}.").format(
                running=running, state=running.get_state_display().lower()
            ),
            _("End it first. Otherwise its HITs would stay open with nobody to pay for them."),
            fix=running,
        )
    owed = sum_owed(project)
    if owed > 0:
        raise DomainError(
            _("Workers are still owed ${owed:,.2f} for the work of this project.").format(
                owed=owed
            ),
            _("Ask staff to pay the workers and record the payment. Then delete the project."),
        )
    # Its HITs are closed first, so that nobody accepts one while we look.
    let_go(project)
    if undecided := list_undecided(project).count():
        raise DomainError(
            _(
                "Workers have {assignments} of this project in progress or waiting for a decision."
            ).format(assignments=counted(undecided, "assignment", "assignments")),
            _(
                "Approve or reject what was submitted, and wait for the rest: it will be "
                "submitted, returned or abandoned."
            ),
        )
    remove_rows(Campaign.objects.filter(project=project))
    remove_rows(Worker.objects.filter(project=project))


REFUSALS.append(refuse_if_judged)
SET_REFUSALS.append(refuse_if_drafted)
# Before units, which judgements refer to.
REMOVE_FIRST.insert(0, remove_campaigns)
