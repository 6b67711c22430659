"""The addresses of the pages about units."""

from __future__ import annotations

from django.urls import path

from annotation.units.double import views as double
from annotation.units.sets import views as sets
from annotation.units.sets import views_table
from annotation.units.studio import views as studio
from annotation.units.stus import views as stus_views

app_name = "units"

UNITS = "p/<slug:slug>/units/"
SET = f"{UNITS}<int:pk>/"
DOUBLES = f"{UNITS}double/"
DOUBLE = f"{DOUBLES}<int:pk>/"
MODEL = f"{UNITS}easiness/<int:pk>/"
EXAMPLE = f"{SET}examples/<int:example>/"

urlpatterns = [
    path(UNITS, sets.unit_sets, name="sets"),
    path(f"{UNITS}settings/", sets.studio_settings, name="settings"),
    path(f"{UNITS}import/", sets.import_units, name="import"),
    path(f"{UNITS}kept/<int:pk>/import/", sets.import_kept, name="import_kept"),
    path(f"{UNITS}extract/", stus_views.extract, name="extract"),
    path(f"{UNITS}easiness/", stus_views.easiness, name="easiness"),
    path(MODEL, stus_views.easiness_model, name="easiness_model"),
    path(f"{MODEL}file/", stus_views.easiness_file, name="easiness_file"),
    path(f"{MODEL}delete/", stus_views.delete_easiness_model, name="delete_easiness_model"),
    path(DOUBLES, double.doubles, name="doubles"),
    path(DOUBLE, double.double, name="double"),
    path(f"{DOUBLE}authors/<int:author>/done/", double.done, name="done"),
    path(f"{DOUBLE}examples/<int:example>/", double.compare, name="compare_double"),
    path(f"{DOUBLE}delete/", double.delete, name="delete_double"),
    path(SET, sets.unit_set, name="set"),
    path(f"{SET}pause/", stus_views.pause, name="pause"),
    path(f"{SET}resume/", stus_views.resume, name="resume"),
    path(f"{SET}ranking/", stus_views.ranking, name="ranking"),
    path(f"{SET}rank/", stus_views.rank, name="rank"),
    path(f"{SET}drop-plan/", stus_views.drop_plan, name="drop_plan"),
    path(f"{SET}leave-rest/", stus_views.leave_rest, name="leave_rest"),
    path(f"{SET}take-rest-back/", stus_views.take_rest_back, name="take_rest_back"),
    path(f"{SET}assign/", sets.assign, name="assign"),
    path(f"{SET}review/", sets.review, name="review"),
    path(f"{SET}draft/", sets.draft, name="draft"),
    path(f"{SET}freeze/", sets.freeze, name="freeze"),
    path(f"{SET}next-version/", sets.next_version, name="next_version"),
    path(f"{SET}delete/", sets.delete, name="delete"),
    path(f"{SET}export/<str:format>/", sets.download, name="download"),
    path(f"{SET}rename/", sets.rename, name="rename"),
    path(f"{SET}archive/", sets.archive, name="archive"),
    path(f"{SET}units/", views_table.all_units, name="all"),
    path(f"{SET}check/", views_table.check, name="check"),
    path(f"{SET}narrow/", views_table.narrow, name="narrow"),
    path(f"{SET}compare/", sets.choose_comparison, name="choose_comparison"),
    path(f"{SET}compare/<int:other>/", sets.compare, name="compare"),
    path(f"{SET}next/", studio.next_example, name="next"),
    path(EXAMPLE, studio.studio, name="studio"),
    path(f"{EXAMPLE}pyramid/", studio.pyramid, name="pyramid"),
    path(f"{EXAMPLE}history/", studio.history, name="history"),
]
