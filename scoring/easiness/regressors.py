"""Regressors of easiness: those that come with Giza, and any from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from scoring.easiness.features import SentenceCase
from scoring.errors import InputError
from scoring.translation import gettext as _

MODELS = ("giza", "paper", "damage")
DEFAULT = "giza"  # the best on held-out sentences of both published sets; see docs/easiness.md
EASINESS, DAMAGE = "easiness", "damage"
TARGETS = (EASINESS, DAMAGE)

__all__ = [
    "DAMAGE",
    "DEFAULT",
    "EASINESS",
    "MODELS",
    "TARGETS",
    "Regressor",
    "SentenceCase",
    "as_easiness",
    "load_regressor",
]


class Regressor(Protocol):
    """Predicts a sentence's easiness, or the damage that its STUs would do.

    `features` names what it reads: `paper` or `giza`.
    """

    name: str
    version: str
    target: str
    features: str

    @property
    def card(self) -> dict[str, Any]:
        """How it was trained, and its held-out figures; empty for a released regressor."""
        ...

    def predict(self, sentences: Sequence[SentenceCase]) -> list[float]:
        """A value for each; what is said of one depends on no other."""
        ...


def load_regressor(name_or_path: str = "") -> Regressor:
    """`giza`, `paper` or `damage`, or a file: one that was trained here, or a released one."""
    from scoring.backends.easiness_trees import load_file, load_shipped

    name = name_or_path or DEFAULT
    if name in MODELS:
        return load_shipped(name)
    path = Path(name).expanduser()
    if not path.is_file():
        raise InputError(
            _("There is no regressor '{name}', and no such file. Known: {models}.").format(
                name=name, models=", ".join(MODELS)
            )
        )
    return load_file(path)


def as_easiness(values: Sequence[float], target: str) -> list[float]:
    """Higher is easier, whichever target was predicted: the less damage, the easier."""
    return [-value for value in values] if target == DAMAGE else list(values)
