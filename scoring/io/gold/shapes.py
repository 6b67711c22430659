"""Typed records to JSON and back, by their annotations: what was written is read as the same."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from scoring.io.jsonl import BadShape, no_other_keys

Record = TypeVar("Record")
# Marks a field that came later: at its default it is not written, so that files from before it
# keep their hash.
LATER = {"later": True}
_WORDS = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}


def to_json(record: Any) -> dict[str, Any]:
    """The object of a dataclass; its fields are plain values, tuples, mappings, dataclasses."""
    kind: Any = type(record)
    later = _later(kind)
    values = {name: (getattr(record, name), hint) for name, hint in _hints(kind).items()}
    return {
        name: _encode(value, hint)
        for name, (value, hint) in values.items()
        if name not in later or value != later[name]
    }


def from_json(kind: type[Record], data: Any, what: str) -> Record:
    """The record of an object; `BadShape` tells which field is not as it should be."""
    if not isinstance(data, dict):
        raise BadShape(f"'{what}' is not an object.", "an object.")
    made: Any = kind
    hints = _hints(made)
    no_other_keys(data, set(hints))
    if missing := [name for name in _needed(made) if name not in data]:
        raise BadShape(f"'{what}' has no '{missing[0]}'.", f"'{missing[0]}'.")
    return kind(**{name: _decode(data[name], hints[name], name) for name in hints if name in data})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _later(kind: Any) -> dict[str, Any]:
    """The fields that came later, with their defaults."""
    return {item.name: item.default for item in fields(kind) if item.metadata.get("later")}


@cache
def _needed(kind: Any) -> tuple[str, ...]:
    return tuple(
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    )


def _encode(value: Any, hint: Any) -> Any:
    if value is None or hint in (str, bool):
        return value
    if _some(hint) is float:
        return float(value) + 0.0  # 1 and 1.0, 0.0 and -0.0 are one number, and one text
    if _some(hint) is int:
        return int(value)
    if get_origin(hint) is tuple:
        return [_encode(item, get_args(hint)[0]) for item in value]
    return to_json(value) if is_dataclass(value) else value


def _some(hint: Any) -> Any:
    """The type of an optional value."""
    if get_origin(hint) is UnionType:
        return next(item for item in get_args(hint) if item is not NoneType)
    return hint


def _decode(value: Any, hint: Any, name: str) -> Any:
    kind = _some(hint)
    if value is None and kind is not hint:
        return None
    if kind in _WORDS:
        return _plain(value, kind, name)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise BadShape(f"'{name}' is not a list.", "a list.")
        return tuple(_decode(item, get_args(kind)[0], name) for item in value)
    if get_origin(kind) is Mapping:
        if not isinstance(value, dict):
            raise BadShape(f"'{name}' is not an object.", "an object.")
        return value
    return from_json(kind, value, name)


def _plain(value: Any, kind: type, name: str) -> Any:
    if kind is float and type(value) in (int, float) and _is_finite(value):
        return float(value)
    if kind is float or type(value) is not kind:  # True is an int to Python, but no number
        raise BadShape(f"'{name}' is not {_WORDS[kind]}.", f"{_WORDS[kind]}.")
    return value


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
