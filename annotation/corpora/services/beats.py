"""A worker's sign of life: one small row, renewed at each round of its sweeps."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.db.models.functions import Now

from annotation.corpora.models import WorkerBeat

# A random name: nothing about the machine is stored.
NAME = uuid.uuid4().hex
FORGOTTEN_AFTER = timedelta(days=1)


def note_worker_beat() -> None:
    """By the database's clock, so that machines need not agree about the time."""
    made = WorkerBeat.objects.get_or_create(worker=NAME, defaults={"seen_at": Now()})[1]
    if made:
        WorkerBeat.objects.filter(seen_at__lt=Now() - FORGOTTEN_AFTER).delete()
    else:
        WorkerBeat.objects.filter(worker=NAME).update(seen_at=Now())
