"""Collecting again what does not count: only that, and each assignment once.

- All that came of a campaign, an assignment a row, in the columns of an MTurk batch.
- A campaign's ledger as a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.jobs.models import Job
from annotation.crowd.campaigns.ledger import OverBudget, refuse_beyond_cap
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Hit,
    Intent,
)
from annotation.crowd.campaigns.planning import Price, price_places
from annotation.crowd.campaigns.queries import list_entries
from annotation.crowd.campaigns.steps import find_shortage, start_step
from annotation.crowd.providers import get_provider
from annotation.crowd.review.bulk import list_bonuses
from annotation.errors import DomainError
from scoring.io.cells import defuse, row_line
from scoring.io.judgements import BatchResult, write_results

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


CHUNK = 500


def export_results_csv(campaign: Campaign) -> Iterator[str]:
    """The lines of the file, in the order in which the work came in."""
    rows = Assignment.objects.filter(campaign=campaign)
    if not rows.exists():
        raise DomainError(_("Nothing has been collected yet."), _("Wait for the first answers."))
    statements = Hit.objects.filter(campaign=campaign).values_list("statements", flat=True)
    slots = max(sum("unit" in row for row in some) for some in statements.iterator(CHUNK))
    return write_results(_results(campaign), slots)


def _results(campaign: Campaign) -> Iterator[BatchResult]:
    rows = Assignment.objects.filter(campaign=campaign).order_by("pk").defer("raw")
    bonuses: dict[int, Decimal] = {}
    for pk, amount, __ in list_bonuses(Assignment.objects.filter(campaign=campaign)):
        bonuses[pk] = bonuses.get(pk, Decimal(0)) + amount
    related = rows.select_related("hit__summary__example", "hit__summary__system", "worker")
    for row in related.iterator(CHUNK):
        yield _result(campaign, row, bonuses.get(row.pk))


def _result(campaign: Campaign, row: Assignment, bonus: Decimal | None) -> BatchResult:
    said = {"present": True, "absent": False}
    return BatchResult(
        hit_id=row.hit.provider_id,
        title=campaign.title,
        reward=f"{row.hit.reward:.2f}",
        assignment_id=row.provider_id,
        worker_id=str(row.worker or ""),
        status=row.state,
        key=row.hit.summary.example.key,
        system=row.hit.summary.system.name,
        summary=row.hit.shown_text,
        answers=[
            (item["text"], said.get(row.answers.get(item["key"], "")))
            for item in row.hit.statements
            if "unit" in item
        ],
        accepted_at=row.accepted_at,
        submitted_at=row.submitted_at,
        decided_at=row.decided_at,
        feedback=row.feedback,
        seconds=row.seconds,
        bonus="" if bonus is None else f"{bonus:.2f}",
        problem=row.problem,
        attention_asked=row.gold_asked,
        attention_right=row.gold_right,
        comment=row.comment,
    )


COLUMNS = (
    "entry",
    "at",
    "kind",
    "attempt",
    "amount",
    "fee",
    "outcome",
    "settled_at",
    "hit",
    "assignment",
    "worker",
    "by",
    "note",
)


def stream_entries(campaign: Campaign) -> Iterator[str]:
    """Line by line, in the order of the books, safe to open in a spreadsheet."""
    yield row_line(*COLUMNS)
    for entry in list_entries(campaign).order_by("pk").iterator(CHUNK):
        yield row_line(*_cells(entry))


def _cells(entry: Intent) -> list[str]:
    settlement = getattr(entry, "settlement", None)
    assignment = entry.assignment
    worker = assignment.worker if assignment else None
    words = [
        settlement.outcome if settlement else "open",
        settlement.at.isoformat(timespec="seconds") if settlement else "",
        entry.hit.provider_id if entry.hit else "",
        assignment.provider_id if assignment else "",
        worker.provider_id if worker else "",
        str(entry.created_by or ""),
        settlement.note if settlement else "",
    ]
    figures = [f"{entry.amount:.4f}", f"{entry.fee:.4f}"]
    at = entry.created_at.isoformat(timespec="seconds")
    return [str(entry.pk), at, entry.kind, str(entry.attempt), *figures, *map(defuse, words)]
