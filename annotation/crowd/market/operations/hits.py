"""HITs: made, read, extended, closed, disposed of.

- Lists of HITs, newest first.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation import clock
from annotation.crowd.judging_page.question import write_html_question
from annotation.crowd.market import money
from annotation.crowd.market import money as market_money
from annotation.crowd.market.content import DocumentError
from annotation.crowd.market.decisions import approve_overdue
from annotation.crowd.market.deliveries import announce
from annotation.crowd.market.errors import (
    TurkError,
    already_processed,
    invalid,
    missing,
    unreadable,
    wrong_state,
)
from annotation.crowd.market.layouts import fill_layout, get_layout
from annotation.crowd.market.models_accounts import Requester, make_id
from annotation.crowd.market.models_work import MarketHit, MarketHitType, QualificationType
from annotation.crowd.market.operations.hit_types import (
    YEAR,
    get_hit,
    get_hit_type,
    register_hit_type,
)
from annotation.crowd.market.question_forms import read_question
from annotation.crowd.market.review_policies import has_actions, read_policies
from annotation.crowd.market.rows import patient
from annotation.crowd.market.shapes import hit_shape
from annotation.crowd.market.system_qualifications import SYSTEM_TYPES
from annotation.crowd.market.validation import check_between, check_length, claim_token, read_page

Params = dict[str, Any]

MOST_ASSIGNMENTS = 1_000_000_000
# From this size on MTurk charges more, so a HIT can't grow past it.
LARGE = 10


@patient
@transaction.atomic
def create_hit(requester: Requester, params: Params) -> Params:
    return create_hit_of_type(requester, params, register_hit_type(requester, params))


@patient
@transaction.atomic
def create_hit_with_hit_type(requester: Requester, params: Params) -> Params:
    return create_hit_of_type(requester, params, get_hit_type(requester, params["HITTypeId"]))


def create_hit_of_type(requester: Requester, params: Params, kind: MarketHitType) -> Params:
    hit = _read_hit(requester, params, kind)
    token = params.get("UniqueRequestToken")
    claim_token(requester, "CreateHIT", token, hit.hit_id, _already_exists)
    hit.save(force_insert=True)
    money.hold(requester.pk, hit.held_places * hit.place_cost)
    announce(kind, "HITCreated", hit_id=hit.hit_id)
    return {"HIT": hit_shape(hit)}


def _read_hit(requester: Requester, params: Params, kind: MarketHitType) -> MarketHit:
    places = check_between("MaxAssignments", params.get("MaxAssignments", 1), 1, MOST_ASSIGNMENTS)
    lifetime = check_between("LifetimeInSeconds", params["LifetimeInSeconds"], 30, YEAR)
    now = clock.now()
    policies = read_policies(params)
    question = _get_question(requester, params)
    return MarketHit(
        requester=requester,
        hit_type=kind,
        hit_id=make_id(),
        question=question,
        question_kind=_read_kind(question),
        layout_id=params.get("HITLayoutId", ""),
        annotation=check_length("RequesterAnnotation", params.get("RequesterAnnotation", ""), 255),
        max_assignments=places,
        available=places,
        held_places=places,
        place_cost=money.cost_of(kind.reward),
        expires_at=now + timedelta(seconds=lifetime),
        review_policies=policies,
        has_review_actions=has_actions(policies),
        created_at=now,
    )


def _get_question(requester: Requester, params: Params) -> str:
    """The XML that was sent, or a layout's page with its values."""
    has_layout = "HITLayoutId" in params
    if has_layout and "Question" in params:
        raise invalid("Question", "give either Question or HITLayoutId, not both.")
    if "HITLayoutParameters" in params and not has_layout:
        raise invalid("HITLayoutId", "is required for parameters.", "AWS.MissingParameters")
    if not has_layout and "Question" not in params:
        raise invalid("Question", "or HITLayoutId is required.", "AWS.MissingParameters")
    if not has_layout:
        return str(params["Question"])
    layout = get_layout(requester, params["HITLayoutId"])
    page = fill_layout(layout, params.get("HITLayoutParameters", []))
    return write_html_question(page, layout.frame_height)


