"""Pages of a list: a token carries the last key, signed, so rows added meanwhile shift nothing.

As at MTurk, every page with rows has a token, the last one too; the page after it is empty and
has none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any, Generic, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Length
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from annotation.crowd.market.errors import TurkError

M = TypeVar("M", bound=Model)
DEFAULT_SIZE = 10
# Of one text field on a page: a page of answers must fit into memory, and into a client's limits.
MOST_CHARACTERS = 8 * 2**20
NOT_OF_THE_LIST = ("NextToken", "MaxResults")

signer = Signer(salt="giza.market.page")


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    rows: list[M]
    token: str | None

    def answer(self, name: str, shown: list[dict[str, Any]]) -> dict[str, Any]:
        """The shape of every list in the API."""
        found: dict[str, Any] = {"NumResults": len(shown), name: shown}
        return found if self.token is None else {**found, "NextToken": self.token}


def read_page(
    rows: QuerySet[M], params: Mapping[str, Any], *order: str, about: str = "", long_field: str = ""
) -> Page[M]:
    """One page in the order of these fields, the last of which must be unique.

    A field with a minus is read downwards. `about` says whose list it is: a token of another list
    is refused. A page is shorter than asked if `long_field` would be too long on it in all.
    """
    size = int(params.get("MaxResults", DEFAULT_SIZE))
    key = read_key(params, order, about)
    if key is not None:
        rows = rows.filter(_after(order, key))
    rows = rows.order_by(*order)
    found = list(rows[: _count_fitting(rows[:size], long_field) if long_field else size])
    if not found:
        return Page([], None)
    last = [getattr(found[-1], name.lstrip("-")) for name in order]
    return Page(found, write_token(last, params, order, about))


def _count_fitting(rows: QuerySet[M], field: str) -> int:
    """How many of these rows fit on a page; one always does."""
    lengths = rows.annotate(_length=Length(field)).values_list("_length", flat=True)
    totals = accumulate(length or 0 for length in lengths)
    return max(1, sum(total <= MOST_CHARACTERS for total in totals))


def read_key(params: Mapping[str, Any], order: tuple[str, ...], about: str) -> list[Any] | None:
    """The last key of the page before; None on the first page."""
    if "NextToken" not in params:
        return None
    try:
        text = signer.unsign(urlsafe_base64_decode(params["NextToken"]).decode())
        scope, *key = json.loads(text)
    except (BadSignature, ValueError) as error:
        raise _wrong_token() from error
    if scope != _scope(params, order, about):
        raise _wrong_token()
    return key


def write_token(
    key: list[Any], params: Mapping[str, Any], order: tuple[str, ...], about: str
) -> str:
    scope = _scope(params, order, about)
    text = json.dumps([scope, *(_plain(value) for value in key)])
    return urlsafe_base64_encode(signer.sign(text).encode())


def _scope(params: Mapping[str, Any], order: tuple[str, ...], about: str) -> str:
    asked = {name: value for name, value in params.items() if name not in NOT_OF_THE_LIST}
    text = json.dumps([about, order, asked], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _after(order: tuple[str, ...], key: list[Any]) -> Q:
    """Rows behind a key: further in the first field, or equal in it and further in the next."""
    after, same = Q(pk__in=[]), Q()
    for name, value in zip(order, key, strict=True):
        field, way = (name[1:], "lt") if name.startswith("-") else (name, "gt")
        after |= same & Q(**{f"{field}__{way}": value})
        same &= Q(**{field: value})
    return after


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _wrong_token() -> TurkError:
    return TurkError("AWS.InvalidParameterValue", "NextToken: is not a token from this list.")
