"""The kinds of things in this app that acts are done to."""

from __future__ import annotations

from annotation.corpora.targets import add_kind, at_id, at_list
from annotation.evaluation.models import (
    Adjudication,
    BudgetPlan,
    CurveRun,
    Decision,
    GoldVersion,
    JudgeRun,
    LabelSet,
    Report,
    RobustnessStudy,
    Sample,
    ScoreEstimate,
    ScoreSet,
    TrainedJudge,
)

add_kind("label_set", "Label set", LabelSet, at_id("evaluation:labels"), param="label_set")
add_kind("gold_version", "Gold version", GoldVersion, at_id("evaluation:version"), param="gold")
add_kind("decision", "Decision", Decision, at_list("evaluation:workers"))
add_kind("adjudication", "Adjudication", Adjudication, at_list("evaluation:contested"))
add_kind("judge_run", "Judge run", JudgeRun, at_id("evaluation:run"), param="run")
add_kind(
    "trained_judge", "Trained judge", TrainedJudge, at_id("evaluation:trained_judge"), param="judge"
)
add_kind("plan", "Plan", BudgetPlan, at_id("evaluation:plan"), param="plan")
add_kind("curves", "Curves", CurveRun, at_id("evaluation:curves"), param="curves")
add_kind("sample", "Sample", Sample, at_id("evaluation:sample"))
add_kind("estimate", "Estimate", ScoreEstimate, at_id("evaluation:estimate"), param="estimate")
add_kind("score_set", "Scores", ScoreSet, at_id("evaluation:score_set"), param="score_set")
add_kind(
    "study", "Robustness study", RobustnessStudy, at_id("evaluation:robustness"), param="study"
)
add_kind("report", "Report", Report, at_id("evaluation:report"), param="report")
