"""What the page of a running campaign shows, and whether anything of it is new."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from difflib import SequenceMatcher
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.corpora.corpus.models import Example, Summary, System
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.cleaning import clean_with
from annotation.crowd.campaigns.ledger import Books
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    ChangeKind,
    Hit,
    Intent,
    ProviderName,
)
from annotation.crowd.campaigns.overview import tell_next_step
from annotation.crowd.campaigns.planning import (
    Price,
    estimate_cost,
    list_judged_examples,
    list_scope,
    price_extension,
)
from annotation.crowd.campaigns.queries import Live, count_by_time, list_campaigns
from annotation.crowd.campaigns.steps import list_obstacles, list_warnings
from annotation.crowd.campaigns.sums import (
    ALL_KINDS,
    Kept,
    count_hits,
    floor_time,
    list_counts,
    list_places,
    read_stamps,
    recall_all_books,
    recall_wages,
)
from annotation.crowd.providers import get_provider
from annotation.crowd.review.bulk import list_top_ups
from annotation.crowd.review.queries import count_unread
from annotation.translation import gettext_lazy
from annotation.wording import counted
from scoring.aggregation.filters.fast import MIN_SECONDS
from scoring.cleaning import KINDS, RULES
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


PAY_RULES = {
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


@dataclass(frozen=True, slots=True)
class Row:
    campaign: Campaign
    wanted: int
    collected: int
    books: Books
    next_step: str

    @property
    def percent(self) -> int:
        return 100 * self.collected // self.wanted if self.wanted else 0


def list_rows(project: Project) -> list[Row]:
    campaigns = list(list_campaigns(project))
    places, counts = list_places(campaigns), list_counts(campaigns)
    books = recall_all_books(campaigns)
    return [
        Row(
            campaign=row,
            wanted=places[row.pk].wanted,
            collected=places[row.pk].collected,
            books=books[row.pk],
            next_step=tell_next_step(row, counts[row.pk].to_review),
        )
        for row in campaigns
    ]


@dataclass(frozen=True, slots=True)
class Described:
    values: dict[str, Any]
    lines: list[str]


def describe_cost(campaign: Campaign) -> Described:
    cost = estimate_cost(campaign)
    obstacles, warnings = list_obstacles(campaign), list_warnings(campaign)
    values = {
        "hits": cost.hits,
        "assignments": cost.assignments,
        "total": f"{cost.total:.4f}",
        "obstacles": obstacles,
        "warnings": warnings,
    }
    first = _("{hits:,} HITs, {assignments:,} assignments, ${total:,.2f}").format(
        hits=cost.hits, assignments=cost.assignments, total=cost.total
    )
    return Described(values, [first, *obstacles, *warnings])


__all__ = ["Price", "price_bonus", "price_decision", "price_extension", "price_top_ups"]


def price_top_ups(campaign: Campaign, workers: Collection[int] | None = None) -> Price:
    awards = list_top_ups(campaign, workers, wages=recall_wages(campaign))
    provider = get_provider(campaign)
    amount = sum((award.amount for award in awards), Decimal(0))
    fees = sum((provider.bonus_fee(award.amount) for award in awards), Decimal(0))
    return Price(len(awards), amount, fees)


def price_bonus(campaign: Campaign, amount: Decimal, number: int) -> Price:
    fee = get_provider(campaign).bonus_fee(amount)
    return Price(number, amount * number, fee * number)


def price_decision(campaign: Campaign, rows: Sequence[Assignment]) -> Price:
    """What approving these pays; fees are the provider's."""
    provider = get_provider(campaign)
    amount = sum((row.hit.reward for row in rows), Decimal(0))
    fees = sum((provider.fee(row.hit.reward, row.hit.wanted) for row in rows), Decimal(0))
    return Price(len(rows), amount, fees)


def list_project_systems(project: Project) -> QuerySet[System]:
    rows: QuerySet[System] = System.objects.live().filter(project=project)
    return rows.order_by("name", "pk")


