"""Workers' requests for qualifications, and the requester's answers to them."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotation import clock
from annotation.crowd.market import qualifying
from annotation.crowd.market.errors import missing, wrong_state
from annotation.crowd.market.operations.found import get_own_type
from annotation.crowd.market.paging import read_page
from annotation.crowd.market.shapes import request_shape
from annotation.crowd.market.validation import check_length
from annotation.crowd.models import QualificationRequest, Requester

Params = dict[str, Any]


def list_requests(requester: Requester, params: Params) -> Params:
    """Those that wait for an answer; a test that is still being taken is not among them."""
    rows = QualificationRequest.objects.filter(
        type__requester=requester, state="open", submitted_at__isnull=False
    ).select_related("type", "worker")
    if "QualificationTypeId" in params:
        rows = rows.filter(type=get_own_type(requester, params["QualificationTypeId"]))
    about = f"requests:{requester.pk}"
    page = read_page(rows, params, "pk", about=about, long_field="answer")
    return page.answer("QualificationRequests", [request_shape(row) for row in page.rows])


@transaction.atomic
def accept(requester: Requester, params: Params) -> Params:
    request = _decide(requester, params, "granted", "")
    qualifying.grant(
        kind=request.type,
        worker=request.worker,
        value=params.get("IntegerValue", 1),
        at=clock.now(),
    )
    return {}


def reject(requester: Requester, params: Params) -> Params:
    _decide(requester, params, "rejected", check_length("Reason", params.get("Reason", ""), 4096))
    return {}


def _decide(requester: Requester, params: Params, state: str, reason: str) -> QualificationRequest:
    key = params["QualificationRequestId"]
    rows = QualificationRequest.objects.filter(type__requester=requester, request_id=key)
    found = rows.select_related("type", "worker").first()
    if found is None:
        raise missing("QualificationRequest", key)
    waiting = QualificationRequest.objects.filter(pk=found.pk, state="open")
    if not waiting.update(state=state, reason=reason, decided_at=clock.now()):
        raise wrong_state("QualificationRequest", key, found.state.capitalize(), "Submitted")
    return found


OPERATIONS = {
    "ListQualificationRequests": list_requests,
    "AcceptQualificationRequest": accept,
    "RejectQualificationRequest": reject,
}
