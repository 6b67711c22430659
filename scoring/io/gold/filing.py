"""Several files that grow side by side, on disk, and are then sent one after the other."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

BLOCK = 1 << 16
HELD = 1 << 20  # characters in memory before they are written out


class LineFiling:
    """Add a line to any of many files; no more than `HELD` characters stay in memory.

    A file is opened only to be added to, so that there may be as many as there are systems. The
    last line of a file has no newline, which is how the published files are written.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lines-")
        self._paths: dict[str, Path] = {}
        self._pending: dict[str, list[str]] = defaultdict(list)
        self._held = 0

    @property
    def names(self) -> list[str]:
        return list(self._paths)

    def add(self, name: str, line: str) -> None:
        if name in self._paths:
            self._pending[name].append("\n" + line)
        else:
            self._paths[name] = Path(self._folder.name) / str(len(self._paths))
            # A reader takes one byte-order mark away; a text that begins with one needs two.
            self._pending[name].append("\ufeff" + line if line.startswith("\ufeff") else line)
        self._held += len(line) + 1
        if self._held >= HELD:
            self.flush()

    def flush(self) -> None:
        for name, lines in self._pending.items():
            with open(self._paths[name], "ab") as file:
                file.write("".join(lines).encode())
        self._pending.clear()
        self._held = 0

    def blocks(self, name: str) -> Iterator[bytes]:
        self.flush()
        return file_blocks(self._paths[name])

    def close(self) -> None:
        self._folder.cleanup()

    def __enter__(self) -> LineFiling:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def file_blocks(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            yield block
