"""Qualification types: what a requester asks of workers, with or without a test.

- Who holds a qualification: given, taken back, read.
- Workers' requests for qualifications, and the requester's answers to them.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from annotation import clock
from annotation.crowd.market import qualifying
from annotation.crowd.market.content import DocumentError
from annotation.crowd.market.errors import TurkError, invalid, missing, unreadable, wrong_state
from annotation.crowd.market.models_accounts import Message, Requester
from annotation.crowd.market.models_work import (
    Qualification,
    QualificationRequest,
    QualificationType,
)
from annotation.crowd.market.operations.hit_types import get_own_type, get_worker
from annotation.crowd.market.qualifying import read_answer_key
from annotation.crowd.market.question_forms import read_form
from annotation.crowd.market.shapes import (
    qualification_shape,
    request_shape,
    system_type_shape,
    type_shape,
)
from annotation.crowd.market.system_qualifications import SYSTEM_TYPES, SystemType
from annotation.crowd.market.validation import (
    DEFAULT_SIZE,
    Page,
    check_between,
    check_length,
    read_key,
    read_page,
    write_token,
)

Params = dict[str, Any]

MOST_SECONDS = 31_536_000


def create_qualification_type(requester: Requester, params: Params) -> Params:
    kind = QualificationType(
        requester=requester,
        name=check_length("Name", params["Name"], 200, 1),
        keywords=check_length("Keywords", params.get("Keywords", ""), 1000),
    )
    _apply(kind, params)
    try:
        with transaction.atomic():
            kind.save(force_insert=True)
    except IntegrityError as error:
        raise TurkError(
            "QualificationTypeAlreadyExists",
            "You have already created a QualificationType with this name. A QualificationType's "
            "name must be unique among all of the QualificationTypes created by the same user. "
            f"The name is '{kind.name}'.",
        ) from error
    return {"QualificationType": type_shape(kind)}


def update_qualification_type(requester: Requester, params: Params) -> Params:
    kind = get_own_type(requester, params["QualificationTypeId"])
    _apply(kind, params)
    kind.save()
    return {"QualificationType": type_shape(kind)}


def _apply(kind: QualificationType, params: Params) -> None:
    if "Description" in params:
        kind.description = check_length("Description", params["Description"], 2000, 1)
    if "QualificationTypeStatus" in params:
        kind.is_active = params["QualificationTypeStatus"] == "Active"
    if "RetryDelayInSeconds" in params:
        kind.retry_seconds = _seconds(params, "RetryDelayInSeconds", 0)
    if "AutoGranted" in params:
        kind.auto_granted = params["AutoGranted"]
    if "AutoGrantedValue" in params:
        kind.auto_granted_value = params["AutoGrantedValue"]
    _apply_test(kind, params)


def _apply_test(kind: QualificationType, params: Params) -> None:
    """A test needs its time, and a new test without a key has none.

    A time without a test is taken: programs send it with every type.
    """
    if "TestDurationInSeconds" in params:
        kind.test_seconds = _seconds(params, "TestDurationInSeconds", 1)
    if "Test" in params:
        if "TestDurationInSeconds" not in params:
            raise invalid("TestDurationInSeconds", "is required.", "AWS.MissingParameters")
        kind.test = _read("Test", params["Test"], read_form)
        kind.answer_key = ""
        if "AnswerKey" in params:
            kind.answer_key = _read("AnswerKey", params["AnswerKey"], read_answer_key)
    elif "AnswerKey" in params:
        raise invalid("Test", "is required with AnswerKey.")
    if kind.auto_granted and kind.test:
        raise invalid("AutoGranted", "can't be true for a type with a test.")


def _seconds(params: Params, name: str, least: int) -> int:
    return check_between(name, params[name], least, MOST_SECONDS)


def _read(name: str, xml: str, reader: Any) -> str:
    try:
        reader(xml)
    except DocumentError as error:
        raise unreadable(name, error) from error
    return xml


def get_qualification_type(requester: Requester, params: Params) -> Params:
    key = params["QualificationTypeId"]
    if key in SYSTEM_TYPES:
        return {"QualificationType": system_type_shape(SYSTEM_TYPES[key])}
    rows = QualificationType.objects.filter(qualification_type_id=key, is_deleted=False)
    found = rows.first()
    if found is None:
        raise missing("QualificationType", key)
    return {"QualificationType": _seen_by(requester, found)}


def _seen_by(requester: Requester, kind: QualificationType) -> Params:
    """The questions and their key are the owner's alone."""
    shape = type_shape(kind)
    if kind.requester_id != requester.pk:
        shape.pop("Test", None)
        shape.pop("AnswerKey", None)
    return shape


@transaction.atomic
def delete_qualification_type(requester: Requester, params: Params) -> Params:
    """Workers who have it keep it, for published HITs; open requests are rejected."""
    kind = get_own_type(requester, params["QualificationTypeId"])
    kind.is_deleted = True
    kind.save(update_fields=["is_deleted"])
    kind.requests.filter(state="open").update(
        state="rejected", reason="The qualification type was deleted.", decided_at=clock.now()
    )
    return {}


def list_qualification_types(requester: Requester, params: Params) -> Params:
    """The marketplace's own types come first, then those of requesters in the order of making."""
    about = f"types:{requester.pk}"
    size = params.get("MaxResults", DEFAULT_SIZE)
    system = _match_system(params)
    start = read_key(params, ("pk",), about) or [-len(system)]
    passed = max(0, len(system) + start[0]) if start[0] < 0 else len(system)
    shown = system[passed : passed + size]
    rows = _match(requester, params).filter(pk__gt=max(0, start[0])).order_by("pk")
    held = list(rows[: size - len(shown)])
    shapes = [system_type_shape(item) for item in shown]
    shapes += [_seen_by(requester, kind) for kind in held]
    last = held[-1].pk if held else passed + len(shown) - len(system)
    token = write_token([last], params, ("pk",), about) if shapes else None
    return Page(held, token).answer("QualificationTypes", shapes)


def _match_system(params: Params) -> list[SystemType]:
    if params["MustBeRequestable"] or params.get("MustBeOwnedByCaller"):
        return []
    query = params.get("Query", "").lower()
    return [item for item in SYSTEM_TYPES.values() if query in f"{item.name} {item.words}".lower()]


def _match(requester: Requester, params: Params) -> QuerySet[QualificationType]:
    rows = QualificationType.objects.filter(is_deleted=False)
    if params.get("MustBeOwnedByCaller"):
        rows = rows.filter(requester=requester)
    if params["MustBeRequestable"]:
        rows = rows.filter(is_requestable=True, is_active=True)
    if query := params.get("Query"):
        rows = rows.filter(
            Q(name__icontains=query)
            | Q(description__icontains=query)
            | Q(keywords__icontains=query)
        )
    return rows


QUALIFICATION_TYPES = {
    "CreateQualificationType": create_qualification_type,
    "UpdateQualificationType": update_qualification_type,
    "GetQualificationType": get_qualification_type,
    "DeleteQualificationType": delete_qualification_type,
    "ListQualificationTypes": list_qualification_types,
}


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


QUALIFICATIONS = {
    "AssociateQualificationWithWorker": associate,
    "DisassociateQualificationFromWorker": disassociate,
    "GetQualificationScore": get_score,
    "ListWorkersWithQualificationType": list_workers,
}


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


QUALIFICATION_REQUESTS = {
    "ListQualificationRequests": list_requests,
    "AcceptQualificationRequest": accept,
    "RejectQualificationRequest": reject,
}
