"""Deciding on what workers submitted: approve, reject, bonus. What costs is an intent first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.access import holds_role
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.ledger import Draft, intend, list_open_intents, settle, void
from annotation.crowd.campaigns.models import (
    ApproveRule,
    Assignment,
    AssignmentState,
    Campaign,
    Hit,
    Intent,
    IntentKind,
    Outcome,
    Settlement,
)
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import NotReachable, Provider, ProviderError, Unsure, patiently
from annotation.doors import current_actor
from annotation.errors import DomainError, Forbidden, Invalid

# Ahead of the provider's own deadline, so that the decision is ours and in our books.
AHEAD = timedelta(hours=1)
# Whoever wrote an intent is still busy with it; after this, they are taken for dead.
GIVEN_UP_AFTER = timedelta(minutes=2)
LONGEST_FEEDBACK = 1024
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Award:
    """A bonus for an assignment. Awards with the same key are one."""

    assignment: Assignment
    amount: Decimal
    reason: str
    key: str = ""

    @property
    def base(self) -> str:
        """The same bonus, meant twice by two people or two clicks, is paid once."""
        said = f"{self.amount.quantize(CENT)}/{self.reason}"
        purpose = self.key or hashlib.sha256(said.encode()).hexdigest()[:24]
        return f"bonus:{self.assignment.pk}:{purpose}"


def approve_assignments(
    *,
    campaign: Campaign,
    assignments: Sequence[Assignment],
    user: User | None,
    feedback: str = "",
    override: bool = False,
) -> int:
    """Approve and pay; what was approved before stays. `override` turns rejections around."""
    _refuse_own(assignments, user)
    wanted = [AssignmentState.SUBMITTED, *([AssignmentState.REJECTED] if override else [])]
    rows = [row for row in assignments if row.state in wanted]
    provider = get_provider(campaign)
    overturned = [row for row in rows if row.state == AssignmentState.REJECTED]
    drafts = [_draft(IntentKind.OVERTURN, provider, row) for row in overturned]
    drafts += [_draft(IntentKind.APPROVE, provider, row, feedback) for row in rows]
    intents = intend(campaign=campaign, drafts=drafts, user=user, verb=Verb.APPROVE)
    for intent in intents[: len(overturned)]:
        settle(intent=intent)
    words = feedback[:LONGEST_FEEDBACK]
    _do_all(intents[len(overturned) :], lambda intent: _approve(provider, intent, user, words))
    return len(rows)


def find_own_id(user: User | None) -> str:
    """The marketplace's id of who decides here, if they are a worker too."""
    account = WorkerAccount.objects.filter(user=user or current_actor()).first()
    return account.worker_id if account is not None else ""


def _refuse_own(assignments: Iterable[Assignment], user: User | None) -> None:
    """Whoever may decide here may have worked before they could."""
    own = find_own_id(user)
    if own and any(row.worker is not None and row.worker.provider_id == own for row in assignments):
        raise Forbidden(
            _("Some of this is your own work. You can't pay yourself."),
            _("Leave it out. Another owner of the project can decide on it."),
        )


class Refused(ProviderError):
    """The provider refused some, or could not tell; the others are done."""

    def __init__(self, done: int, refusals: Sequence[DomainError]) -> None:
        first, number = refusals[0], done + len(refusals)
        what = (
            _("{refusals:,} of {number:,} failed; the first: ").format(
                refusals=len(refusals), number=number
            )
            if number > 1
            else ""
        )
        super().__init__(f"{what}{first.message}", first.hint)
        self.status, self.code, self.title = first.status, first.code, first.title
        self.done, self.refused = done, len(refusals)


def _do_all(intents: Sequence[Intent], act: Callable[[Intent], object]) -> None:
    """One that is refused or unclear keeps nobody else from being decided on, or paid."""
    refusals: list[DomainError] = []
    for intent in intents:
        try:
            act(intent)
        except NotReachable:
            raise
        except (ProviderError, Unsure) as error:
            refusals.append(error)
    if refusals:
        raise Refused(len(intents) - len(refusals), refusals)


