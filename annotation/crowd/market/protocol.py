"""AWS Signature Version 4, verified: who sent a request, that nobody changed it, and when."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, quote

from django.db import Error as DatabaseFault

from annotation import clock
from annotation.corpora.accounts.models import KeyScope
from annotation.corpora.activity.models import Door
from annotation.crowd.market.errors import AccessRefused, ServiceFault, TurkError
from annotation.crowd.market.models_accounts import Requester, RequesterKey
from annotation.crowd.market.operations import OPERATIONS
from annotation.crowd.market.operations.hit_types import belongs_to_campaign, find_hit_id
from annotation.crowd.market.requesters import works
from annotation.crowd.market.validation import (
    SIGNING_NAME,
    TARGET_PREFIX,
    check_input,
    get_operation,
)
from annotation.doors import through
from annotation.errors import Unavailable, as_unavailable

ALGORITHM = "AWS4-HMAC-SHA256"
SKEW = timedelta(minutes=15)
# Without these under the signature, a request could be sent later, elsewhere or for another end.
MUST_BE_SIGNED = {"host", "x-amz-date", "x-amz-target"}
HEADER = re.compile(
    ALGORITHM + r"\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})"
)


@dataclass(frozen=True, slots=True)
class Request:
    """What the signature covers. Header names are in small letters."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    access_key: str
    scope: tuple[str, str, str, str]
    signed: tuple[str, ...]
    signature: str


def verify(request: Request, find_secret: Callable[[str], str | None], now: datetime) -> str:
    """The access key that signed the request; AccessRefused if none did."""
    claim = _read_claim(request.headers.get("authorization", ""))
    stamp = _check_time(request.headers.get("x-amz-date", ""), claim.scope[0], now)
    secret = find_secret(claim.access_key)
    if secret is None:
        raise AccessRefused(
            "UnrecognizedClientException", "The security token included in the request is invalid."
        )
    key = _derive_key(secret, claim.scope)
    if not any(
        hmac.compare_digest(_sign(request, claim, stamp, key, host), claim.signature)
        for host in _hosts(request.headers)
    ):
        raise AccessRefused(
            "InvalidSignatureException",
            "The request signature we calculated does not match the signature you provided. "
            "Check the secret key, and that the proxy passes the Host header on.",
        )
    return claim.access_key


def _read_claim(header: str) -> Claim:
    if not header:
        raise AccessRefused("MissingAuthenticationTokenException", "The request is not signed.")
    match = HEADER.fullmatch(header.strip())
    if match is None:
        raise _incomplete("The Authorization header is not a Version 4 signature.")
    access_key, *scope = match[1].split("/")
    if len(scope) != 4 or scope[3] != "aws4_request" or scope[2] != SIGNING_NAME:
        raise _incomplete(f"The credential must be scoped to <date>/<region>/{SIGNING_NAME}.")
    signed = tuple(match[2].split(";"))
    if not set(signed) >= MUST_BE_SIGNED or list(signed) != sorted(set(signed)):
        raise _incomplete("Host, X-Amz-Date and X-Amz-Target must be signed, in order.")
    return Claim(access_key, (scope[0], scope[1], scope[2], scope[3]), signed, match[3])


def _incomplete(message: str) -> AccessRefused:
    return AccessRefused("IncompleteSignatureException", message, 400)


def _check_time(stamp: str, date: str, now: datetime) -> str:
    try:
        at = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise _incomplete("X-Amz-Date must look like 20261231T235959Z.") from error
    if not stamp.startswith(date):
        raise _incomplete("The credential's date is not that of X-Amz-Date.")
    if abs(now - at) > SKEW:
        clock = f"{now:%Y%m%dT%H%M%SZ}"
        raise AccessRefused("RequestExpired", f"Signed at {stamp}; it is now {clock}.", 400)
    return stamp


def _hosts(headers: Mapping[str, str]) -> Iterator[str]:
    """The Host as received, and the one that a proxy says the client asked for."""
    yield headers.get("host", "")
    forwarded = headers.get("x-forwarded-host", "").split(",")[0].strip()
    if forwarded:
        yield forwarded


def _derive_key(secret: str, scope: tuple[str, ...]) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in scope:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


def _sign(request: Request, claim: Claim, stamp: str, key: bytes, host: str) -> str:
    canonical = _canonical(request, claim, host)
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    text = "\n".join([ALGORITHM, stamp, "/".join(claim.scope), digest])
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _canonical(request: Request, claim: Claim, host: str) -> str:
    headers = {**request.headers, "host": host}
    lines = [f"{name}:{' '.join(headers.get(name, '').split())}" for name in claim.signed]
    return "\n".join(
        [
            request.method,
            quote(request.path or "/", safe="/~"),
            _canonical_query(request.query),
            *lines,
            "",
            ";".join(claim.signed),
            hashlib.sha256(request.body).hexdigest(),
        ]
    )


def _canonical_query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    quoted = sorted((quote(name, safe="~"), quote(value, safe="~")) for name, value in pairs)
    return "&".join(f"{name}={value}" for name, value in quoted)


READ = [
    "GetAccountBalance",
    "GetAssignment",
    "GetFileUploadURL",
    "GetHIT",
    "GetQualificationScore",
    "GetQualificationType",
    "ListAssignmentsForHIT",
    "ListBonusPayments",
    "ListHITs",
    "ListHITsForQualificationType",
    "ListQualificationRequests",
    "ListQualificationTypes",
    "ListReviewPolicyResultsForHIT",
    "ListReviewableHITs",
    "ListWorkerBlocks",
    "ListWorkersWithQualificationType",
]
PUBLISH = [
    "AcceptQualificationRequest",
    "AssociateQualificationWithWorker",
    "CreateAdditionalAssignmentsForHIT",
    "CreateHIT",
    "CreateHITType",
    "CreateHITWithHITType",
    "CreateQualificationType",
    "CreateWorkerBlock",
    "DeleteHIT",
    "DeleteQualificationType",
    "DeleteWorkerBlock",
    "DisassociateQualificationFromWorker",
    "NotifyWorkers",
    "RejectQualificationRequest",
    "SendTestEventNotification",
    "UpdateExpirationForHIT",
    "UpdateHITReviewStatus",
    "UpdateHITTypeOfHIT",
    "UpdateNotificationSettings",
    "UpdateQualificationType",
]
PAY = [
    "ApproveAssignment",
    "RejectAssignment",
    "SendBonus",
]
SCOPES: dict[str, KeyScope] = {
    **dict.fromkeys(READ, KeyScope.READ),
    **dict.fromkeys(PUBLISH, KeyScope.PUBLISH),
    **dict.fromkeys(PAY, KeyScope.PAY),
}


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


def answer(request: Request) -> Answer:
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


def _run(request: Request) -> dict[str, Any]:
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


def _authenticate(request: Request) -> RequesterKey:
    found: dict[str, RequesterKey] = {}

    def find_secret(access_key: str) -> str | None:
        rows = RequesterKey.objects.select_related("requester", "user")
        key = rows.filter(access_key=access_key).first()
        if key is None:
            return None
        found[access_key] = key
        return key.secret

    key = found[verify(request, find_secret, clock.now())]
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
