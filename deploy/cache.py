"""The Redis cache, with the memory of this process in its place while Redis is away."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache as once
from typing import Any, cast

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from annotation.breaker import Breaker
from deploy.json_cache import JsonClient

# A Redis that is well answers within a millisecond.
TIMEOUT_SECONDS = 0.5
FAULTS = (RedisError, OSError)


@once
def breaker_of(servers: tuple[str, ...]) -> Breaker:
    """Each thread has a cache object of its own; all share what they learn about the server."""
    return Breaker("cache")


def _steady(name: str) -> Callable[..., Any]:
    """The client's method of that name, which never raises because Redis is away."""

    def method(self: SteadyClient, *args: Any) -> Any:
        if not self.breaker.allows():
            return getattr(self.memory, name)(*args)
        try:
            found = getattr(JsonClient, name)(self, *args)
        except FAULTS as error:
            self.breaker.fail(error)
            return getattr(self.memory, name)(*args)
        if self.breaker.succeed():
            self.memory.clear()
        return found

    method.__name__ = name
    return method


class SteadyClient(JsonClient):
    """Counts and computed values only: what is lost with Redis is counted or computed again."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        # One try: redis-py would wait and try three times more.
        once_only = Retry(NoBackoff(), 0)
        timeouts = {"socket_timeout": TIMEOUT_SECONDS, "socket_connect_timeout": TIMEOUT_SECONDS}
        super().__init__(servers, **{"retry": once_only, **timeouts, **options})
        self.breaker = breaker_of(tuple(servers))
        self.memory = LocMemCache("instead-of-redis", {})

    add = _steady("add")
    get = _steady("get")
    set = _steady("set")
    touch = _steady("touch")
    delete = _steady("delete")
    get_many = _steady("get_many")
    has_key = _steady("has_key")
    incr = _steady("incr")
    set_many = _steady("set_many")
    delete_many = _steady("delete_many")
    clear = _steady("clear")


class SteadyRedisCache(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = SteadyClient

    @property
    def client(self) -> SteadyClient:
        return cast(SteadyClient, self._cache)

    @property
    def is_away(self) -> bool:
        return self.client.breaker.is_open
