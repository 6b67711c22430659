"""Values that take long to compute, in the shared cache: as plain JSON, checked when they are read.

The cache may hold what another version of the program wrote, or what somebody else did. Keys name
the version, the fields and the database; what does not fit the type is computed again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache as once
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from django.core.cache import cache

from annotation.memory import name_database
from scoring import __version__

T = TypeVar("T")
_writing: ContextVar[bool] = ContextVar("writing", default=False)


@contextmanager
def writing() -> Iterator[None]:
    """A step of a job: it holds the database's lock, so nothing may be computed in it."""
    token = _writing.set(True)
    try:
        yield
    finally:
        _writing.reset(token)


def compute(make: Callable[[], T]) -> T:
    if _writing.get():
        raise RuntimeError("compute this before the step: others wait for the database meanwhile")
    return make()


class Unfit(Exception):
    """A value that is not of the type."""


class Computed(Generic[T]):
    """Values of one kind: a dataclass, or lists and dicts of them and of plain values."""

    def __init__(self, name: str, kind: type[T], seconds: int) -> None:
        self.name = name
        self.kind = kind
        self.seconds = seconds
        self._fields = fingerprint(kind)

    def get(self, parts: tuple[object, ...], make: Callable[[], T]) -> T:
        """What was computed of the same parts, or what *make* computes now."""
        found = self.find(parts)
        if found is None:
            found = compute(make)
            self.store(parts, found)
        return found

    def find(self, parts: tuple[object, ...]) -> T | None:
        text = cache.get(self.key(parts))
        try:
            return read_as(self.kind, json.loads(text)) if isinstance(text, str) else None
        except (json.JSONDecodeError, RecursionError, Unfit):
            return None

    def store(self, parts: tuple[object, ...], value: T) -> None:
        cache.set(self.key(parts), self.dump(value), self.seconds)

    def dump(self, value: T) -> str:
        return json.dumps(value, default=_plain)

    def key(self, parts: tuple[object, ...]) -> str:
        about = json.dumps([name_database(), *map(str, parts)])
        digest = hashlib.sha256(about.encode()).hexdigest()[:40]
        return f"{self.name}:{__version__}:{self._fields}:{digest}"


def fingerprint(kind: Any) -> str:
    """Another one if a field, at any depth, has another name, place or type."""
    return hashlib.sha256(_describe(kind).encode()).hexdigest()[:12]


def _describe(kind: Any) -> str:
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        fields = (f"{name}:{_describe(hint)}" for name, hint in _fields(kind).items())
        return f"{kind.__name__}({','.join(fields)})"
    inner = ",".join(map(_describe, get_args(kind)))
    return f"{getattr(kind, '__name__', kind)}[{inner}]"


@once
def _fields(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _plain(value: object) -> dict[str, Any]:
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} can't be stored: use plain values and dataclasses")


def read_as(kind: Any, value: Any) -> Any:
    """The value, if it is wholly of that type; else `Unfit`."""
    if kind is Any:
        return value
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _read_dataclass(kind, value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _read_union(inner, value)
    if origin is list and isinstance(value, list):
        return [read_as(inner[0], item) for item in value]
    if origin in (dict, Mapping) and isinstance(value, dict):
        return {name: read_as(inner[1], item) for name, item in value.items()}
    return _read_plain(kind, value)


def _read_dataclass(kind: type, value: Any) -> Any:
    fields = _fields(kind)
    if not isinstance(value, dict) or value.keys() != fields.keys():
        raise Unfit(kind.__name__)
    return kind(**{name: read_as(hint, value[name]) for name, hint in fields.items()})


def _read_union(kinds: tuple[Any, ...], value: Any) -> Any:
    for kind in kinds:
        try:
            return read_as(kind, value)
        except Unfit:
            continue
    raise Unfit(str(kinds))


def _read_plain(kind: Any, value: Any) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if kind in (str, int, float, bool, type(None)) and type(value) is kind:
        return value
    raise Unfit(str(kind))