def _read_kind(question: str) -> str:
    try:
        return read_question(question).kind
    except DocumentError as error:
        raise unreadable("Question", error) from error


def _already_exists(_: str, hit_id: str) -> TurkError:
    return TurkError(
        "HitAlreadyExists", f"A HIT was created with this UniqueRequestToken: HITId {hit_id}."
    )


def read_hit(requester: Requester, params: Params) -> Params:
    now = clock.now()
    hit = get_hit(requester, params["HITId"])
    if hit.submitted and approve_overdue(now, hit):
        hit = get_hit(requester, params["HITId"])
    return {"HIT": hit_shape(hit, now)}


@patient
@transaction.atomic
def create_additional_assignments(requester: Requester, params: Params) -> Params:
    more = check_between(
        "NumberOfAdditionalAssignments",
        params["NumberOfAdditionalAssignments"],
        1,
        MOST_ASSIGNMENTS,
    )
    hit = _lock_alive(requester, params["HITId"])
    claim_token(
        requester, "Extend", params.get("UniqueRequestToken"), hit.hit_id, _already_extended
    )
    _check_growth(hit, more)
    hit.max_assignments += more
    hit.available += more
    hit.told_reviewable = False
    _reopen(hit, ["max_assignments", "available", "told_reviewable"])
    announce(hit.hit_type, "HITExtended", hit_id=hit.hit_id)
    return {}


def _check_growth(hit: MarketHit, more: int) -> None:
    total = hit.max_assignments + more
    if hit.max_assignments < LARGE <= total:
        raise TurkError(
            "InvalidMaximumAssignmentsIncrease",
            f"HIT {hit.hit_id} was created with fewer than {LARGE} assignments "
            f"and can't be extended to {total}.",
        )
    if total > MOST_ASSIGNMENTS:
        raise TurkError(
            "ExceedsMaxAssignmentsPerHIT",
            f"A HIT can have at most {MOST_ASSIGNMENTS:,} assignments.",
        )


def _already_extended(token: str, made: str) -> TurkError:
    return already_processed("HITAlreadyExtended", token, f"It extended HIT {made}.")


@patient
@transaction.atomic
def update_expiration(requester: Requester, params: Params) -> Params:
    now = clock.now()
    hit = _lock_alive(requester, params["HITId"])
    hit.expires_at = _read_expiration(params["ExpireAt"], hit, now)
    if hit.expires_at <= now:
        hit.save(update_fields=["expires_at"])
        market_money.release_unused(hit, now)
        return {}
    hit.told_expired = hit.told_reviewable = False
    _reopen(hit, ["expires_at", "told_expired", "told_reviewable"])
    announce(hit.hit_type, "HITExtended", hit_id=hit.hit_id)
    return {}


def _read_expiration(at: datetime, hit: MarketHit, now: datetime) -> datetime:
    """A time in the past closes the HIT now, and leaves alone one that is closed already."""
    if at > now + timedelta(seconds=YEAR):
        raise invalid("ExpireAt", "must be within a year.", "AWS.ParameterOutOfRange")
    return at if at > now else min(now, hit.expires_at)


def _reopen(hit: MarketHit, changed: list[str]) -> None:
    """Write a locked HIT that can be taken again, and hold money for its places."""
    if hit.status(clock.now()) == "Assignable":
        hit.is_reviewing = False
        changed.append("is_reviewing")
        market_money.hold_places(hit, market_money.open_places(hit))
    hit.save(update_fields=changed)


def _lock_alive(requester: Requester, hit_id: str) -> MarketHit:
    hit = market_money.lock(get_hit(requester, hit_id))
    if hit.is_deleted:
        raise wrong_state("HIT", hit_id, "Disposed", "Assignable, Unassignable, Reviewable")
    return hit