def _find_judged_systems(campaigns: Sequence[Campaign]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {row.pk: set() for row in campaigns}
    rows = Hit.objects.filter(campaign__in=list(found)).order_by()
    pairs = rows.values_list("campaign", "summary__system").annotate(Count("pk"))
    for campaign, system, _cleaning in pairs:
        found[campaign].add(system)
    return {pk: frozenset(systems) for pk, systems in found.items()}


_judged_systems = Kept(_find_judged_systems, ChangeKind.HITS)


def list_systems_left(campaign: Campaign) -> QuerySet[System]:
    """Systems of the project that have summaries which the campaign does not judge yet."""
    rows: QuerySet[System] = System.objects.live().filter(project=campaign.project)
    return rows.exclude(pk__in=_judged_systems.of(campaign))


def list_examples_left(campaign: Campaign) -> dict[str, int]:
    """Examples that have units and that the campaign does not judge yet: their ids by key."""
    chosen = set(campaign.scope.get("examples") or [])
    rows = list_examples_with_units(campaign) if chosen else []
    return {key: pk for pk, key in rows if pk not in chosen}


def list_examples_with_units(campaign: Campaign) -> list[tuple[int, str]]:
    """Ids and keys in the order of the corpus."""
    ids = list_judged_examples(campaign)
    rows = Example.objects.live().filter(pk__in=ids).order_by("position", "pk")
    return list(rows.values_list("pk", "key"))


# Words and what stands between them: a difference is shown where it is, not as a line.
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")

Stretch = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A summary that workers read otherwise than it is stored.

    `kinds` count what was done, in words. They are empty where a HIT keeps a text that would be
    cleaned otherwise by now.
    """

    summary: Summary
    before: str
    after: str
    kinds: Mapping[str, int]

    @property
    def stretches(self) -> tuple[list[Stretch], list[Stretch]]:
        """Both texts in stretches, each with whether the other text has it otherwise."""
        return compare_texts(self.before, self.after)


def get_rules(campaign: Campaign) -> list[str]:
    """The campaign's own; of a draft that has none, all, to show what they would do."""
    has_hits = campaign.hits.exists()
    return list(campaign.cleaning) if campaign.cleaning or has_hits else list(RULES)


def list_shown_summaries(campaign: Campaign) -> QuerySet[Summary]:
    """What the page goes through: of a draft all its summaries, else those that were changed."""
    if campaign.hits.exists():
        changed = Hit.objects.filter(campaign=campaign, part=0).exclude(shown="")
        rows: QuerySet[Summary] = Summary.objects.filter(
            pk__in=changed.order_by().values("summary")
        )
    else:
        rows = list_scope(campaign)
    return rows.select_related("example", "system").order_by("example_id", "system_id")


def list_changed(
    project: Project,
    rules: Sequence[str],
    summaries: Sequence[Summary],
    kept: Mapping[int, str] | None = None,
) -> list[BeforeAfter]:
    """Those of some summaries that are read otherwise; *kept* are texts of HITs, by summary."""
    made = clean_with(project, rules, summaries)
    found = []
    for row in summaries:
        now = made.get(row.pk)
        after = kept.get(row.pk, "") if kept is not None else now.text if now else ""
        if after:
            kinds = now.kinds if now and now.text == after else {}
            words = {KINDS[kind]: count for kind, count in kinds.items()}
            found.append(BeforeAfter(row, row.text, after, words))
    return found


def list_before_after(campaign: Campaign, summaries: Sequence[Summary]) -> list[BeforeAfter]:
    """As workers see them: by the HITs that there are, else by the rules."""
    rules = get_rules(campaign)
    if not campaign.hits.exists():
        return list_changed(campaign.project, rules, summaries)
    hits = Hit.objects.filter(campaign=campaign, part=0, summary__in=summaries)
    kept = dict(hits.values_list("summary", "shown"))
    return list_changed(campaign.project, rules, summaries, kept)


def list_both(campaign: Campaign, summaries: Sequence[Summary]) -> list[BeforeAfter]:
    """All of some summaries; `after` is empty of those that workers read as they are stored."""
    changed = {row.summary.pk: row for row in list_before_after(campaign, summaries)}
    return [changed.get(row.pk) or BeforeAfter(row, row.text, "", {}) for row in summaries]


def compare_texts(before: str, after: str) -> tuple[list[Stretch], list[Stretch]]:
    one, other = _PIECE.findall(before), _PIECE.findall(after)
    left: list[Stretch] = []
    right: list[Stretch] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        is_other = tag != "equal"
        left += [("".join(one[i1:i2]), is_other)] if i2 > i1 else []
        right += [("".join(other[j1:j2]), is_other)] if j2 > j1 else []
    return left, right
