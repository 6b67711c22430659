"""Published figures: `goldens.json` of the published data, by id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def golden(folder: Path, name: str) -> dict[str, Any]:
    """The figure called *name*; *folder* is that of a corpus, beside the file of figures."""
    figures = json.loads((folder.parent / "goldens.json").read_text(encoding="utf-8"))["figures"]
    [found] = [figure for figure in figures if figure["id"] == name]
    return found


def golden_parts(folder: Path, name: str) -> dict[str, Any]:
    """The values of all figures whose id starts with *name* and goes on with a letter."""
    figures = json.loads((folder.parent / "goldens.json").read_text(encoding="utf-8"))["figures"]
    parts = [row["value"] for row in figures if row["id"].rsplit(".", 1)[0] == name]
    return {key: value for part in parts for key, value in part.items()}
