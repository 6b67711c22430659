"""The HIT behind a judging page: by the token of its address, or as a preview shows it."""

from __future__ import annotations

from django.core import signing
from django.db.models import Q

from annotation.corpora.models import Summary
from annotation.crowd.judging import HIT_SALT
from annotation.crowd.models import Campaign, Hit
from annotation.crowd.providers import get_provider
from annotation.crowd.services.planning import (
    find_judged_example,
    list_chosen,
    list_scope,
    plan_hits,
)
from annotation.errors import NotFound
from annotation.translation import gettext as _

RELATED = ("campaign", "summary__example", "summary__system")


def get_hit_by_token(token: str) -> Hit:
    """The HIT that `judging.hit_token` made the token of."""
    try:
        pk = int(signing.Signer(salt=HIT_SALT).unsign(token))
    except signing.BadSignature:
        raise NotFound(_("There is no task at this address.")) from None
    hit = Hit.objects.select_related(*RELATED).filter(pk=pk).first()
    if hit is None:
        raise NotFound(_("This task no longer exists."))
    return hit


def list_preview_hits(campaign: Campaign, summary: Summary) -> list[Hit]:
    """The HITs of a summary: as they were published, or as they would be."""
    made = Hit.objects.select_related(*RELATED).filter(campaign=campaign, summary=summary)
    found = list(made.order_by("part")) or plan_hits(campaign, [summary])
    if not found:
        raise NotFound(
            _("Example {example} has no units yet.").format(example=summary.example.key),
            _("Write its units, then open the preview again."),
        )
    return found


def get_first_summary(campaign: Campaign) -> Summary:
    found = list_scope(campaign).order_by("pk").first()
    if found is None:
        raise NotFound(
            _("No summary of an example with units is selected."), _("Choose systems and examples.")
        )
    return found


def get_neighbours(campaign: Campaign, summary: Summary) -> tuple[Summary | None, Summary | None]:
    """The summaries of the campaign before and after this one: by example, then by system."""
    return _find_beside(campaign, summary, "lt"), _find_beside(campaign, summary, "gt")


def _find_beside(campaign: Campaign, summary: Summary, side: str) -> Summary | None:
    """Where units are fixed, example by example: a campaign may have very many summaries."""
    minus = "-" if side == "lt" else ""
    beside = Q(example=summary.example_id, **{f"system__{side}": summary.system_id})
    if not campaign.unit_set.is_frozen:
        further = Q(**{f"example__{side}": summary.example_id})
        rows = list_scope(campaign).filter(beside | further)
        return rows.order_by(f"{minus}example", f"{minus}system").first()
    found = list_chosen(campaign).filter(beside).order_by(f"{minus}system").first()
    example: int | None = summary.example_id
    while found is None and example is not None:
        example = find_judged_example(campaign, example, side)
        rows = list_chosen(campaign).filter(example=example)
        found = rows.order_by(f"{minus}system").first() if example is not None else None
    return found


def list_submit_origins(campaign: Campaign) -> list[str]:
    """Where workers of this campaign's crowd work, and where their answers may be sent."""
    from annotation.crowd.providers.requester_api import RequesterApi

    provider = get_provider(campaign)
    return provider.submit_origins() if isinstance(provider, RequesterApi) else []
