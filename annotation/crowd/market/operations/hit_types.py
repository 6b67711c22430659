"""What a request names, looked up among what is the requester's own.

- HIT types: what HITs of a kind have in common.
- What a requester wants to be notified of, by HIT type.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import transaction

from annotation.crowd.campaigns.models import Campaign, Hit, ProviderName
from annotation.crowd.market import money
from annotation.crowd.market import money as market_money
from annotation.crowd.market.deliveries import enqueue
from annotation.crowd.market.errors import TurkError, invalid, missing, wrong_state
from annotation.crowd.market.models_accounts import Requester, WorkerAccount
from annotation.crowd.market.models_work import (
    MarketAssignment,
    MarketHit,
    MarketHitType,
    QualificationType,
)
from annotation.crowd.market.qualifying import check_requirements
from annotation.crowd.market.rows import patient
from annotation.crowd.market.validation import check_between, check_length


def get_hit(requester: Requester, hit_id: str) -> MarketHit:
    rows = MarketHit.objects.select_related("hit_type")
    found: MarketHit | None = rows.filter(requester=requester, hit_id=hit_id).first()
    if found is None:
        raise missing("HIT", hit_id)
    return found


def belongs_to_campaign(requester: Requester, hit_id: str) -> bool:
    """Whether a campaign on this marketplace published it, even if it didn't note the id yet."""
    here = {"provider": ProviderName.MARKETPLACE, "project": requester.project_id}
    campaigns = Campaign.objects.filter(**here)
    if Hit.objects.filter(campaign__in=campaigns, provider_id=hit_id).exists():
        return True
    rows = MarketHit.objects.filter(requester=requester, hit_id=hit_id)
    said = rows.values_list("annotation", flat=True).first() or ""
    tokens = campaigns.values_list("token", flat=True) if said.startswith("giza:") else []
    return any(said.startswith(f"giza:{token.hex}:") for token in tokens)


def find_hit_id(requester: Requester, assignment_id: object) -> str | None:
    """Of which of the requester's HITs an assignment is, if it is of any."""
    if not isinstance(assignment_id, str):
        return None
    rows = MarketAssignment.objects.filter(hit__requester=requester, assignment_id=assignment_id)
    return rows.values_list("hit__hit_id", flat=True).first()


def get_worker(worker_id: str) -> WorkerAccount:
    found = WorkerAccount.objects.filter(worker_id=worker_id).first()
    if found is None:
        raise missing("Worker", worker_id)
    return found


def get_own_type(requester: Requester, type_id: str) -> QualificationType:
    """A qualification type that the requester made; only its owner may do anything with it."""
    found = QualificationType.objects.filter(
        requester=requester, qualification_type_id=type_id, is_deleted=False
    ).first()
    if found is None:
        raise missing("QualificationType", type_id)
    return found


Params = dict[str, Any]

YEAR = 31_536_000
MONTH = 2_592_000


def create_hit_type(requester: Requester, params: Params) -> Params:
    return {"HITTypeId": register_hit_type(requester, params).hit_type_id}


def register_hit_type(requester: Requester, params: Params) -> MarketHitType:
    """The type with these properties: made, or found if the requester has it already."""
    properties = _read_properties(params)
    text = json.dumps(properties, sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()
    found, _ = MarketHitType.objects.get_or_create(
        requester=requester, digest=digest, defaults=properties
    )
    return found


def _read_properties(params: Params) -> Params:
    reward = money.read_amount("Reward", params["Reward"])
    delay = params.get("AutoApprovalDelayInSeconds", MONTH)
    return {
        "title": check_length("Title", params["Title"], 128, 1),
        "description": check_length("Description", params["Description"], 2000, 1),
        "keywords": check_length("Keywords", params.get("Keywords", ""), 1000),
        "reward": reward.quantize(money.CENT),
        "assignment_seconds": check_between(
            "AssignmentDurationInSeconds", params["AssignmentDurationInSeconds"], 30, YEAR
        ),
        "auto_approval_seconds": check_between("AutoApprovalDelayInSeconds", delay, 0, MONTH),
        "requirements": check_requirements(params.get("QualificationRequirements", [])),
    }


def get_hit_type(requester: Requester, hit_type_id: str) -> MarketHitType:
    found = MarketHitType.objects.filter(requester=requester, hit_type_id=hit_type_id).first()
    if found is None:
        raise missing("HITType", hit_type_id)
    return found


@patient
@transaction.atomic
def update_hit_type_of_hit(requester: Requester, params: Params) -> Params:
    """The HIT takes on the new properties; what is held for its places follows the new reward.

    What work pays stays as it was when somebody accepted it.
    """
    kind = get_hit_type(requester, params["HITTypeId"])
    hit = market_money.lock(get_hit(requester, params["HITId"]))
    if hit.is_deleted:
        raise wrong_state("HIT", hit.hit_id, "Disposed", "Assignable, Unassignable, Reviewable")
    if kind.reward != hit.hit_type.reward and hit.assignments.exists():
        raise TurkError(
            "InvalidHITState",
            f"HIT {hit.hit_id} was accepted by workers, so its reward can't be changed. "
            "Create a new HIT with the new reward.",
        )
    cost = money.cost_of(kind.reward)
    MarketHit.objects.filter(pk=hit.pk).update(hit_type=kind, place_cost=cost)
    more = hit.held_places * (cost - hit.place_cost)
    if more > 0:
        money.hold(requester.pk, more)
    else:
        money.release(requester.pk, -more)
    return {}


HIT_TYPES = {
    "CreateHITType": create_hit_type,
    "UpdateHITTypeOfHIT": update_hit_type_of_hit,
}


def update_notification_settings(requester: Requester, params: Params) -> Params:
    kind = get_hit_type(requester, params["HITTypeId"])
    if "Notification" not in params and "Active" not in params:
        raise invalid("Notification or Active", "one is required.", "AWS.MissingParameters")
    if "Notification" in params:
        kind.notification = _check(params["Notification"], allows_ping=False)
    if not kind.notification:
        raise invalid("Notification", "this HIT type has none yet.", "AWS.MissingParameters")
    kind.notification_active = params.get("Active", True)
    kind.save(update_fields=["notification", "notification_active"])
    return {}


def send_test_event(requester: Requester, params: Params) -> Params:
    """Sent whatever events the specification names, as soon as a worker sweeps."""
    specification = _check(params["Notification"], allows_ping=True)
    enqueue(requester.pk, specification, params["TestEventType"])
    return {}


def _check(specification: Params, *, allows_ping: bool) -> Params:
    check_length("Notification.Destination", specification["Destination"], 1024, 1)
    check_between("Notification.EventTypes", len(specification["EventTypes"]), 1, 12)
    if "Ping" in specification["EventTypes"] and not allows_ping:
        raise invalid("Notification.EventTypes", "Ping can only be sent as a test event.")
    return specification


NOTICES = {
    "UpdateNotificationSettings": update_notification_settings,
    "SendTestEventNotification": send_test_event,
}
