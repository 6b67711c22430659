"""Whose turn it is to fetch a campaign's answers.

`next_collect_at` is when a campaign is due, and while somebody fetches, how long their turn lasts.
They keep moving it on; when they die, it comes due by itself.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection, transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.jobs.kinds import SWEEPS
from annotation.corpora.notifications.service import send_message
from annotation.crowd.campaigns.ledger import Draft, intend, settle, tell_answers
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Hit,
    HitState,
    Intent,
    IntentKind,
    Judgement,
    ProviderName,
    Worker,
)
from annotation.crowd.market.answers import (
    SECONDS_FIELD,
    AnswerError,
    read_answer_xml,
    read_seconds,
)
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import (
    Places,
    Provider,
    ProviderError,
    Received,
    Unsure,
    patiently,
)
from annotation.crowd.review.service import approve_by_rule, finish_open_intents, note_decision

logger = logging.getLogger(__name__)


def take_turn(campaign: Campaign) -> datetime | None:
    """Claim a campaign that is due; None if another was quicker."""
    turn = _end_of_turn()
    mine = Campaign.objects.filter(pk=campaign.pk, next_collect_at=campaign.next_collect_at)
    return turn if mine.update(next_collect_at=turn) else None


def has_turn(campaign_id: int, turn: datetime) -> bool:
    """Whether a message still stands: one that waited too long was overtaken by another."""
    return Campaign.objects.filter(pk=campaign_id, next_collect_at=turn).exists()


@contextmanager
def keeping_turn(campaign: Campaign, turn: datetime) -> Iterator[None]:
    """Move the end of the turn on for as long as the work takes; then say when it is due again."""
    over, held = threading.Event(), [turn]
    thread = threading.Thread(target=_keep_turn, args=(campaign.pk, held, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        later = clock.now() + timedelta(seconds=settings.COLLECT_SECONDS)
        _move(campaign.pk, held, later)


def _keep_turn(campaign_id: int, held: list[datetime], over: threading.Event) -> None:
    while not over.wait(settings.JOB_LEASE_SECONDS / 3):
        try:
            _move(campaign_id, held, _end_of_turn())
        except DatabaseFault:
            logger.exception("could not extend the lease on campaign %s", campaign_id)
            close_old_connections()
    connection.close()


def _move(campaign_id: int, held: list[datetime], until: datetime) -> None:
    mine = Campaign.objects.filter(pk=campaign_id, next_collect_at=held[0])
    if mine.update(next_collect_at=until):
        held[0] = until


def _end_of_turn() -> datetime:
    return clock.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


VALUES = {"present": True, "absent": False}
LONGEST_COMMENT = 2000
# Answers of other campaigns that two fetches at once may have passed by.
LOOK_BACK = timedelta(minutes=10)
# Counted by the page itself; what a browser claims beyond the clock is not believed.
# HITs whose unused places were given back.
RELEASED = Exists(
    Intent.objects.filter(hit=OuterRef("pk"), kind=IntentKind.RELEASE, base__endswith=":unused")
)


@dataclass(frozen=True, slots=True)
class Collected:
    new: int = 0
    decided: int = 0
    problems: int = 0

    def __add__(self, other: Collected) -> Collected:
        return Collected(
            self.new + other.new, self.decided + other.decided, self.problems + other.problems
        )


@dataclass(slots=True)
class _Read:
    """Answers of one assignment, sorted into what the HIT asked for."""

    answers: dict[str, str] = field(default_factory=dict)
    judgements: dict[int, bool] = field(default_factory=dict)
    gold_asked: int = 0
    gold_right: int = 0
    comment: str = ""
    seconds: float | None = None
    problem: str = ""


def collect_campaign(*, campaign: Campaign) -> Collected:
    """Fetch what is new. Any number of processes may do it at once, or stop half-way."""
    provider = get_provider(campaign)
    hits = list(_outstanding(campaign))
    places = patiently(lambda: provider.survey(hits))
    found = Collected()
    for hit in hits:
        if _has_news(hit, places.get(hit.pk)):
            found += _collect_hit(provider, campaign, hit)
    _release_unused(provider, campaign, places)
    _keep_out_newcomers(provider, campaign)
    _stop_who_did_enough(provider, campaign)
    finish_open_intents(campaign=campaign)
    approve_by_rule(campaign=campaign)
    Campaign.objects.filter(pk=campaign.pk).update(collected_at=clock.now(), collect_problem="")
    if found.new:
        tell_answers(campaign)
    return found


def _keep_out_newcomers(provider: Provider, campaign: Campaign) -> None:
    """Nobody judges twice: who has begun in another campaign since we last looked stays out."""
    last = campaign.collected_at or campaign.published_at
    if not campaign.exclude_earlier_workers or last is None:
        return
    others = Assignment.objects.filter(
        campaign__project=campaign.project_id,
        campaign__provider=campaign.provider,
        received_at__gt=last - LOOK_BACK,
    ).exclude(campaign=campaign)
    here = Assignment.objects.filter(campaign=campaign, worker__isnull=False).values("worker")
    newcomers = Worker.objects.filter(assignments__in=others).exclude(pk__in=here).distinct()
    patiently(lambda: provider.keep_out(list(newcomers)))


def _stop_who_did_enough(provider: Provider, campaign: Campaign) -> None:
    """Of those who worked since we last looked, who has done as much as one worker may do."""
    last = campaign.collected_at or campaign.published_at
    if campaign.most_per_worker is None or last is None:
        return
    rows = Worker.objects.filter(assignments__campaign=campaign)
    done = rows.annotate(
        number=Count("assignments"), latest=Max("assignments__received_at")
    ).filter(number__gte=campaign.most_per_worker, latest__gt=last - LOOK_BACK)
    patiently(lambda: provider.stop(list(done)))


def _collect_hit(provider: Provider, campaign: Campaign, hit: Hit) -> Collected:
    found = Collected()
    for row in patiently(lambda: list(provider.collect([hit]))):
        assignment, is_new = _keep(campaign, hit, row)
        decided = note_decision(assignment, row.status, row.decided_at)
        found += Collected(is_new, decided, is_new and bool(assignment.problem))
    _recount(provider, hit)
    return found


def _outstanding(campaign: Campaign) -> QuerySet[Hit]:
    """HITs that may still bring something: answers, or a decision made elsewhere."""
    out = Hit.objects.filter(campaign=campaign).exclude(state=HitState.PLANNED)
    return out.filter(Q(collected__lt=F("wanted")) | Q(decided__lt=F("collected"))).select_related(
        "campaign"
    )


def _has_news(hit: Hit, places: Places | None) -> bool:
    return places is not None and (places.submitted > hit.collected or places.decided > hit.decided)


def _keep(campaign: Campaign, hit: Hit, row: Received) -> tuple[Assignment, bool]:
    known = Assignment.objects.filter(campaign=campaign, provider_id=row.assignment_id)
    if found := known.select_related("hit", "campaign", "worker").first():
        return found, False
    read = read_answers(hit, row.raw)
    with transaction.atomic():
        # One at a time, so that the ids of a campaign's assignments come up in their order.
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        worker, __ = Worker.objects.get_or_create(
            project_id=campaign.project_id, provider=campaign.provider, provider_id=row.worker_id
        )
        assignment, is_new = Assignment.objects.get_or_create(
            campaign=campaign,
            provider_id=row.assignment_id,
            defaults={
                "hit": hit,
                "worker": worker,
                "raw": row.raw,
                "answers": read.answers,
                "problem": read.problem,
                "gold_asked": read.gold_asked,
                "gold_right": read.gold_right,
                "comment": read.comment,
                "accepted_at": row.accepted_at,
                "submitted_at": row.submitted_at,
                "auto_approve_at": row.auto_approve_at,
                "seconds": _seconds(read.seconds, row.seconds),
            },
        )
        if is_new:
            Judgement.objects.bulk_create(
                Judgement(assignment=assignment, unit_id=unit, present=present)
                for unit, present in read.judgements.items()
            )
    return assignment, is_new


def read_answers(hit: Hit, raw: str) -> _Read:
    """What the answers say about the HIT's statements; a fault is noted, never guessed away."""
    try:
        fields = read_answer_xml(raw)
    except AnswerError as error:
        return _Read(problem=_("The answer could not be read: {error}").format(error=error)[:300])
    read = _Read(comment=fields.get("comment", "")[:LONGEST_COMMENT])
    missing = []
    for statement in hit.statements:
        value = fields.get(statement["key"], "")
        if value not in VALUES:
            missing.append(statement["key"])
            continue
        read.answers[statement["key"]] = value
        _sort_in(read, statement, VALUES[value])
    read.seconds = read_seconds(fields.get(SECONDS_FIELD, ""))
    if missing:
        total = len(hit.statements)
        read.problem = _("{missing} of {total} statements have no valid answer.").format(
            missing=len(missing), total=total
        )
    return read


