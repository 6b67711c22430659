"""Computed values that a job stores in the database, so that no page has to wait for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

from annotation.computed import Computed, compute
from annotation.evaluation.stored.models import StoredResult

T = TypeVar("T")


class Stored(Computed[T]):
    """The shared cache in front of the database; only jobs write to the latter."""

    def find(self, parts: tuple[object, ...]) -> T | None:
        found = super().find(parts)
        if found is not None:
            return found
        key = self.key(parts)
        text = StoredResult.objects.filter(key=key).values_list("value", flat=True).first()
        if text is None:
            return None
        cache.set(key, text, self.seconds)
        return super().find(parts)

    def keep(self, parts: tuple[object, ...], make: Callable[[], T]) -> T:
        """In a job: compute, and store for as long as the database lasts."""
        value = compute(make)
        StoredResult.objects.update_or_create(
            key=self.key(parts), defaults={"value": self.dump(value)}
        )
        self.store(parts, value)
        return value
