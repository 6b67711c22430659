"""Who holds a qualification: given, taken back, read."""

from __future__ import annotations

from typing import Any

from annotation import clock
from annotation.crowd.market import qualifying
from annotation.crowd.market.errors import TurkError, missing
from annotation.crowd.market.operations.found import get_own_type, get_worker
from annotation.crowd.market.paging import read_page
from annotation.crowd.market.shapes import qualification_shape
from annotation.crowd.market.validation import check_length
from annotation.crowd.models import Message, Qualification, Requester

Params = dict[str, Any]


def associate(requester: Requester, params: Params) -> Params:
    kind = get_own_type(requester, params["QualificationTypeId"])
    worker = get_worker(params["WorkerId"])
    if not kind.is_active:
        raise TurkError(
            "InvalidQualificationTypeState",
            f"QualificationType {kind.qualification_type_id} is inactive.",
        )
    qualifying.grant(kind=kind, worker=worker, value=params.get("IntegerValue", 1), at=clock.now())
    if params.get("SendNotification", True):
        Message.objects.create(
            requester=requester,
            worker=worker,
            subject="You were given a qualification",
            text=f"You now hold the qualification '{kind.name}'.",
        )
    return {}


def disassociate(requester: Requester, params: Params) -> Params:
    reason = check_length("Reason", params.get("Reason", ""), 4096)
    held = _get_held(requester, params)
    rows = Qualification.objects.filter(pk=held.pk, is_granted=True)
    if not rows.update(is_granted=False, reason=reason):
        raise TurkError(
            "InvalidQualificationState",
            f"The qualification of worker {params['WorkerId']} is revoked already.",
        )
    return {}


def get_score(requester: Requester, params: Params) -> Params:
    held = _get_held(requester, params)
    return {"Qualification": qualification_shape(held, params["QualificationTypeId"])}


def _get_held(requester: Requester, params: Params) -> Qualification:
    kind = get_own_type(requester, params["QualificationTypeId"])
    worker = get_worker(params["WorkerId"])
    found = Qualification.objects.filter(type=kind, worker=worker).select_related("worker").first()
    if found is None:
        raise missing("Qualification", f"of worker {worker.worker_id}")
    return found


def list_workers(requester: Requester, params: Params) -> Params:
    kind = get_own_type(requester, params["QualificationTypeId"])
    is_granted = params.get("Status", "Granted") == "Granted"
    rows = Qualification.objects.filter(type=kind, is_granted=is_granted).select_related("worker")
    page = read_page(rows, params, "pk", about=f"holders:{kind.pk}")
    shown = [qualification_shape(row, kind.qualification_type_id) for row in page.rows]
    return page.answer("Qualifications", shown)


OPERATIONS = {
    "AssociateQualificationWithWorker": associate,
    "DisassociateQualificationFromWorker": disassociate,
    "GetQualificationScore": get_score,
    "ListWorkersWithQualificationType": list_workers,
}
