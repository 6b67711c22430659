"""Files that were sent for a job: saved within the quotas, and removed once nobody needs them."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from annotation.corpora.models import Project, Upload, User
from annotation.corpora.services.import_files import LONGEST_NAME, UploadedFile
from annotation.corpora.services.quotas import find_room, lock_quotas
from annotation.errors import DomainError, Invalid, TooLarge
from annotation.translation import gettext as _


@dataclass
class Received:
    """What was sent, in the order of sending. It goes unless a job needs it."""

    folder: Path
    paths: list[Path]
    is_needed: bool = False


@contextmanager
def receiving(
    *,
    project: Project | None,
    user: User | None,
    files: Iterable[UploadedFile],
    held: str = "",
) -> Iterator[Received]:
    """Save the files under their bare names for as long as they are checked, or needed by a job.

    `held` names files of the same person that an earlier check left, until somebody has decided.
    """
    if held:
        received = _take_held(project, user, held)
    else:
        received = Received(new_folder(), [])
    try:
        if not held:
            _save(received, project, user, files)
        yield received
    finally:
        if not received.is_needed:
            remove_received(received.folder)


def _take_held(project: Project | None, user: User | None, held: str) -> Received:
    """Of two who take them at once, one gets them."""
    upload = Upload.objects.filter(folder=held, project=project, created_by=user).first()
    folder = Path(settings.IMPORTS_DIR) / str(uuid.uuid4())
    try:
        if upload is None:
            raise FileNotFoundError
        folder.with_name(held).rename(folder)
    except FileNotFoundError:
        raise Invalid(_("The file is no longer on the server."), _("Choose it again.")) from None
    upload.folder = folder.name
    upload.save(update_fields=["folder"])
    return Received(folder, sorted(folder.iterdir()))


def new_folder() -> Path:
    """For the files of one job."""
    folder = Path(settings.IMPORTS_DIR) / str(uuid.uuid4())
    folder.mkdir(parents=True)
    return folder


def remove_received(folder: Path) -> None:
    """Remove what was sent for a job; a path on the server that was named stays."""
    if folder.parent == Path(settings.IMPORTS_DIR):
        shutil.rmtree(folder, ignore_errors=True)
        Upload.objects.filter(folder=folder.name).delete()


def _save(
    received: Received, project: Project | None, user: User | None, files: Iterable[UploadedFile]
) -> None:
    size, room = 0, find_room(project=project, user=user)
    for name, chunks in files:
        path = _find_place(received.folder, name)
        with path.open("xb") as out:
            for chunk in chunks:
                size += len(chunk)
                _check_size(size)
                room.check(size)
                out.write(chunk)
        received.paths.append(path)
    with transaction.atomic():
        lock_quotas(project=project, user=user)
        find_room(project=project, user=user).check(size)
        Upload.objects.create(
            folder=received.folder.name, project=project, created_by=user, size=size
        )


def _find_place(folder: Path, name: str) -> Path:
    bare = Path(name.replace("\\", "/")).name
    if bare in ("", ".", "..") or len(bare.encode()) > LONGEST_NAME:
        raise Invalid(
            _("'{name}' is not a file name.").format(name=name[:40]), _("Rename the file.")
        )
    path = folder / bare
    if path.exists():
        raise DomainError(
            _("The name '{bare}' was uploaded twice.").format(bare=bare),
            _("Upload each file once."),
        )
    return path


def _check_size(size: int) -> None:
    if size > settings.MAX_UPLOAD_MB * 2**20:
        raise TooLarge(
            _("The files are larger than {max_upload_mb:,} MB.").format(
                max_upload_mb=settings.MAX_UPLOAD_MB
            )
        )
