"""AWS JSON 1.1: a signed request in, one operation, an answer or an error out."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import Error as DatabaseFault

from annotation import clock
from annotation.corpora.models import Door, KeyScope
from annotation.crowd.market import signature
from annotation.crowd.market.errors import AccessRefused, ServiceFault, TurkError
from annotation.crowd.market.operations import OPERATIONS
from annotation.crowd.market.operations.found import belongs_to_campaign, find_hit_id
from annotation.crowd.market.requesters import works
from annotation.crowd.market.scopes import SCOPES
from annotation.crowd.market.service_model import TARGET_PREFIX, get_operation
from annotation.crowd.market.validation import check_input
from annotation.crowd.models import Requester, RequesterKey
from annotation.doors import through
from annotation.errors import Unavailable, as_unavailable

logger = logging.getLogger(__name__)

# Of a HIT that a campaign published, these are the campaign's own to do.
OF_CAMPAIGNS = {
    "UpdateHITTypeOfHIT",
    "CreateAdditionalAssignmentsForHIT",
    "UpdateExpirationForHIT",
    "DeleteHIT",
    "SendBonus",
}
CONTENT_TYPE = "application/x-amz-json-1.1"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps(self.body, default=_write_time)


def _write_time(value: object) -> float:
    """Times are seconds since 1970 on the wire."""
    if not isinstance(value, datetime):
        raise TypeError(f"{type(value).__name__} is nothing that the API answers with")
    return round(value.timestamp(), 3)


TOO_LARGE = Answer(
    413, {"__type": "RequestEntityTooLargeException", "message": "The request is too large."}
)


def answer(request: signature.Request) -> Answer:
    """Never raises for what a caller may have done wrong."""
    try:
        return Answer(200, _run(request))
    except (TurkError, AccessRefused) as error:
        return Answer(error.status, _shape(error))
    except (DatabaseFault, OSError) as error:
        unavailable = as_unavailable(error)
        if unavailable is not None:
            return Answer(unavailable.status, _shape(_as_fault(unavailable)), unavailable.headers)
        if isinstance(error, OSError):
            raise
        logger.exception("an operation of the marketplace failed in the database")
        fault = ServiceFault("ServiceFault", "The database is busy. Try again.")
        return Answer(fault.status, _shape(fault))


def _as_fault(error: Unavailable) -> ServiceFault:
    """In MTurk's words; its clients try again after a 5xx, with the same token."""
    return ServiceFault("ServiceFault", f"{error.message} {error.hint}")


def _shape(error: TurkError | AccessRefused) -> dict[str, Any]:
    if isinstance(error, AccessRefused):
        return {"__type": error.wire_type, "message": error.message}
    message = f"{error.message} ({error.turk_code})"
    return {"__type": error.wire_type, "Message": message, "TurkErrorCode": error.turk_code}


def _run(request: signature.Request) -> dict[str, Any]:
    key = _authenticate(request)
    name = _read_target(request.headers)
    _check_scope(key, name)
    sent = _read_body(request.body)
    if isinstance(sent, dict) and (name in OF_CAMPAIGNS or sent.get("OverrideRejection")):
        _check_campaign(key, name, sent)
    with through(Door.REST, lambda: key.user):
        return call(key.requester, name, sent)


def call(requester: Requester, name: str, sent: object) -> dict[str, Any]:
    """Run an operation for a requester."""
    model = get_operation(name)
    if model is None:
        raise AccessRefused("UnknownOperationException", f"There is no operation {name}.", 400)
    return OPERATIONS[name](requester, check_input(model, sent))


def _check_scope(key: RequesterKey, name: str) -> None:
    """An operation that doesn't exist is refused by `call`."""
    needed = SCOPES.get(name, KeyScope.PAY)
    if name in OPERATIONS and not key.allows(needed):
        raise AccessRefused(
            "AccessDeniedException",
            f"The key {key.access_key} is not authorized to perform {name}: it has the scope "
            f"'{key.scope}', and {name} needs '{needed.value}'. "
            "Create a key with that scope on the requester's page.",
            400,
        )


def _check_campaign(key: RequesterKey, name: str, sent: dict[str, Any]) -> None:
    """What a HIT of a campaign may cost, and until when, is in its books, which no key writes.

    An ended campaign's HIT that was opened again would be paid for without being collected.
    """
    hit_id = sent.get("HITId") or find_hit_id(key.requester, sent.get("AssignmentId"))
    if isinstance(hit_id, str) and belongs_to_campaign(key.requester, hit_id):
        raise TurkError(
            "InvalidHITState",
            f"HIT {hit_id} belongs to a campaign, so {name} can't be called for it with a key. "
            "Use the campaign's page or REST instead.",
        )


def _authenticate(request: signature.Request) -> RequesterKey:
    found: dict[str, RequesterKey] = {}

    def find_secret(access_key: str) -> str | None:
        rows = RequesterKey.objects.select_related("requester", "user")
        key = rows.filter(access_key=access_key).first()
        if key is None:
            return None
        found[access_key] = key
        return key.secret

    key = found[signature.verify(request, find_secret, clock.now())]
    if key.is_expired:
        raise AccessRefused(
            "ExpiredTokenException", f"The key {key.access_key} has expired. Create a new one."
        )
    if not works(key):
        raise AccessRefused(
            "UnrecognizedClientException",
            f"The key {key.access_key} no longer works: its holder's account or access to the "
            "requester has ended.",
        )
    key.note_use()
    return key


def _read_target(headers: Mapping[str, str]) -> str:
    target = headers.get("x-amz-target", "")
    if not target.startswith(TARGET_PREFIX):
        raise AccessRefused("UnknownOperationException", f"Not an operation: {target}", 400)
    return target.removeprefix(TARGET_PREFIX)


def _read_body(body: bytes) -> object:
    try:
        return json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise AccessRefused("SerializationException", f"Not JSON: {error}", 400) from error
