"""AWS Signature Version 4, verified: who sent a request, that nobody changed it, and when."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, quote

from annotation.crowd.market.errors import AccessRefused
from annotation.crowd.market.service_model import SIGNING_NAME

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
