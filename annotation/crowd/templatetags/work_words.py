"""How pages for workers put times and states into words."""

from __future__ import annotations

import re
from collections.abc import Callable

from django import template
from django.conf import settings
from django.utils.translation import gettext as _

from annotation.crowd.market.models_work import AssignmentStatus, MarketAssignment
from annotation.crowd.market.system_qualifications import SYSTEM_TYPES
from annotation.translation import gettext_lazy
from annotation.wording import counted

register = template.Library()

_BADGES = {
    AssignmentStatus.ACCEPTED: "badge--live",
    AssignmentStatus.SUBMITTED: "badge--wait",
    AssignmentStatus.APPROVED: "badge--good",
    AssignmentStatus.REJECTED: "badge--bad",
    AssignmentStatus.LATE: "badge--bad",
}
_OUTCOMES = {
    AssignmentStatus.SUBMITTED: gettext_lazy(
        "Your work was submitted. You earn the reward when it is approved."
    ),
    AssignmentStatus.APPROVED: gettext_lazy(
        "Your work was approved. The reward is in your earnings."
    ),
    AssignmentStatus.REJECTED: gettext_lazy("The requester rejected your work, so it isn't paid."),
    AssignmentStatus.RETURNED: gettext_lazy("You returned this HIT."),
    AssignmentStatus.ABANDONED: gettext_lazy(
        "Your time ran out before you submitted your work. "
        "If the page is still open somewhere, submit it: late work is saved."
    ),
    AssignmentStatus.LATE: gettext_lazy(
        "You submitted after your place had gone to another worker. "
        "Your answers are saved, and the requester can see them."
    ),
}


_UNITS: dict[str, Callable[[int], str]] = {
    "d": lambda number: counted(number, "day", "days"),
    "h": lambda number: counted(number, "hour", "hours"),
    "min": lambda number: counted(number, "minute", "minutes"),
    "s": lambda number: counted(number, "second", "seconds"),
}

# A campaign finds its own bonuses by this mark, which workers don't see.
MARK = re.compile(r" \[[0-9a-f]{12}\]$")


@register.filter
def bonus_reason(reason: str) -> str:
    """What the requester wrote."""
    return MARK.sub("", reason)


@register.simple_tag
def payout_rules() -> str:
    """How the people who run this site pay, in their own words."""
    rules: str = settings.MARKET_PAYOUT_RULES
    return rules


@register.filter
def seconds_words(seconds: float) -> str:
    """A length of time in its two largest units."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    shown = [f"{number} {unit}" for number, unit in parts if number]
    return " ".join(shown[:2]) or "0 s"


@register.filter
def duration_words(seconds: float) -> str:
    """The same for a sentence: "3 days", "1 hour 30 minutes"."""
    parts = seconds_words(seconds).split()
    pairs = zip(map(int, parts[::2]), parts[1::2], strict=True)
    return " ".join(_UNITS[unit](number) for number, unit in pairs)


@register.filter
def time_taken(assignment: MarketAssignment) -> str:
    if assignment.submitted_at is None:
        return "–"
    return seconds_words((assignment.submitted_at - assignment.accepted_at).total_seconds())


@register.filter
def is_custom(type_id: str) -> bool:
    """Whether a requester made the qualification, who may be asked for it."""
    return bool(type_id) and type_id not in SYSTEM_TYPES


@register.filter
def status_badge(status: str) -> str:
    return _BADGES.get(AssignmentStatus(status), "")


@register.filter
def status_label(assignment: MarketAssignment) -> str:
    """The state in two words or three."""
    if assignment.status == AssignmentStatus.LATE:
        return _("Submitted too late")
    return assignment.get_status_display()


@register.filter
def outcome_words(assignment: MarketAssignment) -> str:
    return _OUTCOMES[AssignmentStatus(assignment.status)]
