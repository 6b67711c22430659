"""Labels made of judgements, decisions on the way, gold versions, judges, scores and plans."""

from annotation.evaluation.models.decisions import Adjudication, Decision, Verdict
from annotation.evaluation.models.estimates import Chosen, CountBy, ScoreEstimate, Target
from annotation.evaluation.models.gold import GoldVersion, PseudonymKey, WorkerNames
from annotation.evaluation.models.labels import Drop, LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.models.planning import BudgetPlan, CurveRun
from annotation.evaluation.models.reports import Report
from annotation.evaluation.models.robustness import ExampleDrops, RobustnessStudy
from annotation.evaluation.models.runs import (
    ChunkState,
    EmptySummaries,
    JudgeIdentity,
    JudgeRun,
    RunChunk,
    StoredVerdict,
    SummaryPresence,
)
from annotation.evaluation.models.samples import Sample, SampledExample
from annotation.evaluation.models.scores import (
    ExampleScores,
    ScoreOrigin,
    ScoreSet,
    StoredScore,
)
from annotation.evaluation.models.stored import StoredResult
from annotation.evaluation.models.trained import TRAINED, FoldsBy, TrainedJudge

__all__ = [
    "TRAINED",
    "Adjudication",
    "BudgetPlan",
    "Chosen",
    "ChunkState",
    "CountBy",
    "CurveRun",
    "Decision",
    "Drop",
    "EmptySummaries",
    "ExampleDrops",
    "ExampleScores",
    "FoldsBy",
    "GoldVersion",
    "JudgeIdentity",
    "JudgeRun",
    "LabelOrigin",
    "LabelSet",
    "PseudonymKey",
    "Report",
    "RobustnessStudy",
    "RunChunk",
    "Sample",
    "SampledExample",
    "ScoreEstimate",
    "ScoreOrigin",
    "ScoreSet",
    "StoredResult",
    "StoredScore",
    "StoredVerdict",
    "SummaryLabels",
    "SummaryPresence",
    "Target",
    "TrainedJudge",
    "Verdict",
    "WorkerNames",
]
