"""What kinds of jobs there are: what each does, who may begin it, and in which lane it runs.

- Leases: what a worker has in hand stays its own for as long as it lives, and not much longer.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection

from annotation import clock
from annotation.corpora.accounts.models import KeyScope
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Role

if TYPE_CHECKING:
    from annotation.corpora.jobs.work import Work


@dataclass(frozen=True, slots=True)
class JobKind:
    """What a kind of job does, and what follows when it ends or begins again.

    `undo` runs after it was cancelled, if it can be; `failed` with its failure, `retried` when
    somebody tries it again. Each is committed together with the job's own state.
    `least` and `scope` are what beginning it, or trying it again, needs of a person and of a key.
    One that `spends` goes on only while whoever began it still has that role. One that `is_long`
    may run for minutes or hours, or needs a model: short jobs don't wait for it (lanes.py).
    """

    run: Callable[[Work], dict[str, Any]]
    undo: Callable[[Job], None] | None = None
    failed: Callable[[Job], None] | None = None
    retried: Callable[[Job], None] | None = None
    can_cancel: bool = True
    can_pause: bool = False
    least: Role = Role.EDITOR
    scope: KeyScope = KeyScope.PUBLISH
    spends: bool = False
    is_long: bool = False


KINDS: dict[str, JobKind] = {}
# What every worker looks after now and then; quick, and harmless when several do it at once.
SWEEPS: list[Callable[[], object]] = []
# What waits for servers of others, or long for the disk: each has a thread of its own, so that
# nothing else waits too.
DELIVERIES: list[Callable[[], object]] = []


def can_cancel(job: Job) -> bool:
    """Whether work of this kind may be left half-done."""
    kind = KINDS.get(job.kind)
    return kind is None or kind.can_cancel


def least_role(job: Job) -> Role:
    """The role that beginning this job, or trying it again, needs."""
    kind = KINDS.get(job.kind)
    return kind.least if kind else Role.EDITOR


def least_scope(job: Job) -> KeyScope:
    """The same of a key."""
    kind = KINDS.get(job.kind)
    return kind.scope if kind else KeyScope.PUBLISH


def list_long_kinds() -> list[str]:
    """The names of kinds that may run for long."""
    return sorted(name for name, kind in KINDS.items() if kind.is_long)


logger = logging.getLogger(__name__)


def lease_end() -> datetime:
    return clock.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


@contextmanager
def heartbeat(renew: Callable[[], object], what: str) -> Iterator[None]:
    """Renew a lease from a thread of its own, so that a long step is not taken for a dead one."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(renew, what, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(renew: Callable[[], object], what: str, over: threading.Event) -> None:
    while not over.wait(settings.JOB_LEASE_SECONDS / 3):
        try:
            renew()
        except DatabaseFault:
            logger.exception("the lease of %s could not be renewed", what)
            close_old_connections()
    connection.close()
