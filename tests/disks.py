"""A disk that a test can fill: the kernel itself then refuses what is written."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

SIZE = 64 * 2**20


class Disk:
    """A folder, and whether anything more can be written into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """To the last byte."""
        with self._ballast.open("ab", buffering=0) as out, contextlib.suppress(OSError):
            for size in (2**20, 4096, 1):
                with contextlib.suppress(OSError):
                    while out.write(b"0" * size):
                        pass

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)


class LimitedDisk(Disk):
    """Where nothing can be mounted: this process may write to no file, which gives EFBIG."""

    def fill(self) -> None:
        self._handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, self._limits[1]))

    def free(self) -> None:
        if hasattr(self, "_limits"):
            resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)
            signal.signal(signal.SIGXFSZ, self._handler)


@contextlib.contextmanager
def small_disk(folder: Path, size: int = SIZE) -> Iterator[Disk]:
    folder.mkdir(parents=True, exist_ok=True)
    is_mounted = _mount(folder, size)
    disk = Disk(folder) if is_mounted else LimitedDisk(folder)
    try:
        yield disk
    finally:
        disk.free()
        if is_mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


def _mount(folder: Path, size: int) -> bool:
    line = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    return os.geteuid() == 0 and subprocess.run(line, check=False).returncode == 0
