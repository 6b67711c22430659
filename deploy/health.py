"""How this server is, for people who run it, for orchestrators and for process managers.

Anybody may ask, so an answer holds no version, path, address, name or count: only how each part
is, in words, how much of the disk is free in percent, and how long ago a worker was seen.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import caches
from django.db import Error as DatabaseFault
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError as BrokerFault

from annotation.corpora.jobs.models import WorkerBeat
from annotation.corpora.jobs.queries import get_time_since_beat
from annotation.faults import is_disk_writable
from deploy.cache import SteadyRedisCache

logger = logging.getLogger(__name__)

Part = dict[str, Any]
OK, DEGRADED, FAILED, UNKNOWN = "ok", "degraded", "failed", "unknown"
# Less than this is too little for an import or a gold file.
LEAST_FREE_BYTES = 512 * 2**20
# A worker sweeps every few seconds; a round of sweeps may take a while.
LEAST_BEAT_SECONDS = 60.0
BEATS_MISSED = 5
# However often anybody asks, a part that may be slow to answer is asked once in so long.
KEPT_SECONDS = 2.0


class Kept:
    """A check that one thread at a time makes; the others get what was found last."""

    def __init__(self, check: Callable[[], Part]) -> None:
        self._check = check
        self._lock = threading.Lock()
        self._found: Part = {"status": UNKNOWN}
        self._until = 0.0

    def __call__(self) -> Part:
        if time.monotonic() < self._until or not self._lock.acquire(blocking=self._until == 0.0):
            return self._found
        try:
            if time.monotonic() >= self._until:
                self._found = self._check()
                self._until = time.monotonic() + KEPT_SECONDS
        finally:
            self._lock.release()
        return self._found

    def forget(self) -> None:
        self._until = 0.0


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """This process answers. Nothing else is looked at: a restart would not fix anything else."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Whether to send people here: 200 once the database answers and has this version's tables.

    Cache, broker, workers and a full disk don't count. Pages work without them, and another
    server, which shares them, would be no better off.
    """
    try:
        status = OK if _is_migrated() and check_database()["status"] == OK else FAILED
    except DatabaseFault:
        status = FAILED
    return _answer({"status": status})


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Each part, and `ok`, `degraded` or `failed` in all: 503 only where the database is away."""
    parts = {name: check() for name, check in CHECKS.items()}
    states = {part["status"] for part in parts.values()}
    status = OK if states == {OK} else DEGRADED
    if parts["database"]["status"] == FAILED:
        status = FAILED
    return _answer({"status": status, "parts": parts})


def _answer(body: Part) -> HttpResponse:
    return JsonResponse(body, status=503 if body["status"] == FAILED else 200)


def check_database() -> Part:
    """By a look into a table, which SQLite needs its file for."""
    try:
        WorkerBeat.objects.exists()
    except DatabaseFault:
        return {"status": FAILED}
    return {"status": OK}


def check_worker() -> Part:
    """Whether a worker sweeps. Without one, jobs wait and nobody is paid automatically."""
    try:
        age = get_time_since_beat()
    except DatabaseFault:
        return {"status": UNKNOWN}
    if age is None:
        return {"status": FAILED, "seen_seconds_ago": None}
    seconds = max(0.0, age.total_seconds())
    allowed = max(LEAST_BEAT_SECONDS, BEATS_MISSED * settings.JOB_SWEEP_SECONDS)
    return {"status": OK if seconds <= allowed else FAILED, "seen_seconds_ago": round(seconds)}


def check_disk() -> Part:
    """Whether the folder of uploads and gold files can be written and has room."""
    try:
        usage = shutil.disk_usage(settings.DATA_DIR)
    except OSError:
        return {"status": FAILED, "writable": False}
    if not is_disk_writable():
        return {"status": FAILED, "writable": False}
    percent = int(100 * usage.free / usage.total) if usage.total else 0
    status = OK if usage.free >= LEAST_FREE_BYTES else DEGRADED
    return {"status": status, "writable": True, "free_percent": percent}


def _ask_cache() -> Part:
    """Through the same client as everybody else, which knows whether Redis is away."""
    found = caches["default"]
    found.set("healthz", 1, 10)
    is_away = isinstance(found, SteadyRedisCache) and found.is_away
    return {"status": FAILED if is_away else OK}


def _ask_broker() -> Part:
    try:
        with current_app.connection_for_write() as broker:
            # Opens a channel, and so asks the server; its own errors become kombu's.
            broker.ensure_connection(max_retries=1, interval_start=0)
            broker.default_channel  # noqa: B018
    except (BrokerFault, OSError):
        return {"status": FAILED}
    return {"status": OK}


_migrated = threading.Event()


def _is_migrated() -> bool:
    """Looked up until it is so: tables of this version don't go while its processes run."""
    if not _migrated.is_set():
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _migrated.set()
    return True


check_cache, check_broker = Kept(_ask_cache), Kept(_ask_broker)
CHECKS: dict[str, Callable[[], Part]] = {
    "database": check_database,
    "broker": check_broker,
    "cache": check_cache,
    "disk": check_disk,
    "worker": check_worker,
}
