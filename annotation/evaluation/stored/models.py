"""Results that take long to compute, stored by the job that made what they are of."""

from __future__ import annotations

from django.db import models

from annotation import clock


class StoredResult(models.Model):
    """JSON under the key by which the shared cache knows it; see `annotation.computed`."""

    key = models.CharField(max_length=120, primary_key=True)
    value = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.key
