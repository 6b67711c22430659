"""Judges: models that say which units a summary carries (Lite²Pyramid)."""

from scoring.judge.catalogue import (
    PRESETS,
    JudgeOptions,
    NoDevice,
    Preset,
    default_judge,
    load_judge,
)
from scoring.judge.functions import FUNCTIONS, check_function, functions_of, read_presence
from scoring.judge.protocol import Identity, Judge, Question, Verdict
from scoring.judge.scores import Document, Judged, check_documents, score_summaries

__all__ = [
    "FUNCTIONS",
    "PRESETS",
    "Document",
    "Identity",
    "Judge",
    "JudgeOptions",
    "Judged",
    "NoDevice",
    "Preset",
    "Question",
    "Verdict",
    "check_documents",
    "check_function",
    "default_judge",
    "functions_of",
    "load_judge",
    "read_presence",
    "score_summaries",
]
