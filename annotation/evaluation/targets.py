"""The kinds of things in this app that acts are done to."""

from __future__ import annotations

from annotation.corpora.targets import add_kind, at_id, at_list
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels.models import Adjudication, Decision, LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.reports.models import Report
from annotation.evaluation.robustness.models import RobustnessStudy
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.samples.models import Sample
from annotation.translation import gettext_lazy

add_kind(
    "label_set", gettext_lazy("Label set"), LabelSet, at_id("evaluation:labels"), param="label_set"
)
add_kind(
    "gold_version",
    gettext_lazy("Gold version"),
    GoldVersion,
    at_id("evaluation:version"),
    param="gold",
)
add_kind("decision", gettext_lazy("Decision"), Decision, at_list("evaluation:workers"))
add_kind(
    "adjudication", gettext_lazy("Adjudication"), Adjudication, at_list("evaluation:contested")
)
add_kind("judge_run", gettext_lazy("Judge run"), JudgeRun, at_id("evaluation:run"), param="run")
add_kind(
    "trained_judge",
    gettext_lazy("Trained judge"),
    TrainedJudge,
    at_id("evaluation:trained_judge"),
    param="judge",
)
add_kind("plan", gettext_lazy("Plan"), BudgetPlan, at_id("evaluation:plan"), param="plan")
add_kind("curves", gettext_lazy("Curves"), CurveRun, at_id("evaluation:curves"), param="curves")
add_kind("sample", gettext_lazy("Sample"), Sample, at_id("evaluation:sample"))
add_kind(
    "estimate",
    gettext_lazy("Estimate"),
    ScoreEstimate,
    at_id("evaluation:estimate"),
    param="estimate",
)
add_kind(
    "score_set", gettext_lazy("Scores"), ScoreSet, at_id("evaluation:score_set"), param="score_set"
)
add_kind(
    "study",
    gettext_lazy("Robustness study"),
    RobustnessStudy,
    at_id("evaluation:robustness"),
    param="study",
)
add_kind("report", gettext_lazy("Report"), Report, at_id("evaluation:report"), param="report")
