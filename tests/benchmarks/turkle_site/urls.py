"""Turkle's pages, and the sign-in pages that its templates link to."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("turkle.urls")),
    path("admin/", admin.site.urls),
    path("", include("django.contrib.auth.urls")),
]
