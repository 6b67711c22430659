"""Gold datasets in and out: facts, systems and labelled examples, streamed."""

from __future__ import annotations

from scoring.io.gold.canonical import content_hash, write_canonical
from scoring.io.gold.card import write_card
from scoring.io.gold.checks import make_fit
from scoring.io.gold.counts import count_gold
from scoring.io.gold.formats import GOLD_FORMATS, GoldFormat, why_not, write_gold
from scoring.io.gold.labels import LabelRow
from scoring.io.gold.latex import write_tables
from scoring.io.gold.methods import write_methods
from scoring.io.gold.reader import GoldReader, read_gold
from scoring.io.gold.records import (
    AgreementFacts,
    CampaignFacts,
    DecisionFacts,
    DropFacts,
    GoldAdjudication,
    GoldAnswer,
    GoldBonus,
    GoldCounts,
    GoldExample,
    GoldFacts,
    GoldSystem,
    ScoreFacts,
    UnitSetFacts,
    assignment_facts,
    pseudonym,
)
from scoring.io.gold.shapes import from_json, to_json
from scoring.io.gold.table import read_labels

__all__ = [
    "GOLD_FORMATS",
    "AgreementFacts",
    "CampaignFacts",
    "DecisionFacts",
    "DropFacts",
    "GoldAdjudication",
    "GoldAnswer",
    "GoldBonus",
    "GoldCounts",
    "GoldExample",
    "GoldFacts",
    "GoldFormat",
    "GoldReader",
    "GoldSystem",
    "LabelRow",
    "ScoreFacts",
    "UnitSetFacts",
    "assignment_facts",
    "content_hash",
    "count_gold",
    "from_json",
    "make_fit",
    "pseudonym",
    "read_gold",
    "read_labels",
    "to_json",
    "why_not",
    "write_canonical",
    "write_card",
    "write_gold",
    "write_methods",
    "write_tables",
]
