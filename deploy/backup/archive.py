"""The archive: a ZIP of tables as JSON lines, of files as they are, and of a manifest over both.

The manifest is written last, with a checksum of every part, so that an archive that was cut short
or changed is known before anything is done with it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.utils.translation import gettext as _

KIND = "giza-backup"
FORMAT = 1
MANIFEST = "manifest.json"
# What every manifest says.
TOLD = ("program", "made_at", "database", "migrations", "tables", "files")
CHUNK = 1 << 20
# Of zlib's nine: twice as quick as its default, and a few hundredths larger.
LEVEL = 3
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, ValueError)

Say = Callable[[str], None]


class BackupError(Exception):
    """What can't be done, in a sentence for the operator."""


@contextmanager
def writing_to(path: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name when it is whole, and that only this account may read."""
    part = path.with_name(f".{path.name}.part")
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        _hold(file, path)
        file.truncate()  # what a killed one has left
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)


def _hold(file: IO[bytes], path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BackupError(
            _("{path} is being written by another backup.").format(path=path)
        ) from error


class Writer:
    """Adds parts to an archive and keeps their sizes and checksums."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *__: object) -> None:
        self._zip.close()

    def add(self, name: str, chunks: Iterator[bytes]) -> dict[str, Any]:
        """Write a part piece by piece; its size and checksum."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(zipfile.ZipInfo(name), "w", force_zip64=True) as out:
            for chunk in chunks:
                out.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        return {"bytes": size, "sha256": digest.hexdigest()}

    def finish(self, manifest: dict[str, Any]) -> None:
        body = {"kind": KIND, "format": FORMAT, **manifest}
        self._zip.writestr(MANIFEST, json.dumps(body, indent=1))


class Reader:
    """An archive that was opened, and whose manifest is of a format that is known."""

    def __init__(self, path: Path, opened: zipfile.ZipFile) -> None:
        self.path = path
        self._zip = opened
        with self._telling():
            self.manifest: dict[str, Any] = json.loads(self._zip.read(MANIFEST))
            kind, form = self.manifest["kind"], int(self.manifest["format"])
        if kind != KIND:
            raise BackupError(_("{path} is not a Giza backup.").format(path=path))
        if form > FORMAT:
            raise BackupError(
                _(
                    "{path} was made by a newer Giza ({program}), in format "
                    "{form}; this one reads up to {format}. Install that version or a newer one."
                ).format(path=path, program=self.manifest.get("program"), form=form, format=FORMAT)
            )

    @property
    def tables(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.manifest["tables"]
        return listed

    @property
    def files(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.manifest["files"]
        return listed

    def verify(self, say: Say) -> None:
        """Read every part once and compare it with the manifest; refuse at the first difference."""
        with self._telling():
            if missing := [name for name in TOLD if name not in self.manifest]:
                raise ValueError(f"its manifest lacks '{missing[0]}'")
            parts = [*self.tables, *self.files]
            say(_("Checking {parts} parts …").format(parts=len(parts)))
            expected = [MANIFEST, *(part["name"] for part in parts)]
            if sorted(expected) != sorted(self._zip.namelist()):
                raise ValueError("its parts differ from its manifest")
            for part in parts:
                self._verify_part(part)

    def _verify_part(self, part: dict[str, Any]) -> None:
        digest, size, lines = hashlib.sha256(), 0, 0
        for chunk in self.chunks(part["name"]):
            digest.update(chunk)
            size, lines = size + len(chunk), lines + chunk.count(b"\n")
        is_same = (size, digest.hexdigest()) == (part["bytes"], part["sha256"])
        if not is_same or lines != part.get("rows", lines):
            raise ValueError(f"{part['name']} has changed")

    def chunks(self, name: str) -> Iterator[bytes]:
        with self._zip.open(name) as part:
            while chunk := part.read(CHUNK):
                yield chunk

    def rows(self, name: str) -> Iterator[list[Any]]:
        with self._zip.open(name) as part:
            for line in part:
                yield json.loads(line)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except UNREADABLE as error:
            raise damaged(self.path, error) from error


def damaged(path: Path, error: Exception) -> BackupError:
    return BackupError(
        _("{path} is damaged ({error}). Nothing was changed. Use another backup.").format(
            path=path, error=error
        )
    )


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    if not path.is_file():
        raise BackupError(_("{path}: no such file.").format(path=path))
    try:
        opened = zipfile.ZipFile(path)
    except UNREADABLE as error:
        raise damaged(path, error) from error
    with opened:
        yield Reader(path, opened)
