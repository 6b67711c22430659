"""Labels made of judgements, decisions on the way, gold versions, judges, scores and plans."""

from annotation.evaluation.estimates.models import Chosen, CountBy, ScoreEstimate, Target
from annotation.evaluation.gold.models import GoldVersion, PseudonymKey, WorkerNames
from annotation.evaluation.judges.models import TRAINED, FoldsBy, TrainedJudge
from annotation.evaluation.labels.models import (
    Adjudication,
    Decision,
    Drop,
    LabelOrigin,
    LabelSet,
    SummaryLabels,
    Verdict,
)
from annotation.evaluation.metrics.models import ExampleScores, ScoreOrigin, ScoreSet, StoredScore
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.reports.models import Report
from annotation.evaluation.robustness.models import ExampleDrops, RobustnessStudy
from annotation.evaluation.runs.models import (
    ChunkState,
    EmptySummaries,
    JudgeIdentity,
    JudgeRun,
    RunChunk,
    StoredVerdict,
    SummaryPresence,
)
from annotation.evaluation.samples.models import Sample, SampledExample
from annotation.evaluation.stored.models import StoredResult

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
