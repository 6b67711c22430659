"""Qualifications that the marketplace itself keeps: their fixed ids, and what a worker has of each.

The ids are MTurk's, so that requirements written for it mean the same here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.translation import gettext_lazy

PERCENT_SUBMITTED: Final = "00000000000000000000"
HITS_APPROVED: Final = "00000000000000000040"
ADULT: Final = "00000000000000000060"
PERCENT_ABANDONED: Final = "00000000000000000070"
LOCALE: Final = "00000000000000000071"
PERCENT_RETURNED: Final = "000000000000000000E0"
PERCENT_APPROVED: Final = "000000000000000000L0"
PERCENT_REJECTED: Final = "000000000000000000S0"
MASTERS: Final = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"
MASTERS_SANDBOX: Final = "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"


@dataclass(frozen=True, slots=True)
class SystemType:
    """A type that nobody owns and nobody can request: its description, and what workers read."""

    type_id: str
    name: str
    words: str
    called: str


SYSTEM_TYPES: Final = {
    item.type_id: item
    for item in [
        SystemType(
            PERCENT_SUBMITTED,
            "Worker_PercentAssignmentsSubmitted",
            gettext_lazy("percentage of accepted HITs that a worker submitted"),
            gettext_lazy("a submission rate"),
        ),
        SystemType(
            HITS_APPROVED,
            "Worker_NumberHITsApproved",
            gettext_lazy("number of HITs for which a worker was approved"),
            gettext_lazy("approved HITs"),
        ),
        SystemType(ADULT, "Worker_Adult", gettext_lazy("whether a worker is an adult"), "adults"),
        SystemType(
            PERCENT_ABANDONED,
            "Worker_PercentAssignmentsAbandoned",
            gettext_lazy("percentage of accepted HITs that a worker abandoned"),
            gettext_lazy("an abandonment rate"),
        ),
        SystemType(
            LOCALE, "Worker_Locale", gettext_lazy("country of a worker"), gettext_lazy("a country")
        ),
        SystemType(
            PERCENT_RETURNED,
            "Worker_PercentAssignmentsReturned",
            gettext_lazy("percentage of accepted HITs that a worker returned"),
            gettext_lazy("a return rate"),
        ),
        SystemType(
            PERCENT_APPROVED,
            "Worker_PercentAssignmentsApproved",
            gettext_lazy("percentage of reviewed work that was approved"),
            gettext_lazy("an approval rate"),
        ),
        SystemType(
            PERCENT_REJECTED,
            "Worker_PercentAssignmentsRejected",
            gettext_lazy("percentage of reviewed work that was rejected"),
            gettext_lazy("a rejection rate"),
        ),
        # Nobody is a Master here.
        SystemType(MASTERS, "Masters", "Masters", gettext_lazy("the Masters qualification")),
        SystemType(
            MASTERS_SANDBOX, "Masters_Sandbox", "Masters", gettext_lazy("the Masters qualification")
        ),
    ]
}


def integer_value(type_id: str, worker: WorkerAccount) -> int | None:
    """MTurk's counts. Somebody of whom nothing was decided yet has the benefit of the doubt."""
    decided = worker.approved + worker.rejected
    values: dict[str, int | None] = {
        PERCENT_APPROVED: _percent(worker.approved, decided, 100),
        PERCENT_REJECTED: _percent(worker.rejected, decided, 0),
        HITS_APPROVED: worker.approved,
        LOCALE: 1 if worker.country else None,
        ADULT: int(worker.is_adult),
        PERCENT_SUBMITTED: _percent(worker.submitted, worker.accepted, 100),
        PERCENT_ABANDONED: _percent(worker.abandoned, worker.accepted, 0),
        PERCENT_RETURNED: _percent(worker.returned, worker.accepted, 0),
    }
    return values.get(type_id)


def _percent(part: int, whole: int, otherwise: int) -> int:
    return min(100, 100 * part // whole) if whole else otherwise
