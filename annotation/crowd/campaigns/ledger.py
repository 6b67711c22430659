"""The campaign's books. An intent is committed before a call that costs, and settled after it.

No path spends but through `intend`, which holds the campaign's row while it adds up: so the cap
holds whoever else is spending. The key of an intent says what it is for; meaning the same thing
twice finds the first intent and never makes a second one.

- Notifications for those who run a campaign: answers to decide on, and a cap that is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_UP, Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import name_day, notify
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Hit,
    Intent,
    IntentKind,
    Outcome,
    Settlement,
)
from annotation.crowd.market.models_accounts import dollars
from annotation.errors import DomainError
from annotation.translation import gettext_lazy
from annotation.wording import counted

ZERO, CENT = Decimal(0), Decimal("0.01")
COMMITTING = [IntentKind.PUBLISH, IntentKind.EXTEND, IntentKind.BONUS, IntentKind.OVERTURN]
SPENDING = [IntentKind.APPROVE, IntentKind.BONUS]


class OverBudget(DomainError):
    """The cap of the campaign stands in the way."""

    code = "over_budget"
    title = gettext_lazy("Over budget")
    is_about_money = True


@dataclass(frozen=True, slots=True)
class Books:
    """Where a campaign's money is, in dollars, fees included."""

    budget: Decimal
    committed: Decimal
    spent: Decimal
    rewards: Decimal
    bonuses: Decimal
    fees: Decimal
    open_intents: int

    @property
    def left(self) -> Decimal:
        return self.budget - self.committed

    def cap_for(self, more: Decimal) -> Decimal:
        """The least cap that has room for so much more, in whole cents."""
        return (self.committed + more).quantize(CENT, rounding=ROUND_UP)

    @property
    def outstanding(self) -> Decimal:
        """Promised to work that is not approved yet."""
        return self.committed - self.spent

    @property
    def spent_share(self) -> float:
        return float(self.spent / self.budget) if self.budget else 0.0

    @property
    def committed_share(self) -> float:
        return float(self.committed / self.budget) if self.budget else 0.0


def get_books(campaign: Campaign) -> Books:
    """Add up what was not found void. An open intent counts as if it went through."""
    return make_books(campaign, _valid().filter(campaign=campaign).aggregate(**_sums()))


def sum_books(campaigns: Sequence[Campaign]) -> dict[int, Mapping[str, Any]]:
    """What the books of several campaigns add up to, by id."""
    rows = _valid().filter(campaign__in=campaigns).order_by().values("campaign")
    found: dict[int, Any] = {row["campaign"]: row for row in rows.annotate(**_sums())}
    nothing: dict[str, Any] = dict.fromkeys(_sums(), ZERO) | {"open": 0}
    return {row.pk: found.get(row.pk, nothing) for row in campaigns}


def _valid() -> QuerySet[Intent]:
    return Intent.objects.exclude(settlement__outcome=Outcome.VOID)


def _sums() -> dict[str, Sum | Count]:
    committing = Q(kind__in=COMMITTING)
    # A rejection gives its money back, but not before the provider has confirmed it.
    rejected = Q(kind=IntentKind.REJECT, settlement__outcome=Outcome.DONE)
    released = Q(kind=IntentKind.RELEASE) | rejected
    spending = Q(kind__in=SPENDING)
    return {
        "committed": _sum("amount", committing),
        "committed_fees": _sum("fee", committing),
        "released": _sum("amount", released),
        "released_fees": _sum("fee", released),
        "rewards": _sum("amount", Q(kind=IntentKind.APPROVE)),
        "bonuses": _sum("amount", Q(kind=IntentKind.BONUS)),
        "fees": _sum("fee", spending),
        "open": Count("pk", filter=Q(settlement=None)),
    }


def make_books(campaign: Campaign, sums: Mapping[str, Any]) -> Books:
    released = sums["released"] + sums["released_fees"]
    return Books(
        budget=campaign.budget,
        committed=sums["committed"] + sums["committed_fees"] - released,
        spent=sums["rewards"] + sums["bonuses"] + sums["fees"],
        rewards=sums["rewards"],
        bonuses=sums["bonuses"],
        fees=sums["fees"],
        open_intents=sums["open"],
    )


