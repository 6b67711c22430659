"""What a report of a fault may show: no secret, not even where DEBUG shows everything else."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter

from deploy.env import without_password


class ExceptionFilter(SafeExceptionReporterFilter):
    def is_active(self, request: HttpRequest | None) -> bool:
        """Django shows what forms sent under DEBUG; passwords are hidden there, too."""
        return True

    def cleanse_setting(self, key: Any, value: Any) -> Any:
        """Addresses of brokers and caches carry passwords, whatever the setting is called."""
        cleansed = super().cleanse_setting(key, value)
        return without_password(cleansed) if isinstance(cleansed, str) else cleansed
