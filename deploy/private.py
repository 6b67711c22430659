"""What lies in the data folder is for the account that runs Giza, and for nobody else."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600

logger = logging.getLogger("giza.private")


def keep_private() -> None:
    """Files and folders that this process makes from now on are readable by its account only."""
    os.umask(0o077)


@dataclass(frozen=True, slots=True)
class Repair:
    """How many files and folders were open to others: closed now, or another account's."""

    closed: int = 0
    refused: int = 0


def close_to_others(folder: Path) -> Repair:
    """Close the folder and what is in it to other accounts. Links are not followed."""
    closed = refused = 0
    for path, mode in _open_to_others(folder):
        try:
            path.chmod(mode)
            closed += 1
        except FileNotFoundError:
            continue  # a message or a log of SQLite that another process has just removed
        except PermissionError:
            refused += 1
    return Repair(closed, refused)


def repair(folder: Path) -> None:
    """At a start: close what an earlier version or another program left open, and say so."""
    found = close_to_others(folder)
    if found.closed:
        logger.warning(
            "Files and folders in %s that could be read by other accounts on this machine: %d. "
            "Now only this account can read them.",
            *(folder, found.closed),
        )
    if found.refused:
        logger.error(
            "Files and folders in %s that belong to another account and can be read by others: %d. "
            "Give them to the account that runs Giza (chown) and restart.",
            *(folder, found.refused),
        )


def _open_to_others(folder: Path) -> Iterator[tuple[Path, int]]:
    """Each file and folder whose mode is wider than it should be, with the mode it should have."""
    for root, _, files in os.walk(folder):
        yield from _too_open(Path(root), FOLDER_MODE)
        for name in files:
            yield from _too_open(Path(root, name), FILE_MODE)


def _too_open(path: Path, wanted: int) -> Iterator[tuple[Path, int]]:
    try:
        found = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISLNK(found) and stat.S_IMODE(found) & ~wanted:
        yield path, wanted
