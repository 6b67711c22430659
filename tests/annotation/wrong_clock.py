"""A machine whose clock is wrong, for tests: what `django.utils.timezone` and so most code asks.

A test that needs another time altogether replaces `annotation.clock.now`: services ask for it by
that name. Only the defaults of fields keep to the real time.
"""

from __future__ import annotations

import datetime as standard
from datetime import datetime, timedelta

import pytest
from django.utils import timezone


def set_clock(monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    """Set the clock of this process; a database server keeps its own."""

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: standard.tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + timedelta(hours=hours)

    monkeypatch.setattr(timezone, "datetime", Wrong, raising=False)
