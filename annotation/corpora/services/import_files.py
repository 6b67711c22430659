"""The files of an import: where they lie, how they come there and how they are read."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from annotation.corpora.models import Import, KeptFile, Project
from annotation.corpora.services.jobs import Work
from annotation.errors import DomainError, Invalid
from annotation.translation import gettext as _
from scoring.io import CorpusError, CorpusReader, ProblemList, open_corpus
from scoring.types import Problem

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
