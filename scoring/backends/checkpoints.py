"""Training that was broken off is taken up where its last checkpoint stands.

A checkpoint is a folder that is written under another name and then renamed: one that is there is
whole. It holds weights, the optimiser's state, the random numbers' state and the position.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_model, save_model
from torch import nn

PREFIX = "checkpoint-"
WEIGHTS, STATE, POSITION = "model.safetensors", "training.pt", "position.json"


def save_checkpoint(
    folder: Path,
    step: int,
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    position: dict[str, Any],
) -> Path:
    """Write one, then remove those before it."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{PREFIX}{os.getpid()}"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    save_model(model, str(part / WEIGHTS))
    device = next(model.parameters()).device
    torch.save({"optimiser": optimiser.state_dict(), "random": _random(device)}, part / STATE)
    (part / POSITION).write_text(json.dumps(position | {"step": step}), encoding="utf-8")
    sync_files(part)
    target = folder / f"{PREFIX}{step:08d}"
    os.replace(part, target)
    for older in find_checkpoints(folder)[:-1]:
        shutil.rmtree(older)
    return target


def find_checkpoints(folder: Path) -> list[Path]:
    """Whole ones, oldest first."""
    return sorted(folder.glob(f"{PREFIX}*"))


def load_checkpoint(
    path: Path, model: nn.Module, optimiser: torch.optim.Optimizer
) -> dict[str, Any]:
    """Put everything back as it was; gives the position."""
    load_model(model, str(path / WEIGHTS))
    device = next(model.parameters()).device
    # Only tensors and plain values are read: a checkpoint can't run code.
    state = torch.load(path / STATE, weights_only=True, map_location="cpu")
    optimiser.load_state_dict(state["optimiser"])
    torch.set_rng_state(state["random"]["cpu"])
    if device.type in ("cuda", "mps"):
        getattr(torch, device.type).set_rng_state(state["random"]["device"])
    position: dict[str, Any] = json.loads((path / POSITION).read_text(encoding="utf-8"))
    return position


def sync_files(folder: Path) -> None:
    """See to it that the disk has the files before anything says that they are there."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _random(device: torch.device) -> dict[str, torch.Tensor]:
    found = {"cpu": torch.get_rng_state()}
    if device.type in ("cuda", "mps"):
        found["device"] = getattr(torch, device.type).get_rng_state()
    return found
