"""The states that a campaign goes through: published, extended, paused, resumed, ended."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock
from annotation.computed import Computed
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.queries import KEPT_SECONDS
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import create_job
from annotation.crowd.campaigns.checks import list_planned_examples
from annotation.crowd.campaigns.ledger import OverBudget, refuse_beyond_cap
from annotation.crowd.campaigns.models import Campaign, CampaignState, Delivery, ProviderName
from annotation.crowd.campaigns.overview import get_reach
from annotation.crowd.campaigns.planning import (
    count_scope,
    estimate_cost,
    find_cap,
    list_left_out,
    list_longest,
    list_scope,
    plan_hits,
    price_extension,
    recall,
    widened,
)
from annotation.crowd.campaigns.service import ensure_payer, refuse_strangers
from annotation.crowd.judging_page.question import QuestionTooLarge, build_question
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.marketplace import Marketplace
from annotation.crowd.providers.requester_api import RequesterApi
from annotation.errors import DomainError, Invalid
from annotation.translation import gettext_lazy
from annotation.wording import counted

# So many of the longest summaries, and of those with the longest units.
MEASURED = 4
# So many of the examples that are left out are named.
NAMED = 5
LEFT_OUT = Computed("left-out-examples", list[str], KEPT_SECONDS)


def list_obstacles(campaign: Campaign) -> list[str]:
    """What must be fixed before publishing, in words."""
    if not campaign.unit_set.is_frozen:
        return [
            _("{unit_set} isn't frozen yet: its units can still change.").format(
                unit_set=campaign.unit_set
            )
        ]
    obstacles = []
    if not count_scope(campaign):
        obstacles.append(_("No summary of an example with units is selected."))
    cost = estimate_cost(campaign)
    cap = find_cap(campaign, cost)
    if cost.total > cap:
        obstacles.append(
            _("This costs up to ${total:,.2f}, but the budget is ${cap:,.2f}.").format(
                total=cost.total, cap=cap
            )
        )
    if shortage := find_shortage(campaign, cost.total):
        obstacles.append(shortage)
    return obstacles + _find_too_large(campaign) + get_provider(campaign).check()


def find_shortage(campaign: Campaign, cost: Decimal) -> str:
    provider = get_provider(campaign)
    return provider.find_shortage(cost) if isinstance(provider, Marketplace) else ""


def list_warnings(campaign: Campaign) -> list[str]:
    """What does not prevent publishing, but should be known before."""
    return [*_warn_of_workers(campaign), *_warn_of_examples(campaign)]


def _warn_of_workers(campaign: Campaign) -> list[str]:
    """Too few of those who are there may do the work."""
    reach = get_reach(campaign)
    if reach is None or reach.qualified + reach.testable >= campaign.assignments_per_hit:
        return []
    if not reach.known:
        return [_("Nobody has joined the marketplace as a worker yet. Invite workers.")]
    wanted = counted(campaign.assignments_per_hit, "worker", "workers")
    blocked = "; ".join(f"{block.reason} ({block.workers:,})" for block in reach.blocks)
    advice = (
        _("The others don't qualify: {blocked}. Change the requirements or invite workers.").format(
            blocked=blocked
        )
        if blocked
        else _("Invite workers or request fewer assignments per HIT.")
    )
    return [
        _("{reach} Each HIT needs {wanted}, so they can't complete it. {advice}").format(
            reach=reach.words, wanted=wanted, advice=advice
        )
    ]


def list_left_out_keys(campaign: Campaign) -> list[str]:
    left_out = list_left_out(campaign).values_list("key", flat=True)
    return recall(LEFT_OUT, campaign, lambda: list(left_out))


def _warn_of_examples(campaign: Campaign) -> list[str]:
    keys = list_left_out_keys(campaign)
    if not keys:
        return []
    named = ", ".join(keys[:NAMED]) + ("" if len(keys) <= NAMED else ", …")
    chosen = campaign.scope.get("examples")
    of = _(" of {chosen:,}").format(chosen=len(chosen)) if chosen else ""
    begin = ngettext(
        "{keys:,} example{of} has no units and is left out: {named}.",
        "{keys:,} examples{of} have no units and are left out: {named}.",
        len(keys),
    ).format(keys=len(keys), of=of, named=named)
    said = (begin, _explain_bias(campaign), _suggest_fix(campaign))
    return [" ".join(filter(None, said))]


def _explain_bias(campaign: Campaign) -> str:
    if not list_planned_examples(campaign.unit_set).exists():
        return ""
    return _(
        "A plan assigns the hardest sentences to people, and these aren't written yet: "
        "scores without them are biased."
    )


def _suggest_fix(campaign: Campaign) -> str:
    unit_set = campaign.unit_set
    if not unit_set.is_frozen:
        return _(
            "Before you freeze {unit_set}, write their units or use STUs for the rest."
        ).format(unit_set=unit_set)
    return _(
        "To have them judged, create the next version of {unit_set}, write their units or use "
        "STUs for the rest, freeze it, and create a campaign for that version."
    ).format(unit_set=unit_set)


def _find_too_large(campaign: Campaign) -> list[str]:
    """The HITs with most to read, measured as they would be sent."""
    provider = get_provider(campaign)
    if campaign.delivery != Delivery.HTML or not isinstance(provider, RequesterApi):
        return []
    for hit in plan_hits(campaign, list_longest(campaign, MEASURED)):
        try:
            build_question(hit, provider.submit_origins())
        except QuestionTooLarge as error:
            return [f"{error.message} {error.hint}"]
    return []


def publish_campaign(*, campaign: Campaign, user: User | None) -> Job:
    """Start the job that puts every HIT out; a second call finds it started."""
    ensure_payer(campaign, user)
    if campaign.state == CampaignState.DRAFT and (obstacles := list_obstacles(campaign)):
        raise DomainError(obstacles[0], _("Fix this, then publish."), fix=campaign)
    return start_step(
        campaign,
        user,
        [CampaignState.DRAFT],
        CampaignState.PUBLISHING,
        "publish_campaign",
        Verb.PUBLISH,
        published_at=clock.now(),
        scope=_pinned(campaign),
        budget=find_cap(campaign, estimate_cost(campaign)),
    )


def _pinned(campaign: Campaign) -> dict[str, Any]:
    """The systems one by one: what is imported later is judged when somebody says so."""
    systems = list_scope(campaign).order_by("system").values_list("system", flat=True).distinct()
    return {**campaign.scope, "systems": list(systems)}


def pause_campaign(*, campaign: Campaign, user: User | None) -> Job:
    """Close open HITs for now; work in hand may still be submitted."""
    return start_step(
        campaign,
        user,
        [CampaignState.LIVE],
        CampaignState.PAUSED,
        "close_hits",
        Verb.PAUSE,
    )


def resume_campaign(*, campaign: Campaign, user: User | None) -> Job:
    return start_step(
        campaign,
        user,
        [CampaignState.PAUSED],
        CampaignState.LIVE,
        "open_hits",
        Verb.RESUME,
    )


def end_campaign(*, campaign: Campaign, user: User | None) -> Job:
    """Close every HIT for good; what can't be collected any more is given back to the budget.

    Also when publishing has failed: what went out until then is closed.
    """
    has_failed = campaign.job is not None and campaign.job.state == JobState.FAILED
    return start_step(
        campaign,
        user,
        [
            *(CampaignState.LIVE, CampaignState.PAUSED),
            *([CampaignState.PUBLISHING] if has_failed else []),
        ],
        CampaignState.ENDED,
        "close_hits",
        Verb.END,
        ended_at=clock.now(),
    )


def extend_campaign(
    *,
    campaign: Campaign,
    user: User | None,
    additional: int = 0,
    systems: Sequence[int] = (),
    examples: Sequence[int] = (),
    expected: int | None = None,
) -> Job:
    """Ask for more assignments of every HIT, or for the summaries of more systems or examples.

    `expected` is how many assignments a HIT had when this was decided: a second click, or somebody
    else who has extended meanwhile, extends nothing twice.
    """
    if additional < 0 or not (additional or systems or examples):
        raise Invalid(_("Enter how many assignments, or which systems or examples to add."))
    if campaign.provider == ProviderName.OFFLINE:
        raise DomainError(
            _("A campaign of offline files can't be extended."), _("Create a new campaign.")
        )
    refuse_strangers(campaign.project, "systems", systems)
    refuse_strangers(campaign.project, "examples", examples)
    if expected not in (None, campaign.assignments_per_hit):
        raise _extended_before(campaign)
    if campaign.state == CampaignState.LIVE:
        _check_extension(campaign, additional, systems, examples)
    return start_step(
        campaign,
        user,
        [CampaignState.LIVE],
        CampaignState.PUBLISHING,
        "publish_campaign",
        Verb.EXTEND,
        scope=widened(campaign, systems, examples),
        assignments_per_hit=campaign.assignments_per_hit + additional,
    )


def _extended_before(campaign: Campaign) -> DomainError:
    return DomainError(
        _("Already extended: each HIT now has {assignments_per_hit} assignments.").format(
            assignments_per_hit=campaign.assignments_per_hit
        ),
        _("Check the campaign, and extend it again if you still want to."),
    )


def _check_extension(
    campaign: Campaign, additional: int, systems: Sequence[int], examples: Sequence[int]
) -> None:
    """Refuse what the cap or the provider would refuse half-way."""
    has = campaign.assignments_per_hit
    if obstacle := get_provider(campaign).find_limit(has, has + additional):
        raise DomainError(obstacle, _("Create a new campaign for the same summaries."))
    cost = price_extension(campaign, additional, systems, examples).total
    refuse_beyond_cap(campaign, cost)
    if shortage := find_shortage(campaign, cost):
        raise OverBudget(shortage, _("Extend the campaign when there is enough money."))


TITLES = {
    Verb.PUBLISH: gettext_lazy("Publish"),
    Verb.PAUSE: gettext_lazy("Pause"),
    Verb.RESUME: gettext_lazy("Resume"),
    Verb.END: gettext_lazy("End"),
    Verb.EXTEND: gettext_lazy("Extend"),
}


def start_step(
    campaign: Campaign,
    user: User | None,
    before: list[CampaignState],
    after: CampaignState,
    kind: str,
    verb: Verb,
    **changes: Any,
) -> Job:
    """Change the state once and start the job for it, both or neither."""
    with transaction.atomic():
        rows = Campaign.objects.filter(pk=campaign.pk, state__in=before).exclude(AT_WORK)
        if not rows.update(state=after, **changes):
            campaign.refresh_from_db()
            raise _wrong_state(campaign, before)
        campaign.refresh_from_db()
        job = create_job(
            project=campaign.project,
            user=user,
            kind=kind,
            title=f"{TITLES[verb]} {campaign.name}"[:200],
            params={"campaign": campaign.pk},
        )
        Campaign.objects.filter(pk=campaign.pk).update(job=job)
        record_activity(
            project=campaign.project,
            actor=user,
            verb=verb,
            target=campaign,
            text=_("{verb} the campaign {campaign}").format(
                verb=verb.label.lower(), campaign=campaign.name
            ),
        )
    campaign.job = job
    return job


# One step at a time: closing HITs while others are being opened would never end.
AT_WORK = Q(job__state__in=[JobState.QUEUED, JobState.RUNNING])


def _wrong_state(campaign: Campaign, before: Sequence[CampaignState]) -> DomainError:
    if campaign.state in before and campaign.job is not None:
        return DomainError(
            _("Another job of the campaign is running: {job}.").format(job=campaign.job),
            _("Wait for it."),
        )
    return DomainError(
        _("The campaign is {state}.").format(state=campaign.get_state_display().lower()),
        _("It must be {before} for this.").format(
            before=" or ".join(state.label.lower() for state in before)
        ),
    )
