"""The files that rows speak of: gold versions, trained judges, uploads that are not read yet."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.evaluation.judges.models import TRAINED
from annotation.translation import gettext_lazy
from deploy.backup.archive import CHUNK, BackupError, Reader, Say, Writer

FOLDER = "files"
STAGE = ".restoring"
LEFT_OUT_FILES = {
    "judges": gettext_lazy("folders added by the operator; copy them from their source"),
    "static, run, tmp, broker": gettext_lazy(
        "recreated at the next start; jobs are in the database"
    ),
    "secret-key": gettext_lazy("a secret of this machine; see docs/operations.md"),
}


def roots() -> dict[str, Path]:
    """Where each kind of file lies on this machine; archives know them by these names."""
    return {
        "gold": Path(settings.GOLD_DIR),
        "trained": Path(settings.JUDGES_DIR) / TRAINED,
        "imports": Path(settings.IMPORTS_DIR),
    }


def add_files(writer: Writer, say: Say) -> Iterator[dict[str, Any]]:
    """Write every file into the archive; what the manifest says of each.

    Files are written before the rows that name them, and we look after the rows were read: none is
    missing but those that somebody deleted in between.
    """
    for kind, root in roots().items():
        for path in list_files(root):
            name = f"{FOLDER}/{kind}/{path.relative_to(root).as_posix()}"
            try:
                file = path.open("rb")
            except FileNotFoundError:
                say(_("{path} was deleted during the backup and is left out.").format(path=path))
                continue
            with file:
                yield {"name": name, **writer.add(name, _pieces(file))}


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(CHUNK):
        yield piece


def list_files(root: Path) -> list[Path]:
    found = (path for path in root.rglob("*") if STAGE not in path.relative_to(root).parts)
    return sorted(path for path in found if path.is_file())


@contextmanager
def staged(archive: Reader) -> Iterator[list[tuple[Path, Path]]]:
    """Unpack files beside where they belong; pairs of where each is and where it goes."""
    stages = {kind: root / STAGE for kind, root in roots().items()}
    try:
        for stage in stages.values():
            shutil.rmtree(stage, ignore_errors=True)  # what a killed one has left
        yield [_unpack(archive, part["name"], stages) for part in archive.files]
    finally:
        for stage in stages.values():
            shutil.rmtree(stage, ignore_errors=True)


def _unpack(archive: Reader, name: str, stages: dict[str, Path]) -> tuple[Path, Path]:
    parts = PurePosixPath(name).parts
    if len(parts) < 3 or parts[0] != FOLDER or parts[1] not in stages or ".." in parts:
        raise BackupError(
            _("{path}: {name!r} is not a valid path. Nothing was changed.").format(
                path=archive.path, name=name
            )
        )
    stage, inner = stages[parts[1]], Path(*parts[2:])
    (stage / inner).parent.mkdir(parents=True, exist_ok=True)
    with (stage / inner).open("wb") as out:
        out.writelines(archive.chunks(name))
    return stage / inner, stage.parent / inner


@contextmanager
def placing(moves: list[tuple[Path, Path]]) -> Iterator[Callable[[], None]]:
    """A call that puts files where they belong; if anything fails, those that are new go again."""
    new = [goal for __, goal in moves if not goal.exists()]

    def place() -> None:
        for source, goal in moves:
            goal.parent.mkdir(parents=True, exist_ok=True)
            os.replace(source, goal)

    try:
        yield place
    except BaseException:
        for goal in new:
            goal.unlink(missing_ok=True)
        raise
