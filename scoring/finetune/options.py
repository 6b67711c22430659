"""How a judge is fine-tuned; unless told, as in the paper (Zhang & Bansal 2021, A.3)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from scoring.errors import InputError
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

SHARINGS = ("pairs", "shared")
POOLINGS = ("first", "mean")


@dataclass(frozen=True, slots=True)
class FineTuneOptions:
    """`base` is a Hugging Face name or a folder.

    `sharing` is how a unit meets its summary: as a pair of its own, or with all units of the
    summary in one sequence. `warm_up` is the share of steps in which the learning rate rises.
    `batch_size` counts units; a summary's units are kept together when they share it. `window` is
    the most tokens of summary and unit, 0 for what the model takes. `pooling` is of shared judges.
    `epochs`, `batch_size` and the rest of the numbers, the seed and the threads decide the weights;
    `checkpoint_every` (steps, 0: never) does not.
    """

    base: str
    sharing: str = "pairs"
    learning_rate: float = 1e-5
    epochs: int = 2
    warm_up: float = 0.1
    batch_size: int = 32
    weight_decay: float = 0.01
    clip: float = 1.0
    window: int = 0
    pooling: str = "mean"
    seed: int = 0
    threads: int = 0
    device: str = "cpu"
    checkpoint_every: int = 200

    def __post_init__(self) -> None:
        checks = {
            "base": bool(self.base.strip()),
            "sharing": self.sharing in SHARINGS,
            "learning_rate": self.learning_rate > 0,
            "epochs": self.epochs >= 1,
            "warm_up": 0 <= self.warm_up < 1,
            "batch_size": self.batch_size >= 1,
            "weight_decay": self.weight_decay >= 0,
            "clip": self.clip > 0,
            "window": self.window >= 0,
            "pooling": self.pooling in POOLINGS,
            "seed": 0 <= self.seed < 2**32,
            "threads": self.threads >= 0,
            "checkpoint_every": self.checkpoint_every >= 0,
        }
        if wrong := [name for name, is_right in checks.items() if not is_right]:
            raise InputError(
                _("{wrong} can't be {getattr!r}. Expected {expected}.").format(
                    wrong=wrong[0], getattr=getattr(self, wrong[0]), expected=EXPECTED[wrong[0]]
                )
            )

    def to_json(self) -> dict[str, Any]:
        """All that decides the weights."""
        found = asdict(self)
        del found["checkpoint_every"]
        if self.sharing == "pairs":
            del found["pooling"]
        return found

    def key(self, *more: str) -> str:
        """A hash by which a run that was broken off is known again."""
        text = json.dumps([self.to_json(), *more], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


EXPECTED = {
    "base": gettext_lazy("the name or folder of a model"),
    "sharing": gettext_lazy("one of {names}", names=", ".join(SHARINGS)),
    "learning_rate": gettext_lazy("a number above 0"),
    "epochs": gettext_lazy("a whole number of at least 1"),
    "warm_up": gettext_lazy("a share of at least 0 and below 1"),
    "batch_size": gettext_lazy("a whole number of at least 1"),
    "weight_decay": gettext_lazy("a number of at least 0"),
    "clip": gettext_lazy("a number above 0"),
    "window": gettext_lazy("a number of tokens, 0 for the model's maximum"),
    "pooling": gettext_lazy("one of {names}", names=", ".join(POOLINGS)),
    "seed": gettext_lazy("a whole number from 0 to 4,294,967,295"),
    "threads": gettext_lazy("a number of at least 0"),
    "checkpoint_every": gettext_lazy("a number of steps, 0 for never"),
}
