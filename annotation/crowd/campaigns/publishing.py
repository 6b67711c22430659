"""Putting HITs out, asking for more, closing and opening them: jobs that may die at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import KeyScope
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.cleaning import note_cleaning
from annotation.crowd.campaigns.ledger import Draft, intend, list_open_intents, settle, void
from annotation.crowd.campaigns.models import (
    Campaign,
    CampaignState,
    Hit,
    HitState,
    Intent,
    IntentKind,
)
from annotation.crowd.campaigns.planning import list_scope, plan_hits
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import Provider, ProviderError, Published, patiently
from annotation.errors import TooLarge
from annotation.translation import gettext_lazy

T = TypeVar("T")
CHUNK = 50
# A token is good for a day; an older one may have been forgotten, so that we look before we call.
TOKEN_LIFE = timedelta(hours=20)


def run_publish(work: Work) -> dict[str, Any]:
    """Plan, settle what an earlier attempt left open, publish, extend, and open the campaign."""
    campaign = Campaign.objects.get(pk=work.job.params["campaign"])
    if campaign.state != CampaignState.PUBLISHING:
        # Tried again after the campaign was ended, or killed when all but its own end was done.
        return {"planned": 0, "published": 0, "extended": 0}
    provider = get_provider(campaign)
    planned = _plan_all(work, campaign)
    work.report(0, total=campaign.hits.count(), phase=_("Preparing the provider"))
    patiently(provider.prepare)
    _reconcile(provider, campaign, TOKEN_LIFE)
    published = _publish_all(work, provider, campaign)
    extended = _extend_all(work, provider, campaign)
    _go_live(campaign)
    return {"planned": planned, "published": published, "extended": extended}


def _plan_all(work: Work, campaign: Campaign) -> int:
    """Make rows of the summaries that have none, in chunks that are committed one by one."""
    planned = 0
    for chunk in _chunks(_unplanned(campaign).iterator(CHUNK), CHUNK):
        with work.step():
            made = Hit.objects.bulk_create(plan_hits(campaign, chunk), ignore_conflicts=True)
            planned += len(made)
        work.report(planned, phase=_("Planning HITs"))
    if planned:
        note_cleaning(campaign)
    return planned


def _unplanned(campaign: Campaign) -> QuerySet[Summary]:
    planned = Hit.objects.filter(campaign=campaign).order_by().values("summary")
    rows = list_scope(campaign).exclude(pk__in=planned)
    return rows.select_related("example", "system").order_by("example_id", "system_id")


def _chunks(rows: Iterator[T], size: int) -> Iterator[list[T]]:
    while chunk := list(islice(rows, size)):
        yield chunk


def _reconcile(provider: Provider, campaign: Campaign, age: timedelta) -> None:
    """Before anything is sent: look up calls of which we do not know whether they went through.

    A young token may be sent again and is found by the provider itself; an old one is not safe.
    """
    old = clock.now() - age
    for kind, look_up in (
        (IntentKind.PUBLISH, _look_up_hits),
        (IntentKind.EXTEND, _look_up_places),
    ):
        intents = list_open_intents(campaign, kind).filter(created_at__lt=old)
        if rows := list(intents.select_related("hit", "campaign")):
            look_up(provider, rows)


def _look_up_hits(provider: Provider, intents: Sequence[Intent]) -> None:
    found = patiently(lambda: provider.find_published(_hits(intents)))
    for intent in intents:
        assert intent.hit is not None
        if published := found.get(intent.hit.pk):
            _note_published(intent, intent.hit, published)
        else:
            void(intent=intent, note=_("Not found at the provider; tried again."))


def _look_up_places(provider: Provider, intents: Sequence[Intent]) -> None:
    for intent in intents:
        assert intent.hit is not None
        if _has_places(provider, intent.hit, intent):
            _note_extended(intent, intent.hit)
        else:
            void(intent=intent, note=_("Not found at the provider; tried again."))


def _hits(intents: Sequence[Intent]) -> list[Hit]:
    return [intent.hit for intent in intents if intent.hit is not None]


def _publish_all(work: Work, provider: Provider, campaign: Campaign) -> int:
    done = campaign.hits.exclude(state=HitState.PLANNED).count()
    work.report(done, total=campaign.hits.count(), phase=_("Publishing"))
    published = 0
    while chunk := list(_planned(campaign)[:CHUNK]):
        work.check_beginner()
        drafts = [_publish_draft(provider, hit) for hit in chunk]
        intents = intend(campaign=campaign, drafts=drafts, user=work.job.created_by)
        for hit, intent in zip(chunk, intents, strict=True):
            _publish_one(provider, hit, intent)
            published += 1
            work.report(done + published)
    return published


def _planned(campaign: Campaign) -> QuerySet[Hit]:
    rows = Hit.objects.filter(campaign=campaign, state=HitState.PLANNED)
    return rows.select_related("campaign", "summary__example", "summary__system").order_by("pk")


def _publish_draft(provider: Provider, hit: Hit) -> Draft:
    return Draft(
        kind=IntentKind.PUBLISH,
        key=f"publish:{hit.pk}",
        amount=hit.reward * hit.wanted,
        fee=provider.fee(hit.reward, hit.wanted) * hit.wanted,
        hit=hit,
    )


def _publish_one(provider: Provider, hit: Hit, intent: Intent) -> None:
    try:
        published = patiently(lambda: provider.publish(hit, intent.token))
    except (ProviderError, TooLarge) as error:
        void(intent=intent, note=error.message)
        raise
    _note_published(intent, hit, published)


def _note_published(intent: Intent, hit: Hit, published: Published) -> None:
    with transaction.atomic():
        Hit.objects.filter(pk=hit.pk).update(
            state=HitState.OPEN,
            provider_id=published.provider_id,
            published_at=clock.now(),
            expires_at=published.expires_at,
        )
        settle(intent=intent, provider_id=published.provider_id)


def _extend_all(work: Work, provider: Provider, campaign: Campaign) -> int:
    """Bring every HIT that is out to the number of assignments that the campaign wants by now."""
    short = Hit.objects.filter(
        campaign=campaign, wanted__lt=F("campaign__assignments_per_hit") + F("again")
    ).exclude(state=HitState.PLANNED)
    extended = 0
    while chunk := list(short.select_related("campaign").order_by("pk")[:CHUNK]):
        work.check_beginner()
        drafts = [_extend_draft(provider, hit) for hit in chunk]
        intents = intend(campaign=campaign, drafts=drafts, user=work.job.created_by)
        for hit, intent in zip(chunk, intents, strict=True):
            _extend_one(provider, hit, intent)
            extended += 1
            work.report(extended, phase=_("Requesting more assignments"))
    return extended


def _extend_draft(provider: Provider, hit: Hit) -> Draft:
    wanted = hit.campaign.assignments_per_hit + hit.again
    before = provider.fee(hit.reward, hit.wanted) * hit.wanted
    return Draft(
        kind=IntentKind.EXTEND,
        key=f"extend:{hit.pk}:{wanted}",
        amount=hit.reward * (wanted - hit.wanted),
        fee=max(provider.fee(hit.reward, wanted) * wanted - before, Decimal(0)),
        hit=hit,
        params={"wanted": wanted},
    )


def _extend_one(provider: Provider, hit: Hit, intent: Intent) -> None:
    more = int(intent.params["wanted"]) - hit.wanted
    try:
        patiently(lambda: provider.extend(hit, more, intent.token))
    except ProviderError as error:
        # A refusal may only mean that the same call came through before.
        if not _has_places(provider, hit, intent):
            void(intent=intent, note=error.message)
            raise
    if hit.expires_at is None or hit.expires_at <= clock.now():
        patiently(lambda: provider.set_expiration(hit, lapse(hit)))
    _note_extended(intent, hit)


def _has_places(provider: Provider, hit: Hit, intent: Intent) -> bool:
    found = patiently(lambda: provider.survey([hit])).get(hit.pk)
    return found is not None and found.asked >= intent.params["wanted"]


def _note_extended(intent: Intent, hit: Hit) -> None:
    with transaction.atomic():
        Hit.objects.filter(pk=hit.pk).update(wanted=intent.params["wanted"], state=HitState.OPEN)
        settle(intent=intent)


def _go_live(campaign: Campaign) -> None:
    publishing = Campaign.objects.filter(pk=campaign.pk, state=CampaignState.PUBLISHING)
    publishing.update(state=CampaignState.LIVE, next_collect_at=clock.now())


def lapse(hit: Hit) -> datetime:
    """When a HIT that is opened now will close."""
    return clock.now() + timedelta(seconds=hit.campaign.lifetime_seconds)


def run_close(work: Work) -> dict[str, Any]:
    """Close what is open. Work in hand stays with its worker and may still be submitted."""
    campaign = Campaign.objects.get(pk=work.job.params["campaign"])
    if campaign.state not in (CampaignState.PAUSED, CampaignState.ENDED):
        return {"hits": 0}
    # A HIT that went out unheard, before publishing was given up, must not stay open.
    _reconcile(get_provider(campaign), campaign, timedelta(0))
    return _set_all(work, campaign, HitState.OPEN, HitState.CLOSED, lambda hit: clock.now())


def run_open(work: Work) -> dict[str, Any]:
    campaign = Campaign.objects.get(pk=work.job.params["campaign"])
    if campaign.state != CampaignState.LIVE:
        return {"hits": 0}
    return _set_all(work, campaign, HitState.CLOSED, HitState.OPEN, lapse)


def _set_all(
    work: Work,
    campaign: Campaign,
    before: HitState,
    after: HitState,
    until: Callable[[Hit], datetime],
) -> dict[str, Any]:
    provider = get_provider(campaign)
    rows = Hit.objects.filter(campaign=campaign, state=before).select_related("campaign")
    work.report(0, total=rows.count(), phase=PHASES[after])
    done = 0
    while chunk := list(rows.order_by("pk")[:CHUNK]):
        work.check_beginner()
        for hit in chunk:
            at = until(hit)
            _set_one(provider, hit, at)
            Hit.objects.filter(pk=hit.pk).update(state=after, expires_at=at)
            done += 1
            work.report(done)
    Campaign.objects.filter(pk=campaign.pk).update(next_collect_at=clock.now())
    return {"hits": done}


PHASES = {
    HitState.CLOSED: gettext_lazy("Closing HITs"),
    HitState.OPEN: gettext_lazy("Opening HITs"),
}


def _set_one(provider: Provider, hit: Hit, at: datetime) -> None:
    patiently(lambda: provider.set_expiration(hit, at))


# What beginning them needs: see the calls of `api/steps.py`. Closing spends nothing.
KINDS["publish_campaign"] = JobKind(
    run_publish, can_cancel=False, least=Role.OWNER, scope=KeyScope.PUBLISH, spends=True
)
KINDS["close_hits"] = JobKind(run_close, can_cancel=False, least=Role.OWNER)
KINDS["open_hits"] = JobKind(run_open, can_cancel=False, least=Role.OWNER, spends=True)