def _draft(
    kind: IntentKind, provider: Provider, assignment: Assignment, feedback: str = ""
) -> Draft:
    hit = assignment.hit
    gives_back = kind != IntentKind.REJECT or not provider.reopens_rejected
    return Draft(
        kind=kind,
        key=f"{kind}:{assignment.pk}",
        amount=hit.reward if gives_back else Decimal(0),
        fee=provider.fee(hit.reward, hit.wanted) if gives_back else Decimal(0),
        hit=hit,
        assignment=assignment,
        params={"feedback": feedback},
    )


def _approve(provider: Provider, intent: Intent, user: User | None, feedback: str) -> None:
    row = _assignment(intent)
    override = row.state == AssignmentState.REJECTED
    try:
        patiently(lambda: provider.approve(row, feedback, override=override))
    except ProviderError as error:
        void(intent=intent, note=error.message)
        raise
    _decide(row, AssignmentState.APPROVED, intent, user=user, feedback=feedback)


def _assignment(intent: Intent) -> Assignment:
    assert intent.assignment is not None
    return intent.assignment


def reject_assignments(
    *,
    campaign: Campaign,
    assignments: Sequence[Assignment],
    user: User | None,
    feedback: str,
) -> int:
    """Reject with a reason that the worker reads; the money goes back to the budget."""
    reason = feedback.strip()[:LONGEST_FEEDBACK]
    if not reason:
        raise Invalid(_("A rejection needs a reason."), _("Say what is wrong with the work."))
    rows = [row for row in assignments if row.state == AssignmentState.SUBMITTED]
    provider = get_provider(campaign)
    drafts = [_draft(IntentKind.REJECT, provider, row, reason) for row in rows]
    intents = intend(campaign=campaign, drafts=drafts, user=user, verb=Verb.REJECT)
    _do_all(intents, lambda intent: _reject(provider, intent, user, reason))
    return len(rows)


def _reject(provider: Provider, intent: Intent, user: User | None, feedback: str) -> None:
    row = _assignment(intent)
    try:
        patiently(lambda: provider.reject(row, feedback))
    except ProviderError as error:
        void(intent=intent, note=error.message)
        raise
    _decide(row, AssignmentState.REJECTED, intent, user=user, feedback=feedback)


@transaction.atomic
def _decide(
    row: Assignment,
    state: AssignmentState,
    intent: Intent,
    *,
    at: datetime | None = None,
    user: User | None = None,
    feedback: str = "",
) -> None:
    """Settle, and show it; the count of a HIT moves only with the first decision."""
    settle(intent=intent)
    mine = Assignment.objects.filter(pk=row.pk)
    if mine.filter(state=AssignmentState.SUBMITTED).exists():
        Hit.objects.filter(pk=row.hit_id).update(decided=F("decided") + 1)
    mine.update(state=state, decided_at=at or clock.now(), decided_by=user, feedback=feedback)
    row.state = state


def note_decision(row: Assignment, status: str, at: datetime | None) -> bool:
    """Take over what the provider says was decided: by its own deadline, or by a call of ours."""
    if status == row.state or status == AssignmentState.SUBMITTED:
        return False
    provider = get_provider(row.campaign)
    kind = IntentKind.APPROVE if status == AssignmentState.APPROVED else IntentKind.REJECT
    draft = _draft(kind, provider, row)
    intent = intend(campaign=row.campaign, drafts=[draft])[0]
    _decide(row, AssignmentState(status), intent, at=at, user=intent.created_by)
    return True


def send_bonuses(*, campaign: Campaign, awards: Sequence[Award], user: User | None) -> int:
    """Pay each bonus once; the cap holds for them together."""
    intents = intend_bonuses(campaign=campaign, awards=awards, user=user)
    return pay_bonuses(campaign=campaign, intents=intents)


