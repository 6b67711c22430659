"""Signs of life of workers."""

from __future__ import annotations

from django.db import models

from annotation.translation import gettext as _


class WorkerBeat(models.Model):
    """When a worker process last said that it is there. Its name is a random one of the process."""

    worker = models.CharField(max_length=32, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return _("{worker}, seen at {seen_at:%Y-%m-%d %H:%M:%S}").format(
            worker=self.worker[:8], seen_at=self.seen_at
        )
