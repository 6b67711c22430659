"""The shared cache on a real Redis: nothing in it is ever unpickled."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from django.core.cache.backends.base import BaseCache
from django.utils.module_loading import import_string

from deploy import env

RAN: list[str] = []


class Hostile:
    """Runs code where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return RAN.append, ("unpickled",)


@pytest.fixture
def cache(redis_socket: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BaseCache]:
    monkeypatch.setenv("CACHE_URL", f"unix://{redis_socket}?db=3")
    said = env.cache("CACHE_URL")
    made: BaseCache = import_string(said["BACKEND"])(said["LOCATION"], {})
    made.clear()
    yield made
    made.clear()


@pytest.fixture
def raw(redis_socket: Path) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(redis_socket), db=3)


@pytest.mark.parametrize("value", [1, "text", [1.5, 2.5], {"a": None}, True])
def test_it_stores_json(cache: BaseCache, raw: redis.Redis, value: object):
    cache.set("key", value)
    assert cache.get("key") == value
    (stored,) = (raw.get(name) for name in raw.scan_iter())
    assert isinstance(stored, bytes)
    assert not stored.startswith(b"\x80")


def test_it_counts(cache: BaseCache):
    assert cache.add("key", 1)
    assert not cache.add("key", 9)
    assert cache.incr("key") == 2


@pytest.mark.parametrize("stored", [pickle.dumps(Hostile()), b"\xff\xfe", b"{", b"", b"[" * 99_999])
def test_it_takes_what_is_not_json_for_nothing(cache: BaseCache, raw: redis.Redis, stored: bytes):
    raw.set(cache.make_key("key"), stored)
    RAN.clear()
    assert cache.get("key", "default") == "default"
    assert cache.get_many(["key", "other"]) == {}
    assert RAN == []


def test_it_refuses_to_store_an_object(cache: BaseCache):
    with pytest.raises(TypeError, match="not JSON serializable"):
        cache.set("key", Hostile())
