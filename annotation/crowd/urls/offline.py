"""Pages about files of judgements."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.views import offline

CROWD = "p/<slug:slug>/crowd/"

urlpatterns = [
    path(f"{CROWD}import/", offline.import_judgements, name="import_judgements"),
    path(f"{CROWD}<int:pk>/batch.csv", offline.export_batch, name="export_batch"),
]
