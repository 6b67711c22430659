"""Many decisions at once, by a job; and what concerns a worker rather than an assignment."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_UP, Decimal
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum

from annotation import clock
from annotation.corpora.models import Job, KeyScope, Role, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.crowd.models import (
    Assignment,
    Campaign,
    Intent,
    IntentKind,
    Outcome,
    ProviderName,
    Worker,
)
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import Told
from annotation.crowd.services.patience import patiently
from annotation.crowd.services.review import (
    CENT,
    Award,
    Refused,
    approve_assignments,
    find_own_id,
    reject_assignments,
    send_bonuses,
)
from annotation.errors import DomainError, Invalid, NotFound

ACTIONS = {"approve": "Approve", "override": "Approve", "reject": "Reject", "bonus": "Bonus for"}
CHUNK = 50
AT_ONCE = 10
MILLISECOND = Decimal("0.001")


def review_assignments(
    *,
    campaign: Campaign,
    user: User | None,
    action: str,
    ids: Sequence[int],
    text: str = "",
    amount: Decimal | None = None,
) -> Job | int:
    """Do it now for a few, and by a job for many. Each is decided once, whoever asks again."""
    if action not in ACTIONS:
        raise Invalid(f"There is no action '{action}'.", f"Known: {', '.join(ACTIONS)}.")
    found = list_assignments(campaign, ids)
    if missing := set(ids) - {row.pk for row in found}:
        raise NotFound(f"assignments: {min(missing)} is not one of this campaign.")
    params = {"action": action, "text": text, "amount": str(amount) if amount else ""}
    if action == "reject" and not text.strip():
        raise Invalid("A rejection needs a reason.", "Say what is wrong with the work.")
    if len(found) <= AT_ONCE:
        return _review(campaign, user, found, params)
    return create_job(
        project=campaign.project,
        user=user,
        kind="review_assignments",
        title=f"{ACTIONS[action]} {len(found):,} assignments",
        params={**params, "campaign": campaign.pk, "ids": sorted(set(ids))},
    )


def list_assignments(campaign: Campaign, ids: Sequence[int]) -> list[Assignment]:
    rows = Assignment.objects.filter(campaign=campaign, pk__in=ids)
    return list(rows.select_related("hit", "worker", "campaign").order_by("pk"))


def _review(
    campaign: Campaign, user: User | None, rows: list[Assignment], params: dict[str, Any]
) -> int:
    text = params["text"]
    if params["action"] == "reject":
        return reject_assignments(campaign=campaign, assignments=rows, user=user, feedback=text)
    if params["action"] == "bonus":
        amount = Decimal(params["amount"] or 0)
        awards = [Award(row, amount, text) for row in rows]
        return send_bonuses(campaign=campaign, awards=awards, user=user)
    return approve_assignments(
        campaign=campaign,
        assignments=rows,
        user=user,
        feedback=text,
        override=params["action"] == "override",
    )


def run_review(work: Work) -> dict[str, Any]:
    params = work.job.params
    campaign = Campaign.objects.select_related("project").get(pk=params["campaign"])
    ids = params["ids"]
    work.report(work.done, total=len(ids), phase="Deciding")
    counts = {"decided": 0, "refused": 0, **work.cursor}
    for start in range(work.done, len(ids), CHUNK):
        work.check_beginner()
        rows = list_assignments(campaign, ids[start : start + CHUNK])
        try:
            counts["decided"] += _review(campaign, work.job.created_by, rows, params)
        except Refused as error:
            work.log(error.message)
            counts["decided"] += error.done
            counts["refused"] += error.refused
        work.cursor = dict(counts)
        work.done = start + len(rows)
        with work.step():
            pass
    return counts


def top_up(*, campaign: Campaign, user: User | None) -> Decimal:
    """Bring every worker of the campaign to the wage floor, by one bonus each."""
    own = find_own_id(user)
    awards = [one for one in list_top_ups(campaign) if not own or str(one.assignment.worker) != own]
    if not awards:
        raise DomainError("Everybody has reached the wage floor.", "There is nothing to top up.")
    send_bonuses(campaign=campaign, awards=awards, user=user)
    return sum((award.amount for award in awards), Decimal(0))


def list_top_ups(campaign: Campaign) -> list[Award]:
    """What each worker lacks to the floor, for the time that their assignments took.

    Nothing where answers came as files: their workers are paid elsewhere.
    """
    if campaign.provider == ProviderName.OFFLINE:
        return []
    paid = sum_bonuses(campaign)
    lacking = {}
    for worked in _sum_work(campaign):
        earned = worked.rewards + paid.get(worked.worker, Decimal(0))
        lacks = (campaign.wage_floor * worked.hours - earned).quantize(CENT, rounding=ROUND_UP)
        if lacks >= CENT:
            lacking[worked.last] = lacks
    key = f"top-up-{campaign.wage_floor:.2f}"
    rows = list_assignments(campaign, list(lacking))
    return [Award(row, lacking[row.pk], TOP_UP_REASON, key=key) for row in rows]


TOP_UP_REASON = "The task took longer than we thought; this brings your pay to our hourly floor."


class Worked(NamedTuple):
    """All timed work of one worker in a campaign; `last` is the newest of their assignments."""

    worker: int
    hours: Decimal
    rewards: Decimal
    last: int


def _sum_work(campaign: Campaign) -> list[Worked]:
    """Counted by the database: a large campaign has more assignments than a page should read."""
    rows = Assignment.objects.filter(campaign=campaign, seconds__gt=0, worker__isnull=False)
    sums = (
        rows.exclude(state="rejected")
        .order_by()
        .values_list("worker", "hit__reward")
        .annotate(Count("pk"), Sum("seconds"), Max("pk"))
    )
    found: dict[int, Worked] = {}
    for worker, reward, number, seconds, last in sums:
        sofar = found.get(worker, Worked(worker, Decimal(0), Decimal(0), 0))
        # Floats add up to a little more or less; not to a cent.
        hours = Decimal(seconds).quantize(MILLISECOND) / 3600
        found[worker] = Worked(
            worker, sofar.hours + hours, sofar.rewards + number * reward, max(sofar.last, last)
        )
    return list(found.values())


def _valid_bonuses() -> QuerySet[Intent]:
    return Intent.objects.filter(kind=IntentKind.BONUS).exclude(settlement__outcome=Outcome.VOID)


def list_bonuses(assignments: QuerySet[Assignment]) -> list[tuple[int, Decimal, dict[str, Any]]]:
    """The bonuses of some assignments, as (assignment, amount, what was said with it)."""
    rows = _valid_bonuses().filter(assignment__in=assignments).order_by("pk")
    found = rows.values_list("assignment_id", "amount", "params")
    return [(pk, amount, params) for pk, amount, params in found if pk is not None]


def sum_bonuses(campaign: Campaign) -> dict[int, Decimal]:
    """What each worker got, or will get, on top of rewards."""
    rows = _valid_bonuses().filter(campaign=campaign)
    paid: dict[int, Decimal] = {}
    for worker, amount in rows.values_list("assignment__worker", "amount"):
        paid[worker] = paid.get(worker, Decimal(0)) + amount
    return paid


def notify_workers(
    *, campaign: Campaign, user: User | None, workers: Sequence[Worker], subject: str, text: str
) -> Told:
    if not subject.strip() or not text.strip():
        raise Invalid("A message needs a subject and a text.")
    told = get_provider(campaign).notify(workers, subject.strip()[:200], text.strip()[:4096])
    record_activity(
        project=campaign.project,
        actor=user,
        verb=Verb.MESSAGE,
        target=campaign,
        text=f"wrote to {len(workers)} workers of {campaign.name}: {subject.strip()}"[:300],
    )
    return told


def exclude_worker(*, campaign: Campaign, worker: Worker, user: User | None, reason: str) -> None:
    """Keep a worker from further work of the project; what they did is still paid."""
    patiently(lambda: get_provider(campaign).exclude(worker, reason))
    with transaction.atomic():
        Worker.objects.filter(pk=worker.pk).update(
            excluded_at=clock.now(), excluded_reason=reason[:300]
        )
        text = f"excluded worker {worker.provider_id}: {reason}"
        record_activity(
            project=campaign.project, actor=user, verb=Verb.BLOCK, target=campaign, text=text
        )


def include_worker(*, campaign: Campaign, worker: Worker, user: User | None) -> None:
    patiently(lambda: get_provider(campaign).include(worker))
    with transaction.atomic():
        Worker.objects.filter(pk=worker.pk).update(excluded_at=None, excluded_reason="")
        text = f"let worker {worker.provider_id} in again"
        record_activity(
            project=campaign.project, actor=user, verb=Verb.UNBLOCK, target=campaign, text=text
        )


KINDS["review_assignments"] = JobKind(run_review, least=Role.OWNER, scope=KeyScope.PAY, spends=True)
