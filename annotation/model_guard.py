"""Web processes neither load nor run a model: one that tries fails at once, and says where.

A model takes gigabytes of memory and seconds of a processor, which a thread that answers people has
not. Work with models is a job; workers don't set this guard.
"""

from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

LIBRARIES = ("torch", "transformers", "spacy", "xgboost", "sentence_transformers")
BACKENDS = "scoring.backends."
# Files, tables and votes: no models.
ALLOWED = ("models", "parquet", "wordnet", "crowdkit")


class ModelInWebProcess(RuntimeError):
    """A defect of the program: a page or a call wants a model."""


class _Refusal(importlib.abc.Loader):
    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        raise ModelInWebProcess(
            f"{self.name} isn't loaded in a web process. Do this in a job, which runs in a worker."
        )

    def exec_module(self, module: ModuleType) -> None:
        raise AssertionError("no module was created")


class ModelGuard(importlib.abc.MetaPathFinder):
    """Whether a library is installed can still be asked; importing it fails."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not is_model(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = _Refusal(fullname)
        return spec


def is_model(name: str) -> bool:
    if name.startswith(BACKENDS):
        return name.removeprefix(BACKENDS).partition(".")[0] not in ALLOWED
    return name.partition(".")[0] in LIBRARIES


def forbid_models() -> None:
    """Once for the process, before anything else is imported."""
    # Its own finder stands before all others when the package is first imported.
    import scoring.backends  # noqa: F401

    if not any(isinstance(finder, ModelGuard) for finder in sys.meta_path):
        sys.meta_path.insert(0, ModelGuard())
