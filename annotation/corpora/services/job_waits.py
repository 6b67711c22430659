"""Waiting for a fault to pass: a job goes back into the queue, and a worker stays with a write."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection, transaction
from django.db.models import F

from annotation import clock
from annotation.corpora.models import Job, JobLine, JobState
from annotation.faults import Fault, classify_fault
from annotation.translation import gettext as _

T = TypeVar("T")
# How soon a job that waits for a fault to pass is tried again, and for how long a worker stays with
# one that can't even be put back into the queue. After that its lease lapses, and others find it.
WAIT_SECONDS = 5
SIT_OUT_SECONDS = 600


def put_off_job(job: Job, fault: Fault) -> None:
    """Queued again, to be tried in a few seconds. It doesn't count as an attempt."""
    mine = Job.objects.filter(pk=job.pk, lease=job.lease, state=JobState.RUNNING)
    with transaction.atomic():
        again = mine.update(
            state=JobState.QUEUED,
            waiting_for=fault,
            retry_at=clock.now() + timedelta(seconds=WAIT_SECONDS),
            lease="",
            lease_until=None,
            attempts=F("attempts") - 1,
        )
        last = job.lines.order_by("-pk").values_list("text", flat=True).first()
        text = _("{waiting}. The job continues automatically.").format(waiting=fault.waiting)
        if again and last != text:
            JobLine.objects.create(job=job, text=text)


def sit_out_faults(call: Callable[[], T]) -> T:
    """Repeat what writes a row or two until the database takes it; for a while, not for ever."""
    until = time.monotonic() + SIT_OUT_SECONDS
    while True:
        try:
            return call()
        except DatabaseFault as error:
            if classify_fault(error) is None or time.monotonic() > until:
                raise
            if not connection.in_atomic_block:  # there it would cut the transaction off
                close_old_connections()
            time.sleep(1)
