"""How much people may have sent: by each account over all projects, and to each project.

- Files that were sent for a job: saved within the quotas, and removed once nobody needs them.
- The files of an import: where they lie, how they come there and how they are read.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import Import, ImportState, KeptFile, Upload
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid, TooLarge
from scoring.io import CorpusError, CorpusReader, ProblemList, open_corpus
from scoring.types import Problem

MB = 2**20
# What was refused or dropped is kept nowhere, and counts for nobody.
UNCOUNTED = (ImportState.REFUSED, ImportState.DROPPED)
# Unless it is a table whose columns can still be chosen otherwise.
KEPT_TABLES = Q(state=ImportState.REFUSED, plan__columns__0__isnull=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes that were sent and are kept, and how many may be."""

    used: int
    most: int

    @property
    def left(self) -> int:
        return max(0, self.most - self.used)


@dataclass(frozen=True, slots=True)
class Room:
    """What a project and an account still have room for.

    Commands of staff have no account, and a gold dataset has no project before it is restored.
    """

    project: Usage | None = None
    account: Usage | None = None

    def check(self, size: int) -> None:
        """Refuse what does not fit, and say whose room it is that is full."""
        if self.project is not None and size > self.project.left:
            raise _refusal(_("This project has"), self.project, size, "QUOTA_PROJECT_MB")
        if self.account is not None and size > self.account.left:
            raise _refusal(_("Your account has"), self.account, size, "QUOTA_ACCOUNT_MB")


def find_room(*, project: Project | None, user: User | None) -> Room:
    return Room(
        None if project is None else get_project_usage(project),
        None if user is None else get_account_usage(user),
    )


def get_project_usage(project: Project) -> Usage:
    return Usage(_sum(project=project), settings.QUOTA_PROJECT_MB * MB)


def get_account_usage(user: User) -> Usage:
    return Usage(_sum(created_by=user), settings.QUOTA_ACCOUNT_MB * MB)


def lock_quotas(*, project: Project | None, user: User | None) -> None:
    """Until the transaction ends nobody else counts: two at once don't both take the last room."""
    if project is not None:
        Project.objects.select_for_update().get(pk=project.pk)
    if user is not None:
        User.objects.select_for_update().get(pk=user.pk)


def _refusal(owner: str, usage: Usage, size: int, setting: str) -> TooLarge:
    used, most, more = (-(-part // MB) for part in (usage.used, usage.most, size))
    return TooLarge(
        _("{owner} no room for another {more:,} MB: {used:,} of {most:,} MB are used.").format(
            owner=owner, more=more, used=used, most=most
        ),
        _(
            "Undo or discard imports that you don't need, or ask the administrators of this server "
            "for a larger {setting}."
        ).format(setting=setting),
    )


def _sum(**owner: Project | User) -> int:
    """Of imports, and of what is kept for other jobs."""
    kept: list[QuerySet[Any]] = [
        Import.objects.filter(**owner).exclude(Q(state__in=UNCOUNTED) & ~KEPT_TABLES),
        Upload.objects.filter(**owner),
    ]
    return sum(rows.aggregate(sum=Sum("size"))["sum"] or 0 for rows in kept)


FOLDER_OF_SUFFIX = {".label": "labels", ".id": "by_examples", ".sys": "by_systems"}
# In bytes, on every common file system.
LONGEST_NAME = 255
UploadedFile = tuple[str, Iterable[bytes]]


def import_of(work: Work) -> Import:
    """The import that a job is about."""
    return Import.objects.select_related("project", "created_by").get(
        folder=work.job.params["folder"]
    )


@contextmanager
def opened(import_: Import, problems: ProblemList) -> Iterator[CorpusReader]:
    reader = open_corpus(
        Path(import_.path) if import_.path else uploads_of(import_),
        format=import_.format,
        problems=problems,
        max_bytes=max_bytes(),
        columns=import_.columns,
        keep_marks=True,  # an import stores texts as they came
    )
    try:
        yield reader
    finally:
        reader.source.close()


def max_bytes() -> int:
    """The most that an import takes: of a zip in all, of a file that is kept in itself."""
    return int(settings.MAX_UNPACKED_MB) * 2**20


def uploads_of(import_: Import) -> Path:
    return Path(settings.IMPORTS_DIR) / str(import_.folder)


def save_files(import_: Import, files: Iterable[UploadedFile], check: Callable[[int], None]) -> int:
    """Write what was sent, and give its size; `check` refuses a size there is no room for."""
    folder, size = uploads_of(import_), 0
    for name, chunks in files:
        target = folder / _safe_name(name)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as out:
                for chunk in chunks:
                    size += len(chunk)
                    check(size)
                    out.write(chunk)
        except FileExistsError:
            raise DomainError(
                _("The name '{target}' was uploaded twice.").format(target=target.name),
                _("Upload each file once."),
            ) from None
    return size


def remove_files(import_: Import) -> None:
    shutil.rmtree(uploads_of(import_), ignore_errors=True)


def new_kept_files(project: Project, reader: CorpusReader) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of units, labels and folds that came along and are not kept yet."""
    most = max_bytes()
    for name in reader.kept:
        if reader.source.size(name) > most:
            expected = _("at most {max_unpacked_mb:,} MB.").format(
                max_unpacked_mb=settings.MAX_UNPACKED_MB
            )
            raise CorpusError(Problem(name, None, _("The file is too large to store."), expected))
        data = reader.source.read(name)
        known = KeptFile.objects.filter(source__project=project, name=name, data=data)
        if not known.exists():
            yield name, data


def _safe_name(name: str) -> Path:
    """The bare name, in the folder of the layout to which its ending belongs."""
    bare = Path(name.replace("\\", "/")).name
    if bare in ("", ".", ".."):
        raise Invalid(_("'{name}' is not a file name.").format(name=name))
    if len(bare.encode()) > LONGEST_NAME:
        raise Invalid(
            _("The name '{bare}…' is too long for a file.").format(bare=bare[:40]), _("Shorten it.")
        )
    return Path(FOLDER_OF_SUFFIX.get(Path(bare).suffix, "")) / bare


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
