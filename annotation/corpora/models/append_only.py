"""Rows of books: they are added, and never changed or removed.

Code that tries is refused here, with a TypeError. Statements that go past the models are refused by
the database, through the triggers of `annotation/append_only.py`.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)


class AppendOnlyQuerySet(models.QuerySet[M]):
    """Only a whole project, or a requester's account, takes its books with it."""

    def update(self, **changes: Any) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never changed")

    def delete(self) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never deleted")


class AppendOnly(models.Model):
    """Refuses to change or delete what was written."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if self.pk is not None:
            raise TypeError(f"{type(self).__name__} rows are never changed")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted")
