"""Notifications for those who run a campaign: answers to decide on, and a cap that is reached."""

from __future__ import annotations

from annotation.corpora.models import NotificationKind, Role, User
from annotation.corpora.services.notifications import name_day, notify
from annotation.crowd.models import Assignment, AssignmentState, Campaign
from annotation.crowd.services.ledger import get_books
from annotation.translation import gettext as _
from annotation.wording import counted


def tell_answers(campaign: Campaign) -> None:
    """After new answers came in: those that wait for a person, and a cap that is reached."""
    people = list_people(campaign)
    waiting = Assignment.objects.filter(campaign=campaign, state=AssignmentState.SUBMITTED).count()
    if waiting:
        notify(
            users=people,
            project=campaign.project,
            kind=NotificationKind.ANSWERS,
            key=name_day(f"answers:{campaign.pk}"),
            text=_("{assignments} of {campaign} to review.").format(
                assignments=counted(waiting, "assignment", "assignments"), campaign=campaign.name
            ),
            target=campaign,
            renew=True,
        )
    tell_cap(campaign, people)


def tell_cap(campaign: Campaign, people: list[User]) -> None:
    """Once for every cap: bonuses and more assignments need a higher one."""
    books = get_books(campaign)
    if books.left > 0:
        return
    notify(
        users=people,
        project=campaign.project,
        kind=NotificationKind.MONEY,
        key=f"cap:{campaign.pk}:{books.budget:.2f}",
        text=_("{campaign} has reached its cap of ${budget:,.2f}.").format(
            campaign=campaign.name, budget=books.budget
        ),
        target=campaign,
    )


def list_people(campaign: Campaign) -> list[User]:
    """Who made the campaign; the owners of the project where that is not known."""
    if campaign.created_by is not None:
        return [campaign.created_by]
    owners = campaign.project.memberships.filter(role=Role.OWNER)
    return [row.user for row in owners.select_related("user")]
