"""The addresses of REST for units."""

from __future__ import annotations

from django.urls import path

from annotation.units.double import api as double
from annotation.units.files import api as files
from annotation.units.plans import api as plans
from annotation.units.sets import api as sets
from annotation.units.studio import api as studio_api
from annotation.units.stus import api as easiness

app_name = "units_api"

PROJECT = "projects/<slug:slug>/"
SETS = f"{PROJECT}unit-sets/"
SET = f"{SETS}<int:pk>/"
EXAMPLE = f"{SET}examples/<int:example>/"
MODELS = f"{PROJECT}easiness-models/"
DOUBLES = f"{PROJECT}double-annotations/"
DOUBLE = f"{DOUBLES}<int:pk>/"
COMMENT = f"{PROJECT}comments/<int:pk>/"

urlpatterns = [
    path(SETS, sets.UnitSets.as_view(), name="unit_sets"),
    path(f"{SETS}import/", files.ImportUnits.as_view(), name="import_units"),
    path(f"{SETS}extract/", easiness.ExtractStus.as_view(), name="extract_stus"),
    path(SET, sets.UnitSetDetail.as_view(), name="unit_set"),
    path(f"{SET}review/", sets.ReviewUnitSet.as_view(), name="review"),
    path(f"{SET}draft/", sets.RedraftUnitSet.as_view(), name="draft"),
    path(f"{SET}freeze/", sets.FreezeUnitSet.as_view(), name="freeze"),
    path(f"{SET}next-version/", sets.NextVersion.as_view(), name="next_version"),
    path(f"{SET}check/", sets.CheckUnits.as_view(), name="check"),
    path(f"{SET}narrow/", sets.NarrowSpans.as_view(), name="narrow"),
    path(f"{SET}units/", sets.Units.as_view(), name="units"),
    path(f"{SET}assignments/", studio_api.Assignments.as_view(), name="assignments"),
    path(f"{SET}compare/<int:other>/", sets.Compare.as_view(), name="compare"),
    path(f"{SET}export/<str:format>/", files.ExportUnits.as_view(), name="export_units"),
    path(f"{SET}pause/", easiness.PauseFilling.as_view(), name="pause"),
    path(f"{SET}resume/", easiness.ResumeFilling.as_view(), name="resume"),
    path(f"{SET}quality/", easiness.StuQuality.as_view(), name="quality"),
    path(f"{SET}sentences/", easiness.Sentences.as_view(), name="sentences"),
    path(f"{SET}rank/", easiness.RankSentences.as_view(), name="rank"),
    path(f"{SET}plan/", plans.Plan.as_view(), name="plan"),
    path(f"{SET}plan/rest/", plans.PlanRest.as_view(), name="plan_rest"),
    path(MODELS, easiness.EasinessModels.as_view(), name="easiness_models"),
    path(f"{MODELS}<int:pk>/", easiness.EasinessModelDetail.as_view(), name="easiness_model"),
    path(f"{MODELS}<int:pk>/file/", easiness.EasinessFile.as_view(), name="easiness_file"),
    path(f"{PROJECT}studio-settings/", studio_api.StudioSettingsDetail.as_view(), name="settings"),
    path(DOUBLES, double.DoubleAnnotations.as_view(), name="doubles"),
    path(DOUBLE, double.DoubleAnnotationDetail.as_view(), name="double"),
    path(f"{DOUBLE}done/", double.MarkDone.as_view(), name="done"),
    path(f"{DOUBLE}examples/<int:example>/", double.DoubleExample.as_view(), name="double_example"),
    path(EXAMPLE, studio_api.Studio.as_view(), name="studio"),
    path(f"{EXAMPLE}ops/", studio_api.Ops.as_view(), name="ops"),
    path(f"{EXAMPLE}changes/", studio_api.Changes.as_view(), name="changes"),
    path(f"{EXAMPLE}lint/", studio_api.Lint.as_view(), name="lint"),
    path(f"{EXAMPLE}written/", studio_api.MarkWritten.as_view(), name="written"),
    path(f"{EXAMPLE}signed/", studio_api.SignOff.as_view(), name="signed"),
    path(f"{EXAMPLE}reopened/", studio_api.Reopen.as_view(), name="reopened"),
    path(f"{EXAMPLE}comments/", studio_api.Comments.as_view(), name="comments"),
    path(f"{COMMENT}accept/", studio_api.AcceptComment.as_view(), name="accept_comment"),
    path(f"{COMMENT}reject/", studio_api.RejectComment.as_view(), name="reject_comment"),
    path(f"{COMMENT}answer/", studio_api.AnswerComment.as_view(), name="answer_comment"),
]