def intend_bonuses(
    *,
    campaign: Campaign,
    awards: Sequence[Award] | Callable[[Campaign], Sequence[Award]],
    user: User | None,
) -> list[Intent]:
    """In the books, before anything is paid; a function is called under the campaign's lock."""
    provider = get_provider(campaign)

    def draft_all(locked: Campaign) -> list[Draft]:
        found = awards(locked) if callable(awards) else awards
        for award in found:
            _check_award(award)
        _refuse_own([award.assignment for award in found], user)
        return [_bonus_draft(provider, award) for award in found]

    return intend(campaign=campaign, drafts=draft_all, user=user, verb=Verb.BONUS)


def pay_bonuses(*, campaign: Campaign, intents: Sequence[Intent]) -> int:
    """Those that are not settled yet; outside of any transaction."""
    provider = get_provider(campaign)
    unpaid = [intent for intent in intents if getattr(intent, "settlement", None) is None]
    _do_all(unpaid, lambda intent: _send_bonus(provider, intent))
    return len(unpaid)


def _check_award(award: Award) -> None:
    if award.amount < CENT or award.amount != award.amount.quantize(CENT):
        raise Invalid(
            _("A bonus must be a whole number of cents, at least one, not {amount}.").format(
                amount=award.amount
            )
        )
    if not award.reason.strip():
        raise Invalid(_("A bonus needs a reason."), _("The worker sees it."))
    if award.assignment.worker is None:
        raise Invalid(_("This assignment's worker is unknown, so no bonus can be paid."))


def _bonus_draft(provider: Provider, award: Award) -> Draft:
    return Draft(
        kind=IntentKind.BONUS,
        key=award.base,
        amount=award.amount,
        fee=provider.bonus_fee(award.amount),
        hit=award.assignment.hit,
        assignment=award.assignment,
        params={"reason": award.reason},
    )


def _send_bonus(provider: Provider, intent: Intent) -> None:
    """What was meant a while ago is looked up first: its token may be forgotten by now."""
    row, is_old = _assignment(intent), intent.created_at < clock.now() - GIVEN_UP_AFTER
    if is_old and patiently(lambda: provider.find_bonus(row, intent.amount, intent.token)):
        settle(intent=intent)
    else:
        _pay_bonus(provider, intent)


def _pay_bonus(provider: Provider, intent: Intent) -> None:
    row, reason = _assignment(intent), intent.params["reason"]
    try:
        patiently(lambda: provider.send_bonus(row, intent.amount, reason, intent.token))
    except ProviderError as error:
        void(intent=intent, note=error.message)
        raise
    settle(intent=intent)


def finish_open_intents(*, campaign: Campaign) -> list[Intent]:
    """Look up every decision whose process died, and make it or settle it; returns the unclear.

    What the provider can't tell stays open: a person decides, and nothing is paid twice. So does
    what was not made yet and was meant by somebody who may not decide here any more.
    """
    provider = get_provider(campaign)
    old = clock.now() - GIVEN_UP_AFTER
    kinds = (IntentKind.APPROVE, IntentKind.REJECT, IntentKind.BONUS)
    rows = list_open_intents(campaign, *kinds).filter(created_at__lt=old)
    return [intent for intent in _with_assignments(rows) if not _finish(provider, intent)]


def _with_assignments(intents: Iterable[Intent]) -> list[Intent]:
    related = ("assignment__hit", "assignment__worker", "assignment__campaign", "campaign")
    return list(intents.select_related(*related, "created_by"))  # type: ignore[attr-defined]


def _finish(provider: Provider, intent: Intent) -> bool:
    try:
        if intent.kind == IntentKind.BONUS:
            return _finish_bonus(provider, intent)
        if not _may_still_decide(intent):
            return _settle_if_made(provider, intent)
        if intent.kind == IntentKind.APPROVE:
            _approve(provider, intent, intent.created_by, intent.params["feedback"])
        else:
            _reject(provider, intent, intent.created_by, intent.params["feedback"])
    except ProviderError:
        return True  # void by now: the provider refused it
    except Unsure:
        return False
    return True


