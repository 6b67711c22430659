"""The MTurk API's wire, seen from the client: what a failure means, and what may be repeated.

- What the MTurk API says of HITs and assignments, in our words, and the other way round.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from django.utils.translation import gettext as _

from annotation.crowd.campaigns.models import Assignment, Hit
from annotation.crowd.providers.base import (
    NotReachable,
    OutOfFunds,
    Places,
    ProviderError,
    Received,
    Unsure,
)
from scoring.outgoing import Bounds, OutgoingError, exchange

if TYPE_CHECKING:
    from botocore.awsrequest import AWSPreparedRequest, AWSResponse
    from botocore.exceptions import ClientError


T = TypeVar("T")
REGION = "us-east-1"
THROTTLED = {
    "ThrottlingException",
    "RequestLimitExceeded",
    "TooManyRequestsException",
    "Throttling",
}
MOST_WAITS = 6
BOUNDS = Bounds(seconds=40, most_bytes=20 * 2**20)

# Threads may share a client, but must not make two at the same moment.
making = threading.Lock()


@lru_cache(maxsize=8)
def make_client(endpoint: str) -> Any:
    """A client costs a tenth of a second to make, so that it is kept."""
    client = build_client(endpoint)
    client.meta.events.register("before-send.mturk", send_bounded)
    return client


def send_bounded(request: AWSPreparedRequest, **__: Any) -> AWSResponse:
    """Sent by us: botocore's own timeout starts again with each byte that comes."""
    from botocore.awsrequest import AWSResponse

    headers = {name: _text(value) for name, value in request.headers.items()}
    body = request.body.encode() if isinstance(request.body, str) else request.body
    reply = exchange(str(request.method), request.url, BOUNDS, headers, body)
    return AWSResponse(request.url, reply.status, reply.headers, _Whole(reply.content))


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


class _Whole:
    """An answer that has been read, as botocore reads one."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, **__: Any) -> Iterator[bytes]:
        yield self._content


def build_client(endpoint: str, access_key: str | None = None, secret: str | None = None) -> Any:
    """Without a key, boto3 looks for one in the environment."""
    import boto3  # takes as long again, for servers without a campaign, too
    from botocore.config import Config

    # Every repetition is ours to decide, with a token and after a look.
    retries: Any = {"total_max_attempts": 1, "mode": "standard"}
    with making:
        return boto3.client(
            "mturk",
            endpoint_url=endpoint,
            region_name=REGION,
            config=Config(retries=retries),
            aws_access_key_id=access_key,
            aws_secret_access_key=secret,
        )


class AlreadyThere(ProviderError):
    """CreateHIT with a token that made a HIT before; says which."""

    def __init__(self, message: str, hit_id: str) -> None:
        super().__init__(message)
        self.hit_id = hit_id


class Throttled(NotReachable):
    """Too many calls; the same again a little later is right."""


def wait_out(call: Callable[[], T]) -> T:
    """Repeat a throttled call, each time after a longer pause, and no other kind of failure."""
    for waits in range(MOST_WAITS):
        try:
            return call()
        except Throttled:
            time.sleep(min(0.25 * 2**waits, 8) * random.uniform(0.5, 1))
    return call()


def run_operation(client: Any, operation: str, params: dict[str, Any]) -> dict[str, Any]:
    """Call it once, and say what a failure means."""
    from botocore import xform_name
    from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
    from botocore.exceptions import ConnectionError as NoConnection
    from botocore.parsers import ResponseParserError

    unclear = (OutgoingError, HTTPClientError, NoConnection, ResponseParserError)
    try:
        result: dict[str, Any] = getattr(client, xform_name(operation))(**params)
    except ClientError as error:
        raise _translate(error) from error
    except unclear as error:
        # Of these nobody can say whether they were carried out.
        raise NotReachable(
            _("No answer from the endpoint: {error}").format(error=error), _("Try again later.")
        ) from error
    except BotoCoreError as error:
        raise ProviderError(str(error), _("Check what the endpoint expects.")) from error
    return result


def _translate(error: ClientError) -> ProviderError | Unsure:
    """By the code of the error and, where there is one, by MTurk's own."""
    code = str(error.response.get("Error", {}).get("Code", ""))
    message = str(error.response.get("Error", {}).get("Message", "")) or str(error)
    turk = str(error.response.get("TurkErrorCode") or _code_within(message))
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in THROTTLED or turk.endswith("ThrottlingException"):
        return Throttled(message)
    return name_refusal(turk or code, message, status)


def name_refusal(code: str, message: str, status: int) -> ProviderError | Unsure:
    """What an error of the API means to a campaign."""
    if "hitalreadyexists" in f"{code} {message}".lower():
        found = re.search(r"\b[A-Z0-9]{20,64}\b", message)
        if found:
            return AlreadyThere(message, found[0])
    if status >= 500:
        return NotReachable(
            _("No answer from the endpoint: {message}").format(message=message),
            _("Try again later."),
        )
    said = message if f"({code})" in message else f"{message} ({code})"
    if code.endswith("InsufficientFunds"):
        return OutOfFunds(said, _("Add money to the requester's prepaid budget, then try again."))
    return ProviderError(said)


def _code_within(message: str) -> str:
    found = re.search(r"AWS\.MechanicalTurk\.\w+|AWS\.\w+", message)
    return found[0] if found else ""


STATUS = {"Submitted": "submitted", "Approved": "approved", "Rejected": "rejected"}


def money(amount: Decimal) -> str:
    """Dollars and cents, as the API writes them."""
    return f"{amount:.2f}"


def annotation_of(hit: Hit) -> str:
    return f"giza:{hit.campaign.token.hex}:{hit.pk}"


def tagged(reason: str, token: str) -> str:
    """The reason with a short mark, by which a bonus can be found again."""
    return f"{reason} [{token[:12]}]"


def worker_id(assignment: Assignment) -> str:
    if assignment.worker is None:
        raise ProviderError(_("This assignment's worker is unknown, so no bonus can be paid."))
    return assignment.worker.provider_id


def places(row: dict[str, Any]) -> Places:
    asked = int(row["MaxAssignments"])
    pending = int(row.get("NumberOfAssignmentsPending", 0))
    available = int(row.get("NumberOfAssignmentsAvailable", 0))
    decided = int(row.get("NumberOfAssignmentsCompleted", 0))
    return Places(asked, pending, asked - available - pending, decided)


def received(row: dict[str, Any]) -> Received:
    decided: datetime | None = row.get("ApprovalTime") or row.get("RejectionTime")
    return Received(
        hit_id=row["HITId"],
        assignment_id=row["AssignmentId"],
        worker_id=row["WorkerId"],
        status=STATUS[row["AssignmentStatus"]],
        raw=row.get("Answer", ""),
        accepted_at=row.get("AcceptTime"),
        submitted_at=row.get("SubmitTime"),
        auto_approve_at=row.get("AutoApprovalTime"),
        decided_at=decided,
        seconds=_elapsed(row),
    )


def _elapsed(row: dict[str, Any]) -> float | None:
    if "AcceptTime" not in row or "SubmitTime" not in row:
        return None
    elapsed: timedelta = row["SubmitTime"] - row["AcceptTime"]
    return elapsed.total_seconds()
