"""Collecting again what does not count: only that, and each assignment once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from annotation.corpora.models import Job, User, Verb
from annotation.crowd.models import Assignment, AssignmentState, Campaign, CampaignState, Hit
from annotation.crowd.providers import get_provider
from annotation.crowd.services.ledger import OverBudget, refuse_beyond_cap
from annotation.crowd.services.planning import Price, price_places
from annotation.crowd.services.steps import find_shortage, start_step
from annotation.errors import DomainError
from annotation.translation import gettext as _

# What other apps leave out of labels: the ids of a campaign's assignments.
DROPPED: list[Callable[[Campaign], Iterable[int]]] = []


@dataclass(frozen=True, slots=True)
class Missing:
    """How many assignments of each HIT don't count, and are not asked for again yet."""

    rejected: int
    dropped: int


def count_missing(campaign: Campaign) -> Missing:
    """As either choice alone would ask for them."""
    return Missing(
        rejected=_sum(find_places(campaign, rejected=True, dropped=False)),
        dropped=_sum(find_places(campaign, rejected=False, dropped=True)),
    )


def _sum(places: dict[int, tuple[int, int]]) -> int:
    return sum(again - before for before, again in places.values())


def find_places(campaign: Campaign, *, rejected: bool, dropped: bool) -> dict[int, tuple[int, int]]:
    """By HIT, the extra places that it has and those that it should have, where they differ.

    A place stays asked for: doing this twice asks for nothing twice.
    """
    ids: set[int] = set()
    # Without an order, so that those of a state are read off their index.
    work = Assignment.objects.filter(campaign=campaign).order_by()
    if rejected and not get_provider(campaign).reopens_rejected:
        ids.update(work.filter(state=AssignmentState.REJECTED).values_list("pk", flat=True))
    if dropped:
        ids.update(pk for find in DROPPED for pk in find(campaign))
        if not rejected:
            refused = work.filter(pk__in=ids, state=AssignmentState.REJECTED)
            ids -= set(refused.values_list("pk", flat=True))
    useless = Counter(work.filter(pk__in=ids).values_list("hit", flat=True))
    had = dict(Hit.objects.filter(campaign=campaign, pk__in=useless).values_list("pk", "again"))
    return {hit: (had[hit], count) for hit, count in useless.items() if count > had[hit]}


def price_recollection(campaign: Campaign, *, rejected: bool, dropped: bool) -> Price:
    places = find_places(campaign, rejected=rejected, dropped=dropped)
    return price_places(campaign, {hit: again for hit, (__, again) in places.items()})


def recollect_places(
    *,
    campaign: Campaign,
    user: User | None,
    rejected: bool = True,
    dropped: bool = False,
    at_most: Decimal | None = None,
) -> Job:
    """Ask for one more assignment for each that was rejected, or left out of labels.

    `at_most` is the sum that somebody agreed to.
    """
    price = price_recollection(campaign, rejected=rejected, dropped=dropped)
    if not price.number:
        raise DomainError(
            _("Every assignment counts or has already been re-collected."),
            _("There is nothing to do."),
        )
    if at_most is not None and price.total > at_most:
        raise DomainError(
            _("This now costs ${total:,.2f}.").format(total=price.total),
            _("Check the amount again, then continue."),
        )
    places = find_places(campaign, rejected=rejected, dropped=dropped)
    _refuse_beyond(campaign, {hit: again for hit, (__, again) in places.items()}, price)
    with transaction.atomic():
        job = start_step(
            campaign,
            user,
            [CampaignState.LIVE],
            CampaignState.PUBLISHING,
            "publish_campaign",
            Verb.EXTEND,
        )
        for hit, (before, again) in places.items():
            Hit.objects.filter(pk=hit, again=before).update(again=again)
    return job


def _refuse_beyond(campaign: Campaign, places: dict[int, int], price: Price) -> None:
    """What the cap or the provider would refuse half-way."""
    rows = Hit.objects.filter(pk__in=places).values_list("pk", "wanted")
    provider = get_provider(campaign)
    for hit, has in rows:
        wanted = campaign.assignments_per_hit + places[hit]
        if obstacle := provider.find_limit(has, wanted):
            raise DomainError(obstacle, _("Create a new campaign for the same summaries."))
    refuse_beyond_cap(campaign, price.total)
    if shortage := find_shortage(campaign, price.total):
        raise OverBudget(shortage, _("Try again when there is enough money."))
