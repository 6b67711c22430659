"""Celery's doors to the services, and the sweep that makes a lost message harmless."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_shutting_down
from django.conf import settings
from django.db import connection

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.activity.models import Door
from annotation.corpora.jobs import kinds
from annotation.corpora.jobs import service as jobs_service
from annotation.doors import through

logger = logging.getLogger(__name__)


class Stop(threading.Event):
    """May be set by a signal's handler: a second signal amid it must not wait for the first."""

    is_asked = False

    def set(self) -> None:
        if not self.is_asked:
            self.is_asked = True
            super().set()

    def clear(self) -> None:
        super().clear()
        self.is_asked = False


_stop = Stop()


@shared_task(name="corpora.run_job", ignore_result=True)
def run_job(job_id: int) -> None:
    jobs_service.run_job(job_id=job_id)


@shared_task(name="corpora.send_reset_mail", ignore_result=True)
def send_reset_mail(email: str) -> None:
    accounts_service.send_reset_mail(email=email)


@worker_init.connect
def start_sweep(**_: Any) -> None:
    """Every worker looks for jobs that nobody holds, so no scheduler has to run beside them.

    It begins before the broker is reached: pay and recovery don't wait for a broker that is away.
    Pay and recovery wait for our own database only. A delivery waits for somebody else's server, so
    each kind of it has a thread to itself.
    """
    _stop.clear()
    for sweeps in (kinds.SWEEPS, *([delivery] for delivery in kinds.DELIVERIES)):
        name = f"sweep-{sweeps[0].__name__}"
        threading.Thread(target=_sweep, args=(sweeps,), name=name, daemon=True).start()


@worker_shutting_down.connect
def stop_sweep(**_: Any) -> None:
    _stop.set()


def _sweep(sweeps: Sequence[Callable[[], object]]) -> None:
    while not _stop.wait(settings.JOB_SWEEP_SECONDS):
        for sweep in sweeps:
            _run_sweep(sweep)
        connection.close()


def _run_sweep(sweep: Callable[[], object]) -> None:
    """One that fails must not keep the others from running, now or later."""
    try:
        with through(Door.JOB):
            sweep()
    except Exception:
        logger.exception("a sweep failed; it will be retried")
        connection.close()
