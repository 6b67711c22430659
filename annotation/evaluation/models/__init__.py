"""Labels made of judgements, what was decided on the way, and gold versions."""

from annotation.evaluation.models.decisions import Adjudication, Decision, Verdict
from annotation.evaluation.models.gold import GoldVersion, PseudonymKey, WorkerNames
from annotation.evaluation.models.labels import Drop, LabelOrigin, LabelSet, SummaryLabels

__all__ = [
    "Adjudication",
    "Decision",
    "Drop",
    "GoldVersion",
    "LabelOrigin",
    "LabelSet",
    "PseudonymKey",
    "SummaryLabels",
    "Verdict",
    "WorkerNames",
]
