"""What was sent and is needed by nobody goes: refused, abandoned, or left by a killed process.

A file that is being written, or whose row is about to be made, is younger than `UNCLAIMED_AFTER`:
nothing younger is touched.
"""

from __future__ import annotations

import logging
import math
import shutil
import time
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Q, TextField
from django.db.models.functions import Cast, Now

from annotation.corpora.imports.models import Import, ImportState, Upload
from annotation.corpora.imports.service import drop_import
from annotation.corpora.imports.uploads import KEPT_TABLES
from annotation.corpora.jobs.kinds import DELIVERIES
from annotation.corpora.jobs.models import Job, JobState
from annotation.errors import DomainError

logger = logging.getLogger(__name__)

EVERY = 15 * 60.0
UNCLAIMED_AFTER = 3600.0
# A job may work for long with files that it wrote at its beginning.
LEFT_AFTER = 24 * 3600.0
NEEDS_FILES = (ImportState.CHECKING, ImportState.READY, ImportState.WRITING)
# A process that lives for weeks has one of these of its own, and writes to it once.
OF_PROCESSES = "pymp-"
HALF_WRITTEN = ("*.part", "*.taken")


def clean_up() -> int:
    """Remove all of it; how many imports, folders and files went."""
    return drop_abandoned() + remove_unclaimed() + remove_left_over()


def drop_abandoned() -> int:
    """Imports that nobody wrote in time. One that is being written this moment stays."""
    dropped = 0
    for import_ in _abandoned():
        try:
            drop_import(import_=import_)
        except DomainError:
            continue  # somebody imports it, or drops it, right now
        dropped += 1
        logger.info("%s was never imported; its files were deleted.", import_)
    return dropped


def remove_unclaimed() -> int:
    """Folders of uploads that no import and no job needs any more."""
    now, folder = _now(), Path(settings.IMPORTS_DIR)
    found = [path for path in _children(folder) if now - _newest(path) > _patience(path.name)]
    removed = sum(_remove(path) for path in found if not _is_claimed(path.name))
    _forget_removed(folder)
    return removed


def _forget_removed(folder: Path) -> None:
    """Uploads whose files are gone don't count any more."""
    before = Now() - timedelta(seconds=UNCLAIMED_AFTER)
    for upload in Upload.objects.filter(created_at__lt=before):
        if not (folder / upload.folder).exists():
            upload.delete()


def remove_left_over() -> int:
    """Temporary files, and exports and backups that were never finished."""
    now, data = _now(), Path(settings.DATA_DIR)
    found = [
        path
        for path in _children(Path(settings.FILE_UPLOAD_TEMP_DIR))
        if not path.name.startswith(OF_PROCESSES)
    ]
    for place in (data, data / "backups", data / "broker" / "messages", Path(settings.GOLD_DIR)):
        found += [path for pattern in HALF_WRITTEN for path in place.glob(pattern)]
    return sum(_remove(path) for path in found if now - _newest(path) > LEFT_AFTER)


def _abandoned() -> list[Import]:
    """Checked and waiting for too long; or never checked, as the job for that has ended."""
    before = Now() - timedelta(days=settings.UPLOAD_DAYS)
    is_ready = Q(state=ImportState.READY) | KEPT_TABLES
    over = Q(job=None) | Q(job__state__in=[JobState.FAILED, JobState.CANCELLED, JobState.DONE])
    failed = Q(state=ImportState.FAILED, job__kind="check_import")
    never_checked = (Q(state=ImportState.CHECKING) & over) | failed
    found = Import.objects.filter(is_ready | never_checked, created_at__lt=before)
    return list(found.select_related("project", "job"))


def _is_claimed(name: str) -> bool:
    """Whether an import has files in this folder, or a job that may still run, or run again."""
    needed = Q(state__in=NEEDS_FILES) | KEPT_TABLES
    if _is_uuid(name) and Import.objects.filter(needed, folder=name).exists():
        return True
    waiting = Q(state__in=[JobState.QUEUED, JobState.RUNNING, JobState.PAUSED])
    recent = Now() - timedelta(days=settings.UPLOAD_DAYS)
    again = Q(state=JobState.FAILED) & (Q(finished_at=None) | Q(finished_at__gt=recent))
    jobs = Job.objects.filter(waiting | again)
    if name.startswith("restore-") and name.removeprefix("restore-").isdecimal():
        return bool(jobs.filter(pk=int(name.removeprefix("restore-"))).exists())
    sent = jobs.annotate(sent=Cast("params", TextField())).filter(sent__contains=name)
    return bool(sent.exists())


def _is_uuid(name: str) -> bool:
    try:
        uuid.UUID(name)
    except ValueError:
        return False
    return True


def _children(folder: Path) -> Iterator[Path]:
    return folder.iterdir() if folder.is_dir() else iter(())


def _patience(name: str) -> float:
    """What stands beside the uploads is a backup that is being restored."""
    return UNCLAIMED_AFTER if _is_uuid(name) else LEFT_AFTER


def _now() -> float:
    """By the clock that dates the files, which may be another machine's."""
    probe = Path(settings.DATA_DIR) / "run" / "clock"
    probe.touch()
    return probe.stat().st_mtime


def _newest(path: Path) -> float:
    """When anything in it was written last; now, where it goes this moment."""
    newest = 0.0
    for one in (path, *path.rglob("*")):
        try:
            newest = max(newest, one.lstat().st_mtime)
        except FileNotFoundError:
            return math.inf
    return newest


def _remove(path: Path) -> bool:
    """Whether it is gone. Two workers may be at it at once."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:  # one file must not keep the others
            logger.warning("%s can't be deleted: %s", path, error)
            return False
    logger.info("%s was left over; it was deleted.", path)
    return not path.exists()


_due = 0.0


def clean_up_seldom() -> None:
    """Looks at the disk at most every so often, however often it is called."""
    global _due
    if time.monotonic() >= _due:
        _due = time.monotonic() + EVERY
        clean_up()


DELIVERIES.append(clean_up_seldom)
