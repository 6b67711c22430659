"""Checks of what a request says, from the service model: names, types, limits, patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils.dateparse import parse_datetime

from annotation.crowd.market.errors import TurkError, invalid

if TYPE_CHECKING:
    from botocore.model import OperationModel, Shape

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
