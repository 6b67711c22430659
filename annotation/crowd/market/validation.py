"""Checks of what a request says, from the service model: names, types, limits, patterns.

- The MTurk Requester API as botocore describes it: operations, shapes and their limits.
- Pages of a list: a token carries the last key, signed, so rows added meanwhile shift nothing.
- UniqueRequestToken: what was asked for once under a token is not done a second time for a day.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Length
from django.utils.dateparse import parse_datetime
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from annotation import clock
from annotation.crowd.market.errors import TurkError, invalid
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import RequestToken

if TYPE_CHECKING:
    from botocore.model import OperationModel, ServiceModel, Shape


OUT_OF_RANGE = "AWS.ParameterOutOfRange"
# What no database keeps: NUL, and halves of surrogate pairs, which JSON can carry.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
LONGEST = {"integer": 2**31, "long": 2**63}


def check_input(operation: OperationModel, sent: object) -> dict[str, Any]:
    """The request's parameters with times as `datetime`; a TurkError names the first fault."""
    shape = operation.input_shape
    if not isinstance(sent, Mapping):
        raise TurkError("AWS.InvalidRequest", "The request's body must be a JSON object.")
    return _structure(shape, sent, "") if shape else {}


def _check(shape: Shape, value: object, where: str) -> Any:
    return CHECKS[shape.type_name](shape, value, where)


def _structure(shape: Any, value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise invalid(where, "expected an object.")
    prefix = f"{where}." if where else ""
    given = {name: item for name, item in value.items() if item is not None}
    for name in given:
        if name not in shape.members:
            raise invalid(f"{prefix}{name}", "is not a parameter of this operation.")
    for name in shape.required_members:
        if name not in given:
            raise invalid(f"{prefix}{name}", "is required.", "AWS.MissingParameters")
    return {
        name: _check(shape.members[name], item, f"{prefix}{name}") for name, item in given.items()
    }


def _list(shape: Any, value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise invalid(where, "expected a list.")
    _check_size(shape, len(value), where, "items")
    return [_check(shape.member, item, f"{where}[{index}]") for index, item in enumerate(value)]


def _text(shape: Any, value: object, where: str) -> str:
    if not isinstance(value, str):
        raise invalid(where, "expected a text.")
    if UNSTORABLE.search(value):
        raise invalid(where, "contains a character that can't be stored.")
    _check_size(shape, len(value), where, "characters")
    if shape.enum and value not in shape.enum:
        choices = ", ".join(shape.enum)
        raise invalid(where, f"must be one of: {choices}.", "AWS.InvalidEnumeratedParameter")
    pattern = shape.metadata.get("pattern")
    if pattern and not _compiled(pattern).fullmatch(value):
        raise invalid(where, f"does not match {pattern}.")
    return value


@lru_cache(maxsize=32)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.removeprefix("^").removesuffix("$"), re.ASCII)


def _number(shape: Any, value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise invalid(where, "expected a whole number.")
    bound = LONGEST[shape.type_name]
    if not -bound <= value < bound:
        raise invalid(where, "is out of range.", OUT_OF_RANGE)
    _check_size(shape, value, where, "")
    return value


def _check_size(shape: Any, size: int, where: str, unit: str) -> None:
    least, most = shape.metadata.get("min"), shape.metadata.get("max")
    if (least is not None and size < least) or (most is not None and size > most):
        raise invalid(where, f"must be {least} to {most} {unit}".rstrip() + ".", OUT_OF_RANGE)


def _flag(shape: Any, value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise invalid(where, "expected true or false.")
    return value


def _time(shape: Any, value: object, where: str) -> datetime:
    """Seconds since 1970 as botocore sends them, or a time in ISO 8601; in this process, a time."""
    if isinstance(value, datetime):
        return value
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        parsed = parse_datetime(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        parsed = None
    if parsed is None:
        raise invalid(where, "expected a time.")
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


CHECKS: dict[str, Callable[[Any, object, str], Any]] = {
    "structure": _structure,
    "list": _list,
    "string": _text,
    "integer": _number,
    "long": _number,
    "boolean": _flag,
    "timestamp": _time,
}


def check_between(name: str, value: int, least: int, most: int) -> int:
    """A limit that the documentation states and the model does not."""
    if not least <= value <= most:
        raise invalid(name, f"must be {least:,} to {most:,}.", OUT_OF_RANGE)
    return value


def check_length(name: str, value: str, most: int, least: int = 0) -> str:
    if not least <= len(value) <= most:
        raise invalid(name, f"must have {least:,} to {most:,} characters.", OUT_OF_RANGE)
    return value


TARGET_PREFIX = "MTurkRequesterServiceV20170117."
SIGNING_NAME = "mturk-requester"


@lru_cache(maxsize=1)
def load_model() -> ServiceModel:
    """Read from the package alone: a file in somebody's home must not change the API."""
    from botocore.loaders import Loader  # takes a tenth of a second, and only requesters need it
    from botocore.model import ServiceModel

    loader = Loader(
        include_default_search_paths=False, extra_search_paths=[Loader.BUILTIN_DATA_PATH]
    )
    return ServiceModel(loader.load_service_model("mturk", "service-2"), "mturk")


@lru_cache(maxsize=64)
def get_operation(name: str) -> OperationModel | None:
    model = load_model()
    return model.operation_model(name) if name in model.operation_names else None


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


LIFE = timedelta(hours=24)


def claim_token(
    requester: Requester,
    operation: str,
    token: str | None,
    made: str,
    refuse: Callable[[str, str], TurkError],
) -> None:
    """Note that `made` comes of this token, in the transaction that makes it.

    A second call waits for the first, and is refused with what the first one made.
    """
    if not token:
        return
    row, is_new = RequestToken.objects.get_or_create(
        requester=requester, operation=operation, token=token, defaults={"made": made}
    )
    if is_new:
        return
    now = clock.now()
    stale = RequestToken.objects.filter(pk=row.pk, created_at__lte=now - LIFE)
    if not stale.update(made=made, created_at=now):
        raise refuse(token, row.made)


def drop_stale_tokens() -> None:
    RequestToken.objects.filter(created_at__lte=clock.now() - 2 * LIFE).delete()
