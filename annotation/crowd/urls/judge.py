"""The addresses of judging pages that we serve ourselves."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.views import judge

PREVIEW = "p/<slug:slug>/crowd/<int:pk>/preview/"
SUMMARY = f"{PREVIEW}<int:summary>/"

urlpatterns = [
    path("judge/<str:token>/", judge.judge, name="judge"),
    path(PREVIEW, judge.preview, name="preview"),
    path(SUMMARY, judge.preview_summary, name="preview_summary"),
    path(f"{SUMMARY}page/", judge.preview_page, name="preview_page"),
    path(f"{SUMMARY}timed/", judge.timed_preview, name="timed_preview"),
]
