"""When a worker was last seen."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now

from annotation.corpora.models import WorkerBeat


def get_time_since_beat() -> timedelta | None:
    """Since the last sign of life of any worker; None if there never was one."""
    age = ExpressionWrapper(Now() - F("seen_at"), output_field=DurationField())
    newest = WorkerBeat.objects.order_by("-seen_at").annotate(age=age)
    return newest.values_list("age", flat=True).first()
