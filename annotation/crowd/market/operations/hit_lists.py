"""Lists of HITs, newest first."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotation import clock
from annotation.crowd.market.errors import missing
from annotation.crowd.market.operations.hit_types import get_hit_type
from annotation.crowd.market.paging import read_page
from annotation.crowd.market.shapes import hit_shape
from annotation.crowd.market.system_qualifications import SYSTEM_TYPES
from annotation.crowd.models import MarketHit, MarketHitType, QualificationType, Requester

Params = dict[str, Any]


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


OPERATIONS = {
    "ListHITs": list_hits,
    "ListReviewableHITs": list_reviewable_hits,
    "ListHITsForQualificationType": list_hits_for_qualification_type,
}