def _sort_in(read: _Read, statement: dict[str, Any], present: bool) -> None:
    if "unit" in statement:
        read.judgements[statement["unit"]] = present
        return
    read.gold_asked += 1
    read.gold_right += present == statement["gold"]


def _seconds(active: float | None, elapsed: float | None) -> float | None:
    """Time on the page, but never more than passed between accept and submit."""
    if active is None or elapsed is None:
        return active or elapsed
    return min(active, elapsed)


def _recount(provider: Provider, hit: Hit) -> None:
    """From the rows themselves, so that no crash can make the counts wrong for long."""
    rows = Assignment.objects.filter(hit=hit)
    if provider.reopens_rejected:
        rows = rows.exclude(state=AssignmentState.REJECTED)
    undecided = Q(state=AssignmentState.SUBMITTED)
    counts = rows.aggregate(all=Count("pk"), open=Count("pk", filter=undecided))
    Hit.objects.filter(pk=hit.pk).update(
        collected=counts["all"], decided=counts["all"] - counts["open"]
    )


def _release_unused(provider: Provider, campaign: Campaign, places: dict[int, Places]) -> None:
    """When a campaign has ended, give back what no worker can earn any more."""
    if campaign.state != CampaignState.ENDED:
        return
    unused = Hit.objects.filter(
        ~RELEASED, campaign=campaign, state=HitState.CLOSED, collected__lt=F("wanted")
    )
    drafts = []
    for hit in unused:
        at_provider = places.get(hit.pk)
        if at_provider and not at_provider.pending and at_provider.submitted == hit.collected:
            drafts.append(_release_draft(provider, hit))
    for intent in intend(campaign=campaign, drafts=drafts):
        settle(intent=intent)


