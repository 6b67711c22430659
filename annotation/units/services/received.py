"""Files of units that were sent: kept while a set is filled from them, and no longer."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings


def forget_files(params: dict[str, Any]) -> None:
    """Remove what was sent for a job; a path on the server that was named stays."""
    folder = Path(params.get("path", "")).parent
    if folder.parent == Path(settings.IMPORTS_DIR):
        shutil.rmtree(folder, ignore_errors=True)
