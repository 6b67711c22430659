"""What the page of a running campaign shows, and whether anything of it is new."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.urls import reverse

from annotation.crowd.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Intent,
    ProviderName,
)
from annotation.crowd.selectors.campaigns import Live, count_by_time
from annotation.crowd.selectors.messages import count_unread
from annotation.crowd.selectors.prices import Price
from annotation.crowd.selectors.stamps import read_stamps
from annotation.crowd.selectors.sums import ALL_KINDS, count_hits, floor_time
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy, ngettext
from annotation.wording import counted
from scoring.aggregation.filters.fast import MIN_SECONDS
from scoring.io.cells import row_line

# The states of a HIT in the order in which it goes through them, each in a word.
STATES = {
    "planned": gettext_lazy("not published"),
    "open": gettext_lazy("open, no answers"),
    "partial": gettext_lazy("partly collected"),
    "collected": gettext_lazy("collected, to review"),
    "decided": gettext_lazy("decided"),
    "closed": gettext_lazy("closed, incomplete"),
}
MOVING = [CampaignState.PUBLISHING, CampaignState.LIVE, CampaignState.PAUSED]


def get_stamp(campaign: Campaign) -> str:
    """Changes whenever the live page would look different; cheap, so that polling is."""
    job = campaign.job
    seen: list[Any] = [campaign.state, campaign.collect_problem, campaign.budget]
    seen += [job.state, job.done, job.total, job.phase] if job else []
    seen.append(read_stamps([campaign], ALL_KINDS))
    seen.append(count_unread(campaign))
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for a person."""

    text: str
    label: str
    url: str
    is_alarm: bool = False
    is_money: bool = False


def list_needs(live: Live, top_up: Price | None) -> list[Need]:
    """What needs somebody, the most pressing first."""
    return [*_troubles(live), *_underpaid(live, top_up), *_questions(live), *_work(live)]


def _to(name: str, campaign: Campaign) -> str:
    return reverse(f"crowd:{name}", args=[campaign.project.slug, campaign.pk])


def _troubles(live: Live) -> Iterator[Need]:
    campaign = live.campaign
    if campaign.collect_problem:
        text = _("Answers couldn't be collected: {collect_problem}").format(
            collect_problem=campaign.collect_problem
        )
        yield Need(text, _("Open setup"), _to("setup", campaign), is_alarm=True)
    if live.unclear:
        text = ngettext(
            "{unclear:,} payment or decision that the provider didn't confirm.",
            "{unclear:,} payments or decisions that the provider didn't confirm.",
            len(live.unclear),
        ).format(unclear=len(live.unclear))
        yield Need(text, _("Settle"), _to("campaign", campaign) + "#unclear", is_alarm=True)


def _underpaid(live: Live, top_up: Price | None) -> Iterator[Need]:
    if top_up is None or not top_up.number:
        return
    text = ngettext(
        "{workers:,} worker earns less than the wage floor of ${floor:.2f} per hour.",
        "{workers:,} workers earn less than the wage floor of ${floor:.2f} per hour.",
        top_up.number,
    ).format(workers=top_up.number, floor=live.wage.floor)
    label, url = (
        _("Top up for ${total:,.2f}…").format(total=top_up.total),
        _to("top_up", live.campaign),
    )
    yield Need(text, label, url, is_alarm=True, is_money=True)


def _questions(live: Live) -> Iterator[Need]:
    if unread := count_unread(live.campaign):
        text = ngettext(
            "{unread:,} new message from workers.", "{unread:,} new messages from workers.", unread
        ).format(unread=unread)
        yield Need(text, _("Read messages"), _to("campaign_messages", live.campaign))


def _work(live: Live) -> Iterator[Need]:
    campaign = live.campaign
    is_live = campaign.state == CampaignState.LIVE
    if live.to_review and campaign.provider != ProviderName.OFFLINE:
        text = _("{assignments} to review.").format(
            assignments=counted(live.to_review, "assignment", "assignments")
        )
        yield Need(text, _("Review assignments"), _to("review", campaign))
    if live.problems:
        text = _("{answers} couldn't be read in full.").format(
            answers=counted(live.problems, "answer", "answers")
        )
        yield Need(text, _("Review problems"), _to("review", campaign) + "?problem=1&state=any")
    if live.hasty:
        text = _(
            "{assignments} answered in less than {min_seconds:g} seconds per statement, too fast "
            "to read it."
        ).format(
            assignments=counted(live.hasty, "assignment", "assignments"), min_seconds=MIN_SECONDS
        )
        yield Need(text, _("Review problems"), _to("review", campaign) + "?problem=1&state=any")
    if live.slow and is_live:
        text = _("{HITs} slow or stalled.").format(HITs=counted(len(live.slow), "HIT", "HITs"))
        yield Need(text, _("Show HITs"), _to("campaign", campaign) + "#slow")
    if is_live and live.wanted and not live.outstanding and not live.to_review:
        text = _("All assignments are collected and decided.")
        yield Need(text, _("End campaign…"), _to("end_campaign", campaign))


def count_squares(campaign: Campaign) -> list[tuple[str, str, int]]:
    """For the legend: state, its words, how many; only those that there are."""
    counts = count_hits(campaign)
    return [(state, words, counts[state]) for state, words in STATES.items() if state in counts]


def stream_collected(campaign: Campaign) -> Iterator[str]:
    """The points of the plot as a CSV file."""
    yield row_line("until", "collected")
    for at, count in count_by_time(campaign):
        yield row_line(at.isoformat(timespec="seconds"), str(count))


RULES = {
    "full": gettext_lazy("with all statements answered"),
    "gold": gettext_lazy("with all statements answered and all attention items correct"),
    "old": gettext_lazy("older than a day"),
}


def list_by_rule(campaign: Campaign, rule: str) -> QuerySet[Assignment]:
    """What waits for review and fits the rule."""
    rows = Assignment.objects.filter(campaign=campaign, state=AssignmentState.SUBMITTED)
    fitting = {
        "full": Q(problem=""),
        "gold": Q(problem="", gold_right=F("gold_asked"), gold_asked__gt=0),
        "old": Q(submitted_at__lt=floor_time() - timedelta(days=1)),
    }
    return rows.filter(fitting[rule]).select_related("hit")


def get_intent(campaign: Campaign, pk: int) -> Intent | None:
    rows = Intent.objects.filter(campaign=campaign, pk=pk)
    return rows.select_related("assignment__hit", "assignment__worker", "campaign").first()
