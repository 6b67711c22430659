"""The crowd's addresses: campaigns, workers, the endpoint, judging pages."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

app_name = "crowd"
PARTS = ["work", "market", "judge", "prolific", "offline", "campaigns"]
urlpatterns = [
    pattern
    for part in PARTS
    if find_spec(f"{__name__}.{part}")
    for pattern in import_module(f"{__name__}.{part}").urlpatterns
]
