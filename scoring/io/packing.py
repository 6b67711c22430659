"""A zip that is sent while it is made."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

FIXED_DATE = (1980, 1, 1, 0, 0, 0)


class Pipe(io.RawIOBase):
    """A file that is written to and that gives away what it has got so far."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts.clear()
        return taken


def stream_zip(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """A zip while it is made. Equal files give equal bytes: all carry one fixed date."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, blocks in files:
            info = zipfile.ZipInfo(name, FIXED_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as out:
                for block in blocks:
                    out.write(block)
                    yield pipe.take()
    yield pipe.take()
