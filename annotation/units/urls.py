"""The addresses of the pages about units."""

from __future__ import annotations

from django.urls import path

from annotation.units.views import sets, studio

app_name = "units"

UNITS = "p/<slug:slug>/units/"
SET = f"{UNITS}<int:pk>/"
EXAMPLE = f"{SET}examples/<int:example>/"

urlpatterns = [
    path(UNITS, sets.unit_sets, name="sets"),
    path(f"{UNITS}settings/", sets.studio_settings, name="settings"),
    path(f"{UNITS}import/", sets.import_units, name="import"),
    path(f"{UNITS}kept/<int:pk>/import/", sets.import_kept, name="import_kept"),
    path(SET, sets.unit_set, name="set"),
    path(f"{SET}assign/", sets.assign, name="assign"),
    path(f"{SET}review/", sets.review, name="review"),
    path(f"{SET}draft/", sets.draft, name="draft"),
    path(f"{SET}freeze/", sets.freeze, name="freeze"),
    path(f"{SET}next-version/", sets.next_version, name="next_version"),
    path(f"{SET}delete/", sets.delete, name="delete"),
    path(f"{SET}export/<str:format>/", sets.download, name="download"),
    path(f"{SET}compare/<int:other>/", sets.compare, name="compare"),
    path(f"{SET}next/", studio.next_example, name="next"),
    path(EXAMPLE, studio.studio, name="studio"),
    path(f"{EXAMPLE}pyramid/", studio.pyramid, name="pyramid"),
    path(f"{EXAMPLE}history/", studio.history, name="history"),
]
