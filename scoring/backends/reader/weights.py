"""The reader's weights as they ship: matrices in 8 bits with a scale for each row."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

SCALE = ".scale"
HIGHEST = 127


def pack_weights(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Matrices as int8, everything else in half precision."""
    packed: dict[str, Tensor] = {}
    for name, part in weights.items():
        if part.ndim == 2 and part.shape[0] > 8:
            scale = part.abs().amax(dim=1).clamp_min(1e-8) / HIGHEST
            packed[name] = (part / scale[:, None]).round().to(torch.int8)
            packed[name + SCALE] = scale.float()
        else:
            packed[name] = part.half()
    return packed


def unpack_weights(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """In single precision, as the network computes."""
    found = {}
    for name, part in packed.items():
        if name.endswith(SCALE):
            continue
        scale = packed.get(name + SCALE)
        found[name] = part.float() if scale is None else part.float() * scale[:, None]
    return found
