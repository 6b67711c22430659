"""Where files come from: a folder, a zip or single files, all read the same way, line by line."""

from __future__ import annotations

import codecs
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.translation import gettext as _
from scoring.types import Problem

BOM = b"\xef\xbb\xbf"
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
IGNORED_PARTS = ("__MACOSX", ".DS_Store", "Thumbs.db")
# What reading a damaged file, or a zip of an unknown kind, ends in.
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, UnicodeError)
LONGEST_LINE = 64 * 2**20
# Other methods may ask for gigabytes of memory before the first byte comes out.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MOST_FILES = 100_000
# The list of a zip's files is held in memory before any of them is read.
LONGEST_LIST = 32 * 2**20
# Texts pack to a tenth. What packs much better, and is large, was made to fill a disk.
MOST_PACKED, MOST_RATIO = 32 * 2**20, 200


class TooManyFiles(Exception):
    """A zip's list of files is longer than is held in memory."""


class _ZipFile(io.BufferedReader):
    """A zip as it lies on the disk; a list of files that is too long is never read."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LONGEST_LIST:
            raise TooManyFiles
        return super().read(size)


class Source:
    """Named files. Names are relative, with `/`, and without a folder that holds them all."""

    def __init__(self, path: Path, *, max_bytes: int | None = None) -> None:
        self.path = path
        self._zip: zipfile.ZipFile | None = None
        self._members = self._find_members(max_bytes)

    @property
    def names(self) -> list[str]:
        return sorted(self._members)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def open(self, name: str) -> IO[bytes]:
        if name not in self:
            raise _unreadable(name, _("The file is missing."), _("the files that were checked."))
        with damage_named(name):
            if self._zip is not None:
                return io.BufferedReader(self._zip.open(self._members[name]), 1 << 16)  # type: ignore[type-var]
            return open(self._members[name], "rb", buffering=1 << 16)

    def read(self, name: str, size: int = -1) -> bytes:
        """The file's bytes, or its first `size` of them."""
        with self.open(name) as file, damage_named(name):
            return file.read(size)

    def size(self, name: str) -> int:
        """How many bytes the file has, unpacked."""
        with damage_named(name):
            if self._zip is not None:
                return self._zip.getinfo(self._members[name]).file_size
            return os.path.getsize(self._members[name])

    def close(self) -> None:
        if self._zip is not None and self._zip.fp is not None:
            file = self._zip.fp
            self._zip.close()
            file.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *__: object) -> None:
        self.close()

    def _find_members(self, max_bytes: int | None) -> dict[str, str]:
        if self.path.is_dir():
            files = list(_walk(self.path))
            zips = [name for name in files if name.lower().endswith(".zip")]
            if len(files) == 1 and zips:
                self.path = self.path / zips[0]
                return self._find_members(max_bytes)
            return _strip_common_folder({name: str(self.path / name) for name in files})
        if not self.path.exists():
            raise _unreadable(self.path.name, _("There is no such file or folder."), _("a path."))
        if self.path.suffix.lower() == ".zip":
            return self._open_zip(max_bytes)
        return {self.path.name: str(self.path)}

    def _open_zip(self, max_bytes: int | None) -> dict[str, str]:
        file = _ZipFile(io.FileIO(self.path))
        try:
            self._zip = zipfile.ZipFile(file)
        except (TooManyFiles, *DAMAGE) as error:
            file.close()
            if isinstance(error, TooManyFiles):
                raise _too_many(self.path.name) from None
            raise _unreadable(
                self.path.name,
                _("This zip file is damaged or incomplete ({error}).").format(error=error),
                _("a zip file."),
            ) from None
        infos = [info for info in self._zip.infolist() if _is_wanted(info.filename, info.is_dir())]
        # A size that lies is harmless: no more bytes than it says are ever unpacked.
        if max_bytes is not None and sum(info.file_size for info in infos) > max_bytes:
            raise _unreadable(
                self.path.name,
                _("The zip is too large when unpacked."),
                _("at most {max_bytes:,} MB unpacked.").format(max_bytes=max_bytes // 2**20),
            )
        check_members(self.path.name, infos)
        return _strip_common_folder({info.filename: info.filename for info in infos})


class LineReader:
    """Lines of one file by `\\n` alone, `\\r` and a leading BOM dropped, decoded as UTF-8.

    `number` is the line last given. A file of n lines may end with or without a newline, so
    the empty line behind a last newline is given only by `next_or_open_end`.
    """

    def __init__(
        self, source: Source, name: str, problems: ProblemList, *, keep_ends: bool = False
    ) -> None:
        self.name = name
        self.number = 0
        self._keep_ends = keep_ends
        self._file = source.open(name)
        self._problems = problems
        self._written = 0
        self._newline_last = True

    def next(self) -> str | None:
        """The next line that is written out, or None when the file has no more."""
        raw = self._read()
        if not raw:
            return None
        self.number += 1
        return self._decode(raw)

    def next_or_open_end(self) -> str | None:
        """Like `next`, but a newline at the very end opens one more, empty line."""
        line = self.next()
        if line is None and self._newline_last and self.number == self._written:
            self.number += 1
            return ""
        return line

    def __iter__(self) -> Iterator[str]:
        return iter(self.next, None)

    def skip(self, lines: int) -> None:
        for __ in range(lines):
            self._read()
            self.number += 1

    def count_lines(self) -> int:
        """How many lines the file has, those not yet read included."""
        while self._read():
            pass
        return self._written

    def may_have(self, lines: int) -> bool:
        """Whether the file, read to its end, can be taken as one of so many lines."""
        return lines == self._written or (self._newline_last and lines == self._written + 1)

    def close(self) -> None:
        self._file.close()

    def _read(self) -> bytes:
        try:
            raw = self._file.readline(LONGEST_LINE)
        except DAMAGE as error:
            raise _damaged(self.name, error) from None
        if len(raw) >= LONGEST_LINE:
            most = _("at most {longest_line} MB per line.").format(
                longest_line=LONGEST_LINE // 2**20
            )
            raise _unreadable(
                self.name,
                _("Line {written:,} is too long.").format(written=self._written + 1),
                most,
            )
        if raw:
            self._written += 1
            self._newline_last = raw.endswith(b"\n")
        return raw

    def _decode(self, raw: bytes) -> str:
        if self.number == 1:
            refuse_wide(self.name, raw)
            raw = raw.removeprefix(BOM)
        if not self._keep_ends:
            raw = raw.removesuffix(b"\n").removesuffix(b"\r")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            self._problems.add(
                self.name,
                self.number,
                _("Byte {raw:#04x} at column {start} is not UTF-8.").format(
                    raw=raw[error.start], start=error.start + 1
                ),
                _("text in UTF-8.{guess_narrow}").format(
                    guess_narrow=_guess_narrow(raw, error.start)
                ),
            )
            return raw.decode("utf-8", errors="replace")


def refuse_wide(name: str, start: bytes) -> None:
    """UTF-16 and UTF-32, by their mark or by the zero bytes that Latin letters have in them."""
    head = start[:400]
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        found = "UTF-32"
    elif head.startswith(UTF_16) or (len(head) > 3 and head.count(0) > len(head) / 4):
        found = "UTF-16"
    else:
        return
    expected = _("text in UTF-8: open the file in an editor and save it as UTF-8.")
    raise _unreadable(name, _("The file is encoded in {found}.").format(found=found), expected)


def _guess_narrow(raw: bytes, place: int) -> str:
    """A hint, if the byte is a letter or a sign of an encoding that programs still write."""
    letter = raw[place : place + 1].decode("cp1252", errors="replace")
    if raw[place] >= 0xA0:
        found = "Latin-1"
    elif letter in "€‚„…ŠŒŽ‘’“”•–—™šœžŸ":
        found = "Windows-1252"
    else:
        return ""
    return _(
        " In {found} the byte is ‘{letter}’: if that is right, save the file as UTF-8."
    ).format(found=found, letter=letter)


@contextmanager
def damage_named(name: str) -> Iterator[None]:
    """Tell of a file that can't be read to its end as of any other problem."""
    try:
        yield
    except DAMAGE as error:
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> CorpusError:
    reason = getattr(error, "strerror", None) or error
    return _unreadable(
        name, _("The file can't be read ({reason}).").format(reason=reason), _("an undamaged file.")
    )


def check_members(zip_name: str, infos: list[zipfile.ZipInfo]) -> None:
    if len(infos) > MOST_FILES:
        raise _too_many(zip_name)
    seen: set[str] = set()
    for info in infos:
        if info.filename in seen:
            raise _unreadable(
                info.filename, _("The zip contains this file twice."), _("each file once.")
            )
        seen.add(info.filename)
        _check_member(info)


def _check_member(info: zipfile.ZipInfo) -> None:
    parts = PurePosixPath(info.filename.replace("\\", "/")).parts
    if ".." in parts or parts[0] == "/":
        raise _unreadable(
            info.filename, _("The name points outside the zip."), _("a name inside it.")
        )
    if stat.S_ISLNK(info.external_attr >> 16):
        raise _unreadable(info.filename, _("This is a link, not a file."), _("the file itself."))
    if info.flag_bits & 0x1:
        raise _unreadable(
            info.filename, _("This file is encrypted."), _("a zip without a password.")
        )
    if info.compress_type not in PACKED:
        raise _unreadable(
            info.filename,
            _("This file uses an unsupported compression method."),
            _("deflated or stored."),
        )
    if info.file_size > max(MOST_PACKED, info.compress_size * MOST_RATIO):
        message = _("This file unpacks to more than {most_ratio} times its size.").format(
            most_ratio=MOST_RATIO
        )
        raise _unreadable(info.filename, message, _("a zip of texts."))


def _walk(folder: Path) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            name = (Path(parent) / file).relative_to(folder).as_posix()
            if _is_wanted(name, False):
                yield name


def _is_wanted(name: str, is_folder: bool) -> bool:
    parts = PurePosixPath(name).parts
    is_file = bool(parts) and not is_folder and name.rsplit("/", 1)[-1] not in ("", ".", "..")
    return is_file and not any(part in IGNORED_PARTS for part in parts)


def _strip_common_folder(members: dict[str, str]) -> dict[str, str]:
    """`study/ids.txt` and `study/summaries/a.summary` are read as `ids.txt`, `summaries/…`."""
    heads = {PurePosixPath(name).parts[0] for name in members}
    while len(heads) == 1 and all("/" in name for name in members):
        members = {name.split("/", 1)[1]: where for name, where in members.items()}
        heads = {PurePosixPath(name).parts[0] for name in members}
    return members


def _too_many(zip_name: str) -> CorpusError:
    message, most = (
        _("The zip contains too many files."),
        _("at most {most_files:,} of them.").format(most_files=MOST_FILES),
    )
    return _unreadable(zip_name, message, most)


def _unreadable(file: str, message: str, expected: str) -> CorpusError:
    return CorpusError(Problem(shown(file), None, shown(message), expected))
