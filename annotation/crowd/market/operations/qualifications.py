"""Who holds a qualification: given, taken back, read."""

from __future__ import annotations

from typing import Any

from annotation import clock
from annotation.crowd.market import qualifying
from annotation.crowd.market.errors import TurkError, wrong_state
from annotation.crowd.market.operations.found import get_own_type, get_worker
from annotation.crowd.market.paging import read_page
from annotation.crowd.market.shapes import qualification_shape
from annotation.crowd.market.validation import check_length
from annotation.crowd.models import Message, Qualification, Requester

Params = dict[str, Any]

NO_QUALIFICATION = "You requested a Qualification that does not exist."


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
            subject="You have a new qualification",
            text=f"You now have the qualification '{kind.name}'.",
        )
    return {}


def disassociate(requester: Requester, params: Params) -> Params:
    reason = check_length("Reason", params.get("Reason", ""), 4096)
    held = _get_held(requester, params)
    rows = Qualification.objects.filter(pk=held.pk, is_granted=True)
    if not rows.update(is_granted=False, reason=reason):
        raise _revoked(params)
    return {}


def get_score(requester: Requester, params: Params) -> Params:
    held = _get_held(requester, params)
    if not held.is_granted:
        raise _revoked(params)
    return {"Qualification": qualification_shape(held, params["QualificationTypeId"])}


def _revoked(params: Params) -> TurkError:
    held = f"{params['QualificationTypeId']} of worker {params['WorkerId']}"
    return wrong_state("Qualification", held, "Revoked", "Granted")


def _get_held(requester: Requester, params: Params) -> Qualification:
    """MTurk has one sentence for it, whether type, worker or qualification is missing."""
    try:
        kind = get_own_type(requester, params["QualificationTypeId"])
        worker = get_worker(params["WorkerId"])
    except TurkError as error:
        raise TurkError(error.turk_code, f"{NO_QUALIFICATION} {error.message}") from error
    found = Qualification.objects.filter(type=kind, worker=worker).select_related("worker").first()
    if found is None:
        holder = f"Worker {worker.worker_id} has never had {kind.qualification_type_id}."
        raise TurkError("QualificationDoesNotExist", f"{NO_QUALIFICATION} {holder}")
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
