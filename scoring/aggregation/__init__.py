"""From judgements to labels: agreement, filters, votes, and the recipe that joins them."""

from __future__ import annotations

from scoring.aggregation.agreement import (
    UNDEFINED,
    Agreement,
    AgreementReport,
    LevelAgreement,
    fleiss_kappa,
    measure_agreement,
    measure_levels,
    nominal_alpha,
    percent_agreement,
    report_agreement,
)
from scoring.aggregation.answers import Answers, AnswersError, Codes, Counts, Mask
from scoring.aggregation.building import AnswerBuilder, AnswerRow, build_answers
from scoring.aggregation.filters import FILTERS, Drop, default_options, find_drops
from scoring.aggregation.recipe import Aggregate, FilterStep, Recipe, aggregate
from scoring.aggregation.simulation import Campaign, Outlook, Spread, outlook, simulate_campaign
from scoring.aggregation.systems import score_labels, score_systems
from scoring.aggregation.votes import MODELS, TIES, VOTES, Labels, majority, vote
from scoring.aggregation.workers import WorkerTable, describe_workers, measure_biases

__all__ = [
    "FILTERS",
    "MODELS",
    "TIES",
    "UNDEFINED",
    "VOTES",
    "Aggregate",
    "Agreement",
    "AgreementReport",
    "AnswerBuilder",
    "AnswerRow",
    "Answers",
    "AnswersError",
    "Campaign",
    "Codes",
    "Counts",
    "Drop",
    "FilterStep",
    "Labels",
    "LevelAgreement",
    "Mask",
    "Outlook",
    "Recipe",
    "Spread",
    "WorkerTable",
    "aggregate",
    "build_answers",
    "default_options",
    "describe_workers",
    "find_drops",
    "fleiss_kappa",
    "majority",
    "measure_agreement",
    "measure_biases",
    "measure_levels",
    "nominal_alpha",
    "outlook",
    "percent_agreement",
    "report_agreement",
    "score_labels",
    "score_systems",
    "simulate_campaign",
    "vote",
]
