"""Many decisions at once, by a job; and what concerns a worker rather than an assignment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import KeyScope, User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Intent,
    IntentKind,
    Outcome,
    ProviderName,
    Worker,
)
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import Told, patiently
from annotation.crowd.review.service import (
    CENT,
    Award,
    Refused,
    approve_assignments,
    find_own_id,
    intend_bonuses,
    pay_bonuses,
    reject_assignments,
    send_bonuses,
)
from annotation.errors import DomainError, Invalid, NotFound
from annotation.translation import gettext_lazy

ACTIONS = {
    "approve": gettext_lazy("Approve"),
    "override": gettext_lazy("Approve"),
    "reject": gettext_lazy("Reject"),
    "bonus": gettext_lazy("Bonus for"),
}
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
        raise Invalid(
            _("There is no action '{action}'.").format(action=action),
            _("Known: {actions}.").format(actions=", ".join(ACTIONS)),
        )
    found = list_assignments(campaign, ids)
    if missing := set(ids) - {row.pk for row in found}:
        raise NotFound(
            _("assignments: this campaign has no assignment {missing}.").format(
                missing=min(missing)
            )
        )
    params = {"action": action, "text": text, "amount": str(amount) if amount else ""}
    if action == "reject" and not text.strip():
        raise Invalid(_("A rejection needs a reason."), _("Say what is wrong with the work."))
    if len(found) <= AT_ONCE:
        return _review(campaign, user, found, params)
    return create_job(
        project=campaign.project,
        user=user,
        kind="review_assignments",
        title=_("{actions} {found:,} assignments").format(
            actions=ACTIONS[action], found=len(found)
        ),
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
    work.report(work.done, total=len(ids), phase=_("Deciding"))
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


def top_up(
    *,
    campaign: Campaign,
    user: User | None,
    workers: Collection[int] | None = None,
    at_most: Decimal | None = None,
) -> Decimal:
    """Bring workers of the campaign to the wage floor, all or some, by one bonus each.

    What each lacks is computed while the campaign is locked: two top-ups at once, with work coming
    in between them, pay nothing twice. `at_most` is what somebody agreed to, fees included.
    """
    intents = intend_bonuses(
        campaign=campaign,
        awards=lambda locked: _list_agreed(locked, user, workers, at_most),
        user=user,
    )
    pay_bonuses(campaign=campaign, intents=intents)
    return sum((intent.amount for intent in intents), Decimal(0))


def _list_agreed(
    campaign: Campaign, user: User | None, workers: Collection[int] | None, at_most: Decimal | None
) -> list[Award]:
    own = find_own_id(user)
    lacking = list_top_ups(campaign, workers)
    awards = [one for one in lacking if not own or str(one.assignment.worker) != own]
    if not awards:
        raise DomainError(
            _("All workers have reached the wage floor."), _("There is nothing to top up.")
        )
    provider = get_provider(campaign)
    total = sum((one.amount + provider.bonus_fee(one.amount) for one in awards), Decimal(0))
    if at_most is not None and total > at_most:
        raise DomainError(
            _("This now costs ${total:,.2f}, because more work has come in.").format(total=total),
            _("Check the amounts again, then pay."),
        )
    return awards


def list_top_ups(
    campaign: Campaign,
    workers: Collection[int] | None = None,
    wages: Iterable[WorkerWage] | None = None,
) -> list[Award]:
    """What each worker, or each of some, lacks to the floor for the time that their work took.

    Nothing where answers came as files: their workers are paid elsewhere. Pages bring the wages
    that they know.
    """
    if campaign.provider == ProviderName.OFFLINE:
        return []
    lacking = {
        row.last: row.lacks
        for row in (list_wages(campaign) if wages is None else wages)
        if row.lacks >= CENT and (workers is None or row.worker in workers)
    }
    key = f"top-up-{campaign.wage_floor:.2f}"
    rows = list_assignments(campaign, list(lacking))
    return [Award(row, lacking[row.pk], str(TOP_UP_REASON), key=key) for row in rows]


TOP_UP_REASON = gettext_lazy(
    "The task took longer than we expected. This bonus brings your pay up to our minimum hourly "
    "wage."
)


@dataclass(frozen=True, slots=True)
class WorkerWage:
    """What one worker earned in a campaign, bonuses included, in how much time.

    `last` is the newest of their assignments, `number` how many were timed.
    """

    worker: int
    hours: Decimal
    rewards: Decimal
    bonuses: Decimal
    floor: Decimal
    last: int
    number: int

    @property
    def earned(self) -> Decimal:
        return self.rewards + self.bonuses

    @property
    def hourly(self) -> Decimal:
        return (self.earned / self.hours).quantize(CENT)

    @property
    def lacks(self) -> Decimal:
        """To the floor, in whole cents; not below nothing."""
        lacking = (self.floor * self.hours - self.earned).quantize(CENT, rounding=ROUND_UP)
        return max(lacking, Decimal(0))


def list_wages(campaign: Campaign) -> list[WorkerWage]:
    """Of every worker with timed work that was not rejected.

    Counted by the database: a large campaign has more assignments than a page should read.
    """
    rows = list_paid_time(campaign).filter(worker__isnull=False)
    sums = rows.values_list("worker", "hit__reward").annotate(
        Count("pk"), Sum("seconds"), Max("pk")
    )
    paid = sum_bonuses(campaign)
    found: dict[int, WorkerWage] = {}
    for worker, reward, number, seconds, last in sums:
        nothing = WorkerWage(
            worker=worker,
            hours=Decimal(0),
            rewards=Decimal(0),
            bonuses=paid.get(worker, Decimal(0)),
            floor=campaign.wage_floor,
            last=0,
            number=0,
        )
        sofar = found.get(worker, nothing)
        # Floats add up to a little more or less; not to a cent.
        hours = Decimal(seconds).quantize(MILLISECOND) / 3600
        found[worker] = replace(
            sofar,
            hours=sofar.hours + hours,
            rewards=sofar.rewards + number * reward,
            last=max(sofar.last, last),
            number=sofar.number + number,
        )
    return [row for row in found.values() if row.hours]


def list_paid_time(campaign: Campaign) -> QuerySet[Assignment]:
    """Work whose time is known, but for what was rejected."""
    rows = Assignment.objects.filter(campaign=campaign, seconds__gt=0)
    return rows.exclude(state=AssignmentState.REJECTED).order_by()


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
        raise Invalid(_("A message needs a subject and a text."))
    told = get_provider(campaign).notify(workers, subject.strip()[:200], text.strip()[:4096])
    record_activity(
        project=campaign.project,
        actor=user,
        verb=Verb.MESSAGE,
        target=campaign,
        text=_("messaged {workers} workers of {campaign}: {subject}").format(
            workers=len(workers), campaign=campaign.name, subject=subject.strip()
        )[:300],
    )
    return told


def exclude_worker(*, campaign: Campaign, worker: Worker, user: User | None, reason: str) -> None:
    """Keep a worker from further work of the project; what they did is still paid."""
    patiently(lambda: get_provider(campaign).exclude(worker, reason))
    with transaction.atomic():
        Worker.objects.filter(pk=worker.pk).update(
            excluded_at=clock.now(), excluded_reason=reason[:300]
        )
        text = _("excluded worker {provider_id}: {reason}").format(
            provider_id=worker.provider_id, reason=reason
        )
        record_activity(
            project=campaign.project, actor=user, verb=Verb.BLOCK, target=campaign, text=text
        )


def include_worker(*, campaign: Campaign, worker: Worker, user: User | None) -> None:
    patiently(lambda: get_provider(campaign).include(worker))
    with transaction.atomic():
        Worker.objects.filter(pk=worker.pk).update(excluded_at=None, excluded_reason="")
        text = _("re-admitted worker {provider_id}").format(provider_id=worker.provider_id)
        record_activity(
            project=campaign.project, actor=user, verb=Verb.UNBLOCK, target=campaign, text=text
        )


KINDS["review_assignments"] = JobKind(run_review, least=Role.OWNER, scope=KeyScope.PAY, spends=True)
