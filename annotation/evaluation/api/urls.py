"""The addresses of REST for labels, gold versions and scores."""

from __future__ import annotations

app_name = "evaluation_api"
urlpatterns: list = []
