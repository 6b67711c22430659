"""The addresses of labels, gold versions and scores."""

from __future__ import annotations

app_name = "evaluation"
urlpatterns: list = []