def _sum(name: str, where: Q) -> Sum:
    return Sum(name, filter=where, default=dollars(ZERO))


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody means to spend. `key` says what for, so that meaning it twice is seen."""

    kind: IntentKind
    key: str
    amount: Decimal
    fee: Decimal = ZERO
    hit: Hit | None = None
    assignment: Assignment | None = None
    params: dict[str, Any] = field(default_factory=dict)


def intend(
    *,
    campaign: Campaign,
    drafts: Sequence[Draft] | Callable[[Campaign], Sequence[Draft]],
    user: User | None = None,
    verb: Verb | None = None,
) -> list[Intent]:
    """Commit what is about to be spent, all of it or none, if the cap allows it.

    What depends on the books is computed by a function, which is called under the lock.
    A draft whose key was used gives the intent that is there; one that the provider refused
    is tried again, under the key's next number. Durable: a caller's rollback can never take
    back the record of a call that was made. With a verb, it appears in the project's activity.
    """
    with transaction.atomic(durable=True):
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        meant = drafts(locked) if callable(drafts) else drafts
        found = _find_attempts([draft.key for draft in meant])
        new = {
            draft.key: _new_intent(locked, draft, found.get(draft.key), user)
            for draft in meant
            if draft.key not in found or _is_void(found[draft.key])
        }
        _refuse_beyond_budget(locked, new.values())
        Intent.objects.bulk_create(new.values())
        if verb and new:
            _record(locked, list(new.values()), user, verb)
    return [new.get(draft.key) or found[draft.key] for draft in meant]


def _record(campaign: Campaign, new: Sequence[Intent], user: User | None, verb: Verb) -> None:
    """What was decided; the ledger tells what came of each."""
    said = DECIDED[verb].format(
        counted(len({row.assignment_id for row in new}), "assignment", "assignments")
    )
    total = sum((row.amount for row in new if row.kind == IntentKind.BONUS), ZERO)
    text = _("{said} of {campaign}").format(said=said, campaign=campaign.name) + (
        _(", ${total:,.2f} in total").format(total=total) if total else ""
    )
    record_activity(
        project=campaign.project,
        actor=user,
        verb=verb,
        target=campaign,
        text=text,
        details={"intents": len(new), **({"bonuses": str(total)} if total else {})},
    )


DECIDED = {
    Verb.APPROVE: gettext_lazy("approved {}"),
    Verb.REJECT: gettext_lazy("rejected {}"),
    Verb.BONUS: gettext_lazy("paid a bonus for {}"),
}


def _find_attempts(keys: list[str]) -> dict[str, Intent]:
    """The latest attempt at each."""
    rows = Intent.objects.filter(base__in=keys).select_related("settlement").order_by("pk")
    return {intent.base: intent for intent in rows}


def _is_void(intent: Intent) -> bool:
    settlement = getattr(intent, "settlement", None)
    return settlement is not None and settlement.outcome == Outcome.VOID


def _new_intent(
    campaign: Campaign, draft: Draft, refused: Intent | None, user: User | None
) -> Intent:
    return Intent(
        campaign=campaign,
        kind=draft.kind,
        base=draft.key,
        attempt=refused.attempt + 1 if refused else 1,
        amount=draft.amount,
        fee=draft.fee,
        hit=draft.hit,
        assignment=draft.assignment,
        params=draft.params,
        created_by=user,
    )


def _refuse_beyond_budget(campaign: Campaign, new: Iterable[Intent]) -> None:
    wanted = sum((row.amount + row.fee for row in new if row.kind in COMMITTING), ZERO)
    if wanted:
        refuse_beyond_cap(campaign, wanted)


def refuse_beyond_cap(campaign: Campaign, wanted: Decimal, books: Books | None = None) -> None:
    """Say what is needed, what is left, and which cap would do."""
    books = books or get_books(campaign)
    if wanted > books.left:
        raise OverBudget(
            _(
                "This needs ${wanted:,.2f}, but only ${left:,.2f} of the budget of "
                "${budget:,.2f} is left."
            ).format(wanted=wanted, left=books.left, budget=books.budget),
            _(
                "Raise the budget cap in the campaign's setup to ${cap_for:,.2f} or "
                "more, or request less."
            ).format(cap_for=books.cap_for(wanted)),
            fix=reverse("crowd:setup", args=[campaign.project.slug, campaign.pk]),
        )


def settle(*, intent: Intent, provider_id: str = "", note: str = "") -> None:
    """The provider confirmed it."""
    _settle(intent, Outcome.DONE, provider_id, note)


def void(*, intent: Intent, note: str) -> None:
    """The provider refused it, for good; nothing was spent."""
    _settle(intent, Outcome.VOID, "", note)


def _settle(intent: Intent, outcome: Outcome, provider_id: str, note: str) -> None:
    """The first to settle is right; another process may have found out at the same time."""
    Settlement.objects.get_or_create(
        intent=intent,
        defaults={"outcome": outcome, "provider_id": provider_id, "note": note[:300]},
    )


def list_open_intents(campaign: Campaign, *kinds: IntentKind) -> QuerySet[Intent]:
    """What was meant, and of which nobody knows yet whether it happened."""
    found = Intent.objects.filter(campaign=campaign, settlement=None)
    return found.filter(kind__in=kinds) if kinds else found


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
