"""Static files: named by their content, compressed, and cached by browsers for good."""

from __future__ import annotations

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Parts of installed packages that no page of ours shows: Redoc and REST framework's HTML pages.
UNUSED = ["redoc", "rest_framework"]


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Rewrites imports between our modules too, so that a page never mixes two versions.

    Django would look for imports in every script; those of packages are large and have none.
    """

    patterns: Any = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),
    )
