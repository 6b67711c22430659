"""Zips that strangers send to do harm, small on the disk."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.io import source

Write = Callable[[Path], Path]
NAME = "ids.txt"


def one_file(path: Path, name: str = NAME, data: bytes = b"a\n", **fields: Any) -> Path:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    for field, value in fields.items():
        setattr(info, field, value)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, data)
    return path


def encrypted(path: Path) -> Path:
    data = bytearray(one_file(path).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    return path


def nested(path: Path) -> Path:
    """A zip in a zip is a file like any other: it is not unpacked."""
    inner = one_file(path.with_name("inner.zip"))
    one_file(path, "inner.zip", inner.read_bytes())
    inner.unlink()
    return path


def crowded(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(4):
            archive.writestr(f"{number}.txt", "a")
    return path


# How it is written, which file the refusal names, and what it says.
BOMBS: dict[str, tuple[Write, str, str]] = {
    "huge": (lambda at: one_file(at, data=b"0\n" * 2**20), "sent.zip", "too large when unpacked"),
    "dense": (lambda at: one_file(at, data=b"0\n" * 2**17), NAME, "unpacks to more than"),
    "crowded": (crowded, "sent.zip", "too many files"),
    "upwards": (lambda at: one_file(at, "../../ids.txt"), "../../ids.txt", "outside the zip"),
    "backslashes": (lambda at: one_file(at, "..\\ids.txt"), "..\\ids.txt", "outside the zip"),
    "absolute": (lambda at: one_file(at, "/etc/ids.txt"), "/etc/ids.txt", "outside the zip"),
    "link": (
        lambda at: one_file(
            at, data=b"/etc/passwd", external_attr=(stat.S_IFLNK | 0o777) << 16, create_system=3
        ),
        NAME,
        "a link, not a file",
    ),
    "encrypted": (encrypted, NAME, "encrypted"),
    "nested": (nested, "", ""),
}


def tighten(patch: pytest.MonkeyPatch, settings: Any) -> None:
    """Bounds that small files break as large ones break the real bounds."""
    patch.setattr(source, "MOST_FILES", 3)
    patch.setattr(source, "MOST_PACKED", 2**16)
    settings.MAX_UNPACKED_MB = 1