def _release_draft(provider: Provider, hit: Hit) -> Draft:
    left = hit.wanted - hit.collected
    return Draft(
        kind=IntentKind.RELEASE,
        key=f"release:{hit.pk}:{hit.wanted}:unused",
        amount=hit.reward * left,
        fee=provider.fee(hit.reward, hit.wanted) * left,
        hit=hit,
    )


def tell_due() -> None:
    """Have answers fetched for every campaign whose time has come.

    A message that is lost costs one turn: the time comes again.
    """
    from annotation.crowd.tasks import collect_campaign as task

    due = Campaign.objects.filter(next_collect_at__lte=clock.now()).exclude(
        Q(provider=ProviderName.OFFLINE) | Q(state=CampaignState.DRAFT)
    )
    for campaign in due[:20]:
        if turn := take_turn(campaign):
            send_message(task, campaign.pk, turn.isoformat())


def collect_in_turn(*, campaign: Campaign, turn: datetime) -> None:
    """Fetch unless the turn has passed to somebody else."""
    if not has_turn(campaign.pk, turn):
        return
    with keeping_turn(campaign, turn):
        collect_quietly(campaign=campaign)
    _rest_when_over(campaign)


def collect_quietly(*, campaign: Campaign) -> None:
    """A provider that is away is noted on the campaign's page and asked again next time."""
    try:
        collect_campaign(campaign=campaign)
    except (ProviderError, Unsure) as error:
        logger.warning("campaign %s could not be collected: %s", campaign.pk, error.message)
        Campaign.objects.filter(pk=campaign.pk).update(collect_problem=error.message[:300])


def _rest_when_over(campaign: Campaign) -> None:
    """An ended campaign with nothing left to come is asked about no more."""
    campaign.refresh_from_db()
    open_ends = _outstanding(campaign).exclude(RELEASED, decided=F("collected"))
    if campaign.state == CampaignState.ENDED and not open_ends.exists():
        Campaign.objects.filter(pk=campaign.pk).update(next_collect_at=None)


SWEEPS.append(tell_due)
