"""The Redis cache without pickles: whoever can write to Redis must not run code here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

from django.core.cache.backends.redis import RedisCacheClient

Key: TypeAlias = "str | bytes | memoryview[int]"


class JsonSerializer:
    def dumps(self, value: Any) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class JsonClient(RedisCacheClient):
    """What isn't JSON was written by another program, and counts as nothing."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **{**options, "serializer": JsonSerializer()})

    def get(self, key: Key, default: Any) -> Any:
        try:
            return super().get(key, default)
        except (ValueError, RecursionError):
            return default

    def get_many(self, keys: Iterable[Key]) -> dict[Key, Any]:
        missing = object()
        found = {key: self.get(key, missing) for key in keys}
        return {key: value for key, value in found.items() if value is not missing}
