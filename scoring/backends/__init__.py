"""What needs a heavy library; loaded late, by name.

Where a library is missing, whoever asked is told which extra brings it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from scoring.extras import explain


class _Loader(SourceFileLoader):
    """Runs a module of this package, and names the extra of a library that it lacks."""

    def exec_module(self, module: ModuleType) -> None:
        try:
            super().exec_module(module)
        except ModuleNotFoundError as error:
            raise explain(error) from error


class _Finder(MetaPathFinder):
    """Finds what the usual finder finds, for the modules of this package alone."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{__name__}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())
