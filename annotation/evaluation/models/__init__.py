"""Labels made of judgements, what was decided on the way, gold versions, and runs of judges."""

from annotation.evaluation.models.decisions import Adjudication, Decision, Verdict
from annotation.evaluation.models.gold import GoldVersion, PseudonymKey, WorkerNames
from annotation.evaluation.models.labels import Drop, LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.models.runs import (
    ChunkState,
    EmptySummaries,
    JudgeIdentity,
    JudgeRun,
    RunChunk,
    StoredVerdict,
    SummaryPresence,
)

__all__ = [
    "Adjudication",
    "ChunkState",
    "Decision",
    "Drop",
    "EmptySummaries",
    "GoldVersion",
    "JudgeIdentity",
    "JudgeRun",
    "LabelOrigin",
    "LabelSet",
    "PseudonymKey",
    "RunChunk",
    "StoredVerdict",
    "SummaryLabels",
    "SummaryPresence",
    "Verdict",
    "WorkerNames",
]
