"""The endpoint that speaks the MTurk Requester API."""

from __future__ import annotations

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.body_limit import UNREAD
from annotation.crowd.market import protocol, signature

# A question has at most 65,535 bytes, which JSON may write as six times as many; every other
# parameter together is far less.
MAX_BYTES = 2**19


@csrf_exempt
@require_POST
def mturk_endpoint(request: HttpRequest) -> HttpResponse:
    """Authorised by the signature alone: no session and no cookie is looked at."""
    found = (
        protocol.TOO_LARGE
        if request.META.get(UNREAD) or int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BYTES
        else protocol.answer(_read(request))
    )
    return respond(found)


def respond(found: protocol.Answer) -> HttpResponse:
    response = HttpResponse(
        found.to_json(), status=found.status, content_type=protocol.CONTENT_TYPE
    )
    for name, value in found.headers.items():
        response[name] = value
    response["x-amzn-RequestId"] = str(uuid4())
    response["Cache-Control"] = "no-store"
    return response


def _read(request: HttpRequest) -> signature.Request:
    return signature.Request(
        method=str(request.method),
        path=request.path,
        query=request.META.get("QUERY_STRING", ""),
        headers={name.lower(): value for name, value in request.headers.items()},
        body=request.body,
    )
