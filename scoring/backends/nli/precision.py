"""Where a model runs, in which arithmetic, on how many threads."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from scoring.errors import InputError
from scoring.judge.catalogue import JudgeOptions, NoDevice
from scoring.translation import gettext as _

PRECISIONS = ("fp32", "bf16", "int8")


def check_options(options: JudgeOptions) -> None:
    """Refuse, before anything is loaded, what can't be done here."""
    if options.precision not in PRECISIONS:
        known = ", ".join(PRECISIONS)
        raise InputError(
            _("There is no precision '{precision}'. Use one of {known}.").format(
                precision=options.precision, known=known
            )
        )
    if options.device not in list_devices():
        here = ", ".join(list_devices())
        raise NoDevice(
            _("The device '{device}' is not available. Available: {here}.").format(
                device=options.device, here=here
            )
        )
    if options.precision == "int8" and options.device != "cpu":
        raise InputError(_("int8 runs only on cpu. Use bf16 or fp32 on other devices."))
    if options.window < 0 or options.threads < 0:
        raise InputError(_("window and threads must be at least 0."))


def list_devices() -> list[str]:
    """The devices that this machine has, by the names that torch gives them."""
    devices = ["cpu"]
    if torch.cuda.is_available():
        devices += ["cuda", *(f"cuda:{place}" for place in range(torch.cuda.device_count()))]
    if torch.backends.mps.is_available():
        devices.append("mps")
    return devices


def place_model(model: Any, options: JudgeOptions) -> Any:
    """The model as the options want it, ready to judge."""
    if options.threads:
        torch.set_num_threads(options.threads)
    model.eval()
    if options.precision == "int8":
        _quantise(model.base_model)
    if options.precision == "bf16":
        model.to(torch.bfloat16)
    return model.to(options.device)


class Int8Linear(torch.nn.Module):
    """A linear layer in int8: 7-bit weights with a scale for each output, 8-bit activations.

    Processors without int8 dot products add pairs of products in 16 bits, so one of the two has
    to do with 7. Weights bear it better: activations share one scale in a batch, and have outliers.
    """

    def __init__(self, linear: Any) -> None:
        super().__init__()
        weights = linear.weight.detach()
        scales = (weights.abs().amax(dim=1) / 63).clamp_min(1e-12).double()
        zeros = torch.zeros(len(scales), dtype=torch.int64)
        with warnings.catch_warnings():
            # Such tensors will go from a later torch; this one's version is pinned.
            warnings.simplefilter("ignore")
            quantised = torch.quantize_per_channel(weights, scales, zeros, 0, torch.qint8)
        self._packed = torch.ops.quantized.linear_prepack(quantised, linear.bias)

    def forward(self, values: Any) -> Any:
        return torch.ops.quantized.linear_dynamic(values, self._packed, reduce_range=False)


def _quantise(encoder: Any) -> None:
    """Make the encoder's linear layers int8, in place, but for the last one, which is small."""
    for name, module in list(encoder.named_modules()):
        if isinstance(module, torch.nn.Linear) and "pooler" not in name:
            parent, __, leaf = name.rpartition(".")
            setattr(encoder.get_submodule(parent), leaf, Int8Linear(module))


def describe(options: JudgeOptions) -> dict[str, str | int | float]:
    """What of the options changes a verdict, for the judge's identity."""
    found: dict[str, str | int | float] = {"precision": options.precision}
    if options.precision == "int8":
        found["engine"] = torch.backends.quantized.engine
    kind = torch.device(options.device).type
    return found if kind == "cpu" else found | {"device": kind}
