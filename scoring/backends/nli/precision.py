"""Where a model runs, in which arithmetic, on how many threads."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from scoring.judge.catalogue import JudgeOptions

PRECISIONS = ("fp32", "bf16", "int8")


def check_options(options: JudgeOptions) -> None:
    """Refuse, before anything is loaded, what can't be done here."""
    if options.precision not in PRECISIONS:
        known = ", ".join(PRECISIONS)
        raise ValueError(f"No precision is called '{options.precision}'. Known: {known}.")
    if options.device not in list_devices():
        here = ", ".join(list_devices())
        raise ValueError(f"There is no device '{options.device}' here. There is: {here}.")
    if options.precision == "int8" and options.device != "cpu":
        raise ValueError("int8 runs on cpu alone. Choose bf16 or fp32 on other devices.")
    if options.window < 0 or options.threads < 0:
        raise ValueError("window and threads are 0 or more.")


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
        _quantise(model)
    if options.precision == "bf16":
        model.to(torch.bfloat16)
    return model.to(options.device)


def _quantise(model: Any) -> None:
    """Make the encoder's linear layers int8, in place; the head stays as it is.

    Weights are quantised once, activations as they come, a scale for each tensor.
    """
    with warnings.catch_warnings():
        # Its successor is a package of its own; torch's version is pinned.
        warnings.simplefilter("ignore")
        torch.ao.quantization.quantize_dynamic(
            model.base_model, {torch.nn.Linear}, dtype=torch.qint8, inplace=True
        )


def describe(options: JudgeOptions) -> dict[str, str | int | float]:
    """What of the options changes a verdict, for the judge's identity."""
    found: dict[str, str | int | float] = {"precision": options.precision}
    if options.precision == "int8":
        found["engine"] = torch.backends.quantized.engine
    kind = torch.device(options.device).type
    return found if kind == "cpu" else found | {"device": kind}