def _may_still_decide(intent: Intent) -> bool:
    """Commands, rules and the provider's own decisions have no author."""
    author = intent.created_by_id
    return author is None or holds_role(author, intent.campaign.project_id, Role.OWNER)


def _settle_if_made(provider: Provider, intent: Intent) -> bool:
    """Note what went through before its author lost the right; make nothing."""
    row = _assignment(intent)
    wanted = STATE_AFTER[intent.kind]
    if provider.find_status(row) != wanted:
        return False
    _decide(row, wanted, intent, user=intent.created_by, feedback=intent.params["feedback"])
    return True


STATE_AFTER: dict[str, AssignmentState] = {
    IntentKind.APPROVE: AssignmentState.APPROVED,
    IntentKind.REJECT: AssignmentState.REJECTED,
}


def _finish_bonus(provider: Provider, intent: Intent) -> bool:
    found = provider.find_bonus(_assignment(intent), intent.amount, intent.token)
    if found:
        settle(intent=intent)
        return True
    if found is None or not _may_still_decide(intent):
        return False
    _pay_bonus(provider, intent)
    return True


def settle_by_hand(*, intent: Intent, user: User | None, outcome: str, note: str) -> None:
    """A person looked at the provider's books: the payment or decision was made, or it was not."""
    if outcome not in Outcome.values:
        raise Invalid(
            _("There is no outcome '{outcome}'.").format(outcome=outcome),
            _("Known: {values}.").format(values=", ".join(Outcome.values)),
        )
    if Settlement.objects.filter(intent=intent).exists():
        raise DomainError(_("This has been settled in the meantime."), _("See the ledger."))
    said = _("Settled manually by {user}:  {note}").format(
        user=user or _("an unknown user"), note=note.strip() or _("no note")
    )
    with transaction.atomic():
        _record_by_hand(intent, user, outcome)
        if outcome == Outcome.VOID:
            void(intent=intent, note=said)
            return
        settle(intent=intent, note=said)
        if intent.kind in DECISIONS:
            state, feedback = DECISIONS[intent.kind], intent.params.get("feedback", "")
            _decide(_assignment(intent), state, intent, user=user, feedback=feedback)


def _record_by_hand(intent: Intent, user: User | None, outcome: str) -> None:
    what = _("{kind} of {campaign}").format(
        kind=intent.get_kind_display().lower(), campaign=intent.campaign.name
    )
    record_activity(
        project=intent.campaign.project,
        actor=user,
        verb=Verb.SETTLE,
        target=intent.campaign,
        text=_("settled manually: {what},  {Outcome}").format(
            what=what, Outcome=Outcome(outcome).label.lower()
        ),
        details={"intent": intent.pk},
    )


DECISIONS = {
    IntentKind.APPROVE.value: AssignmentState.APPROVED,
    IntentKind.REJECT.value: AssignmentState.REJECTED,
}


def approve_by_rule(*, campaign: Campaign) -> int:
    """Approve what the campaign's rule says needs no second look."""
    rows = Assignment.objects.filter(campaign=campaign, state=AssignmentState.SUBMITTED)
    soon = clock.now() + AHEAD
    rules = {
        ApproveRule.OFF: Q(pk__in=[]),
        ApproveRule.DEADLINE: Q(auto_approve_at__lte=soon),
        ApproveRule.GOLD: Q(problem="", gold_right=F("gold_asked")) | Q(auto_approve_at__lte=soon),
        ApproveRule.ALL: Q(problem="") | Q(auto_approve_at__lte=soon),
    }
    due = rows.filter(rules[ApproveRule(campaign.approve_rule)])
    if own := find_own_id(None):
        due = due.exclude(worker__provider_id=own)
    ready = list(due.select_related("hit", "worker", "campaign")[:500])
    return approve_assignments(campaign=campaign, assignments=ready, user=None)
