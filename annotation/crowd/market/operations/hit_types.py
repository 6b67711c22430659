"""HIT types: what HITs of a kind have in common."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import transaction

from annotation.crowd.market import holds, money
from annotation.crowd.market.errors import TurkError, missing, wrong_state
from annotation.crowd.market.operations.found import get_hit
from annotation.crowd.market.patience import patient
from annotation.crowd.market.requirements import check_requirements
from annotation.crowd.market.validation import check_between, check_length
from annotation.crowd.models import MarketHit, MarketHitType, Requester

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
    hit = holds.lock(get_hit(requester, params["HITId"]))
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


OPERATIONS = {
    "CreateHITType": create_hit_type,
    "UpdateHITTypeOfHIT": update_hit_type_of_hit,
}
