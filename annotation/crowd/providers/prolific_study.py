"""A campaign as Prolific describes a study."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import salted_hmac

from annotation.crowd.campaigns.models import Campaign

CURRENCY = "USD"
CENTS = 100
CODE_SALT = "giza.prolific.code"
COMPLETE_ORIGIN = "https://app.prolific.com"
COMPLETE_URL = f"{COMPLETE_ORIGIN}/submissions/complete"
# Prolific fills these in when it sends a participant.
PARAMETERS = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
# MTurk's requirements that Prolific can ask for as well: its filter, and the greatest value.
FILTERS = {
    "000000000000000000L0": ("approval_rate", 100),
    "00000000000000000040": ("approval_numbers", 100_000),
}
COMPARATORS = {"GreaterThan": 1, "GreaterThanOrEqualTo": 0}
# A quarter of the time allotted, where nobody has timed a preview.
USUAL_SHARE = 0.25
LONGEST_DESCRIPTION = 10_000


def to_cents(amount: Decimal) -> int:
    """Prolific counts in cents; a part of one can't be paid."""
    cents = amount * CENTS
    if cents != cents.to_integral_value():
        raise ValueError(f"${amount} is not a whole number of cents")
    return int(cents)


def completion_code(campaign: Campaign) -> str:
    """What a participant brings back as proof; the same after every restart."""
    digest = salted_hmac(CODE_SALT, str(campaign.token), algorithm="sha256").hexdigest()
    return digest[:10].upper()


def completion_url(campaign: Campaign) -> str:
    return f"{COMPLETE_URL}?cc={completion_code(campaign)}"


def internal_name(campaign: Campaign) -> str:
    """By this the study is found again, whatever became of the call that made it."""
    return f"giza {campaign.token}"


def group_name(campaign: Campaign) -> str:
    return f"giza {campaign.token}: not invited"


def study_url(campaign: Campaign) -> str:
    path = reverse("crowd:prolific", args=[campaign.token])
    return f"{settings.PUBLIC_URL.rstrip('/')}{path}?{PARAMETERS}"


def describe_study(campaign: Campaign, *, reward: Decimal, hits: int, group: str) -> dict[str, Any]:
    """What creates the study; its places are set when it is published."""
    return {
        "name": campaign.title,
        "internal_name": internal_name(campaign),
        "description": campaign.description[:LONGEST_DESCRIPTION],
        "external_study_url": study_url(campaign),
        "prolific_id_option": "url_parameters",
        "completion_codes": [
            {
                "code": completion_code(campaign),
                "code_type": "COMPLETED",
                "actions": [{"action": "MANUALLY_REVIEW"}],
            }
        ],
        "total_available_places": 1,
        "estimated_completion_time": estimate_minutes(campaign, hits),
        "maximum_allowed_time": math.ceil(campaign.seconds_allotted / 60),
        "reward": to_cents(reward),
        "device_compatibility": ["desktop", "tablet", "mobile"],
        "submissions_config": {
            "max_submissions_per_participant": min(
                max(hits, 1), campaign.most_per_worker or max(hits, 1)
            )
        },
        "filters": [*list_filters(campaign), *_blocklist(group)],
    }


def estimate_minutes(campaign: Campaign, hits: int) -> int:
    """How long a HIT takes, by the timed preview or by the time allotted."""
    seconds = campaign.seconds_allotted * USUAL_SHARE
    if campaign.seconds_per_statement and hits:
        longest = max(len(row) for row in campaign.hits.values_list("statements", flat=True))
        seconds = campaign.seconds_per_statement * longest
    return max(1, math.ceil(seconds / 60))


def _blocklist(group: str) -> list[dict[str, Any]]:
    if not group:
        return []
    return [{"filter_id": "participant_group_blocklist", "selected_values": [group]}]


def list_filters(campaign: Campaign) -> list[dict[str, Any]]:
    """Those of the campaign's requirements that Prolific knows."""
    return [found for row in campaign.requirements if (found := _filter(row))]


def list_unknown_requirements(campaign: Campaign) -> list[str]:
    return [
        str(row.get("QualificationTypeId", "?"))
        for row in campaign.requirements
        if _filter(row) is None
    ]


def _filter(requirement: dict[str, Any]) -> dict[str, Any] | None:
    name, most = FILTERS.get(requirement.get("QualificationTypeId", ""), ("", 0))
    above = COMPARATORS.get(requirement.get("Comparator", ""))
    values = requirement.get("IntegerValues") or []
    if not name or above is None or len(values) != 1:
        return None
    least = int(values[0]) + above
    return {"filter_id": name, "selected_range": {"lower": least, "upper": most}}


def find_obstacles(campaign: Campaign, me: dict[str, Any]) -> list[str]:
    """What keeps the campaign from being a study, given the account's own data."""
    found = []
    currency = me.get("currency_code") or CURRENCY
    if currency != CURRENCY:
        found.append(f"The Prolific account is in {currency}, but campaigns are in {CURRENCY}.")
    rewards = {Decimal(campaign.reward), *map(Decimal, campaign.rewards_by_kind.values())}
    if len(rewards) > 1:
        found.append(
            "A Prolific study pays every participant the same. Set one reward for all systems."
        )
    if any((reward * CENTS) % 1 for reward in rewards):
        found.append("Prolific pays in whole cents. Set a reward in whole cents.")
    if unknown := list_unknown_requirements(campaign):
        found.append(f"Prolific doesn't support the requirement {', '.join(unknown)}. Remove it.")
    if _is_local(settings.PUBLIC_URL) and not _is_local(settings.PROLIFIC_URL):
        found.append(f"Participants can't reach {settings.PUBLIC_URL}. Set PUBLIC_URL.")
    return found


def _is_local(url: str) -> bool:
    return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")
