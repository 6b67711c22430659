"""What a paid crowd must be able to do for a campaign, whoever it is.

A provider only talks: it never writes campaign rows and never decides whether to spend. The
services write an intent first, call one of these methods with the intent's key as `token`, and
settle afterwards. A method that spends must either be idempotent under its token or raise
`Unsure` when it cannot tell whether the call went through; `find_…` then looks it up.

- Calls to a provider that are repeated when nobody answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import ClassVar, Protocol, TypeVar

from annotation.crowd.campaigns.models import Assignment, Campaign, Hit, Worker
from annotation.errors import DomainError
from annotation.translation import gettext_lazy


class ProviderError(DomainError):
    """The provider refused, for good: sending the same again would be refused again."""

    status = 502
    code = "provider_refused"
    title = gettext_lazy("Refused by the provider")


class OutOfFunds(ProviderError):
    """The account with the provider holds less than this costs."""

    is_about_money = True


class Unsure(DomainError):
    """The call may or may not have gone through; it has to be looked up before it is repeated."""

    status = 502
    code = "provider_unsure"
    title = gettext_lazy("No clear answer from the provider")


class NotReachable(Unsure):
    """Nothing answered, or it asked us to wait; trying later is right."""

    code = "provider_unreachable"
    title = gettext_lazy("Provider unreachable")


@dataclass(frozen=True, slots=True)
class Published:
    """A HIT as the provider has it."""

    provider_id: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Received:
    """An assignment as the provider has it. `status` is submitted, approved or rejected."""

    hit_id: str
    assignment_id: str
    worker_id: str
    status: str
    raw: str
    accepted_at: datetime | None = None
    submitted_at: datetime | None = None
    auto_approve_at: datetime | None = None
    decided_at: datetime | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Places:
    """The assignments of a HIT: asked for in all, in workers' hands, submitted, decided."""

    asked: int
    pending: int
    submitted: int
    decided: int


@dataclass(frozen=True, slots=True)
class Told:
    """Whom a message did not reach, and why."""

    failures: dict[str, str] = field(default_factory=dict)


class Provider(Protocol):
    """One crowd, as one campaign uses it. Made by `providers.get_provider(campaign)`."""

    campaign: Campaign
    # Whether a rejected place is given to somebody else at once, so that its money stays committed.
    reopens_rejected: ClassVar[bool]

    def check(self) -> list[str]:
        """What stands in the way of publishing (no key, endpoint away); empty if nothing does."""

    def fee(self, reward: Decimal, assignments: int) -> Decimal:
        """What the provider takes for one assignment, on top of its reward."""

    def bonus_fee(self, amount: Decimal) -> Decimal:
        """What the provider takes for a bonus."""

    def balance(self) -> Decimal | None:
        """What is left of the prepaid budget, if the provider has such a thing."""

    def prepare(self) -> None:
        """Make what HITs stand on (HIT types, qualifications, study); safe to repeat."""

    def publish(self, hit: Hit, token: str) -> Published:
        """Put one HIT out. The same token never makes a second one within the token's life."""

    def find_published(self, hits: Iterable[Hit]) -> dict[int, Published]:
        """Which of these HITs the provider already has, by our id, whatever became of the call."""

    def extend(self, hit: Hit, additional: int, token: str) -> None:
        """Ask for more assignments of a HIT that is out."""

    def find_limit(self, places: int, wanted: int) -> str:
        """Why a HIT that was made with so many places can't have as many as wanted; or nothing."""

    def survey(self, hits: Sequence[Hit]) -> dict[int, Places]:
        """How each HIT stands at the provider, by our id; cheap, so that polling is."""

    def set_expiration(self, hit: Hit, at: datetime) -> None:
        """Close a HIT now or open it until then; safe to repeat."""

    def collect(self, hits: Sequence[Hit]) -> Iterator[Received]:
        """Everything that was submitted for these HITs, all pages, whatever its state."""

    def find_status(self, assignment: Assignment) -> str:
        """submitted, approved or rejected."""

    def approve(self, assignment: Assignment, feedback: str, *, override: bool = False) -> None:
        """Approve; already approved counts as done. `override` turns a rejection around."""

    def reject(self, assignment: Assignment, feedback: str) -> None:
        """Reject; already rejected counts as done."""

    def send_bonus(self, assignment: Assignment, amount: Decimal, reason: str, token: str) -> None:
        """Pay a bonus once per token, or raise `Unsure`."""

    def find_bonus(self, assignment: Assignment, amount: Decimal, token: str) -> bool | None:
        """Whether the bonus of this token was paid; None if the provider can't tell."""

    def notify(self, workers: Sequence[Worker], subject: str, text: str) -> Told:
        """Write to workers."""

    def exclude(self, worker: Worker, reason: str) -> None:
        """Keep a worker from this project's work; safe to repeat."""

    def include(self, worker: Worker) -> None:
        """Take an exclusion back."""

    def keep_out(self, workers: Sequence[Worker]) -> None:
        """Keep workers of other campaigns from this one; safe to repeat."""

    def stop(self, workers: Sequence[Worker]) -> None:
        """Give no more of the campaign's HITs to those who have done their share; repeatable."""


T = TypeVar("T")
PAUSES = (0.2, 0.5, 1, 2, 4, 8, 15, 30)


def patiently(call: Callable[[], T]) -> T:
    """Repeat a call that nobody answered, each time after a longer pause.

    Only for calls that are harmless to repeat: reads, and what carries an intent's token.
    """
    for pause in PAUSES:
        try:
            return call()
        except NotReachable:
            time.sleep(pause)
    return call()