@patient
@transaction.atomic
def delete_hit(requester: Requester, params: Params) -> Params:
    now = clock.now()
    hit = market_money.lock(get_hit(requester, params["HITId"]))
    refused = wrong_state("HIT", hit.hit_id, hit.status(now), "Reviewing, Reviewable")
    if hit.status(now) not in ("Reviewable", "Reviewing"):
        raise refused
    if hit.submitted:
        raise TurkError(
            "InvalidHITState",
            f"{refused.message} It has {hit.submitted} assignments that are neither approved "
            "nor rejected.",
        )
    dispose(hit, now)
    return {}


def dispose(hit: MarketHit, now: datetime) -> None:
    """Put a locked HIT away. Its rows stay: they are in the books."""
    hit.is_deleted = True
    hit.save(update_fields=["is_deleted"])
    market_money.release_unused(hit, now)
    announce(hit.hit_type, "HITDisposed", hit_id=hit.hit_id)


@transaction.atomic
def update_review_status(requester: Requester, params: Params) -> Params:
    """Reviewable to Reviewing, or back."""
    revert = params.get("Revert", False)
    hit = market_money.lock(get_hit(requester, params["HITId"]))
    status = hit.status(clock.now())
    expected = "Reviewing" if revert else "Reviewable"
    if status != expected:
        raise wrong_state("HIT", hit.hit_id, status, expected)
    hit.is_reviewing = not revert
    hit.save(update_fields=["is_reviewing"])
    return {}


HITS = {
    "CreateHIT": create_hit,
    "CreateHITWithHITType": create_hit_with_hit_type,
    "GetHIT": read_hit,
    "CreateAdditionalAssignmentsForHIT": create_additional_assignments,
    "UpdateExpirationForHIT": update_expiration,
    "DeleteHIT": delete_hit,
    "UpdateHITReviewStatus": update_review_status,
}


def list_hits(requester: Requester, params: Params) -> Params:
    return _answer(MarketHit.objects.alive(), requester, params, "hits")


def list_reviewable_hits(requester: Requester, params: Params) -> Params:
    wants_reviewing = params.get("Status", "Reviewable") == "Reviewing"
    rows = MarketHit.objects.reviewable(clock.now()).filter(is_reviewing=wants_reviewing)
    if "HITTypeId" in params:
        rows = rows.filter(hit_type=get_hit_type(requester, params["HITTypeId"]))
    return _answer(rows, requester, params, "reviewable")


def list_hits_for_qualification_type(requester: Requester, params: Params) -> Params:
    key = params["QualificationTypeId"]
    known = QualificationType.objects.filter(qualification_type_id=key, is_deleted=False)
    if key not in SYSTEM_TYPES and not known.exists():
        raise missing("QualificationType", key)
    rows = MarketHit.objects.alive().filter(hit_type__in=_types_that_ask_for(requester, key))
    return _answer(rows, requester, params, "qualified")


def _types_that_ask_for(requester: Requester, key: str) -> list[int]:
    """Read in Python: a requester has few HIT types, and not every database looks into JSON."""
    rows = MarketHitType.objects.filter(requester=requester)
    return [
        pk
        for pk, requirements in rows.values_list("pk", "requirements")
        if any(item["QualificationTypeId"] == key for item in requirements)
    ]


def _answer(rows: QuerySet[MarketHit], requester: Requester, params: Params, name: str) -> Params:
    now = clock.now()
    mine = rows.filter(requester=requester).select_related("hit_type")
    page = read_page(mine, params, "-pk", about=f"{name}:{requester.pk}")
    return page.answer("HITs", [hit_shape(hit, now) for hit in page.rows])


HIT_LISTS = {
    "ListHITs": list_hits,
    "ListReviewableHITs": list_reviewable_hits,
    "ListHITsForQualificationType": list_hits_for_qualification_type,
}
