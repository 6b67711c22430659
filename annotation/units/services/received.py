"""Files of units that were sent: kept while a set is filled from them, and no longer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.corpora.services.received import remove_received


def forget_files(params: dict[str, Any]) -> None:
    remove_received(Path(params.get("path", "")).parent)
