"""The cache while Redis is killed, or stops to answer: nobody waits, nobody sees a fault."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import caches

from annotation.breaker import Breaker
from deploy import cache as steady
from deploy import env
from tests.servers import PATIENCE, find_free_port, start_redis, wait_until

PAUSE = 0.2


class Redis:
    """One on a port, as a lab has it, that can be killed, stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.port, self.folder = find_free_port(), folder
        self.start()

    def start(self) -> None:
        self.part = start_redis(self.folder, self.port)

    def signal(self, number: int) -> None:
        self.part.process.send_signal(number)

    def kill(self) -> None:
        self.part.process.kill()
        self.part.process.wait(timeout=PATIENCE)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    made = Redis(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def cache(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[steady.SteadyRedisCache]:
    monkeypatch.setattr(steady, "Breaker", lambda name: Breaker(name, pause=PAUSE))
    steady.breaker_of.cache_clear()
    monkeypatch.setenv("CACHE_URL", f"redis://127.0.0.1:{redis.port}/0")
    settings = env.cache("CACHE_URL")
    made = steady.SteadyRedisCache(settings["LOCATION"], {})
    made.client.memory.clear()
    wait_until(lambda: made.get("none") is None and not made.is_away, "Redis is up")
    yield made
    steady.breaker_of.cache_clear()


def use_all(cache: steady.SteadyRedisCache) -> None:
    """Every method that the product, Django and the REST framework know."""
    cache.set("a", 1)
    assert cache.get("a", 7) == 1
    assert cache.add("b", 2) is True
    assert cache.add("b", 2) is False
    assert cache.get_many(["a", "b"]) == {"a": 1, "b": 2}
    assert cache.incr("a") == 2
    assert cache.has_key("a")
    assert cache.touch("a", 60)
    assert cache.delete("a") is True
    cache.set_many({"c": 3, "d": [4]})
    cache.delete_many(["c", "b"])
    assert cache.get("d") == [4]
    cache.clear()
    assert cache.get("d") is None


def test_it_is_redis_while_there_is_one(cache: steady.SteadyRedisCache) -> None:
    use_all(cache)
    cache.set("counted", 5)
    assert cache.client.memory.get("counted") is None


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_it_goes_on_in_memory_while_redis_is_away(
    number: int, cache: steady.SteadyRedisCache, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    redis.signal(number)
    began = time.monotonic()
    use_all(cache)
    assert time.monotonic() - began < 2, "one wait, not one for each call"
    assert cache.is_away
    assert caplog.text.count("the cache is unavailable") == 1


def test_a_caller_does_not_wait_once_another_has(
    cache: steady.SteadyRedisCache, redis: Redis
) -> None:
    redis.signal(signal.SIGSTOP)
    cache.get("x")
    address, waits = f"redis://127.0.0.1:{redis.port}/0", []
    for _ in range(50):
        # Of another thread, which has a cache object of its own.
        other = steady.SteadyRedisCache(address, {})
        began = time.monotonic()
        other.get("x")
        waits.append(time.monotonic() - began)
    assert sum(wait > 0.1 for wait in waits) <= 1, waits


def test_it_is_redis_again_once_that_is_back(
    cache: steady.SteadyRedisCache, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    redis.kill()
    cache.set("meanwhile", 1)
    redis.start()
    wait_until(lambda: cache.get("none") is None and not cache.is_away, "Redis is used again")
    assert "available again" in caplog.text
    assert cache.get("meanwhile") is None, "what memory held is gone"
    use_all(cache)


def test_it_answers_again_after_redis_stood_still(
    cache: steady.SteadyRedisCache, redis: Redis
) -> None:
    cache.set("before", 1)
    redis.signal(signal.SIGSTOP)
    assert cache.get("before") is None
    redis.signal(signal.SIGCONT)
    wait_until(lambda: cache.get("before") == 1, "what Redis holds is found again")


def test_the_settings_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CACHE_URL", "redis://127.0.0.1:1/0")
    assert env.cache("CACHE_URL")["BACKEND"] == "deploy.cache.SteadyRedisCache"
    assert caches.settings["default"]["BACKEND"].endswith("LocMemCache")
