"""Where a model's files are, and one hash of them all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from huggingface_hub import snapshot_download

from scoring.errors import InputError
from scoring.judge.catalogue import CARD, LEARNED, Preset, is_path, read_card
from scoring.translation import gettext as _

WEIGHTS = "*.safetensors"
# What a tokenizer knows its pieces by; without one the library makes up an empty one.
VOCABULARIES = ("tokenizer.json", "vocab*.txt", "vocab*.json", "*.model", "*.spm", "*.bpe")
PARTS = (WEIGHTS, "*.json", "*.txt", "*.model", "*.spm", "*.bpe")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on this machine. `revision` is the commit of a model of Hugging Face."""

    name: str
    path: Path
    revision: str = ""
    card: dict[str, Any] = field(default_factory=dict)

    def files(self) -> list[Path]:
        """All that the verdicts depend on; card and training texts only speak of them."""
        found = {path for part in PARTS for path in self.path.glob(part)}
        return sorted(path for path in found if path.name not in (CARD, LEARNED))

    def digest(self, *extra: str) -> str:
        """A hash of every file's name and content, and of what else is given."""
        lines = [f"{path.name} {_file_hash(path)}" for path in self.files()]
        return hashlib.sha256("\n".join([*lines, *extra]).encode()).hexdigest()


def find_folder(name: str, preset: Preset | None, revision: str) -> ModelFolder:
    """The model's files: a folder as it stands, or those of Hugging Face, fetched once."""
    address = preset.path if preset else name
    if is_path(address):
        return _check(_local(address, revision))
    path = Path(_fetch(address, revision))
    return _check(ModelFolder(address, path, revision=path.name))


def _local(name: str, revision: str) -> ModelFolder:
    if revision:
        raise InputError(
            _("{name} is a folder and has no revision '{revision}'. Omit the revision.").format(
                name=name, revision=revision
            )
        )
    path = Path(name).expanduser()
    if not path.is_dir():
        raise InputError(
            _("There is no folder {name}. Give the folder of the judge.").format(name=name)
        )
    card = read_card(path)
    return ModelFolder(str(card.get("name") or path.resolve().name), path, card=card)


def _fetch(address: str, revision: str) -> str:
    try:
        return snapshot_download(
            address, revision=revision or None, allow_patterns=list(PARTS), ignore_patterns=["*/*"]
        )
    except (OSError, ValueError) as error:  # no such model or revision, no network, a bad name
        raise InputError(
            _(
                "{address}{value} can't be loaded from Hugging Face: "
                "{first_line} Check the name and the network, or give a local folder."
            ).format(
                address=address,
                value=_(" at {revision}").format(revision=revision) if revision else "",
                first_line=_first_line(error),
            )
        ) from error


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".") + "."


def _check(folder: ModelFolder) -> ModelFolder:
    if not (folder.path / "config.json").is_file():
        raise InputError(
            _(
                "{path} is not a model folder: it has no config.json. "
                "Give a folder written by save_pretrained."
            ).format(path=folder.path)
        )
    if not any(folder.path.glob(WEIGHTS)):
        raise InputError(
            _(
                "{folder} has no safetensors weights, and pickles are not loaded. Convert it "
                "on a trusted machine with save_pretrained and give the folder, or give a revision "
                "with safetensors."
            ).format(folder=folder.name)
        )
    if not any(any(folder.path.glob(name)) for name in VOCABULARIES):
        raise InputError(
            _(
                "{folder} has no tokenizer: {path} contains none "
                "of {vocabularies}. Save the tokenizer there too, with save_pretrained."
            ).format(folder=folder.name, path=folder.path, vocabularies=", ".join(VOCABULARIES))
        )
    return folder


def _file_hash(path: Path) -> str:
    status = path.stat()
    return _streamed(path.resolve(), status.st_size, status.st_mtime_ns)


@cache
def _streamed(path: Path, size: int, changed: int) -> str:
    """Once in a process for each file, unless it was written again."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stated_labels(card: dict[str, Any], preset: Preset | None) -> Sequence[str]:
    """The classes' names in order, where the card or the preset gives them."""
    labels = card.get("labels", preset.labels if preset else ())
    if isinstance(labels, str) or not all(isinstance(label, str) for label in labels):
        raise InputError(
            _("labels in {card} must be a list of names, one per class, in order.").format(
                card=CARD
            )
        )
    return list(labels)
