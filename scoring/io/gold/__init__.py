"""Gold datasets in and out: facts, systems and labelled examples, streamed."""

from __future__ import annotations

from scoring.io.gold.canonical import content_hash, write_canonical
from scoring.io.gold.card import write_card
from scoring.io.gold.counts import count_gold
from scoring.io.gold.formats import GOLD_FORMATS, GoldFormat, why_not, write_gold
from scoring.io.gold.labels import LabelRow
from scoring.io.gold.latex import write_tables
from scoring.io.gold.methods import write_methods
from scoring.io.gold.reader import GoldReader, read_gold
from scoring.io.gold.records import (
    AgreementFacts,
    CampaignFacts,
    DropFacts,
    GoldAdjudication,
    GoldAnswer,
    GoldCounts,
    GoldExample,
    GoldFacts,
    GoldSystem,
    ScoreFacts,
    UnitSetFacts,
    pseudonym,
)
from scoring.io.gold.shapes import from_json, to_json
from scoring.io.gold.table import read_labels

__all__ = [
    "GOLD_FORMATS",
    "AgreementFacts",
    "CampaignFacts",
    "DropFacts",
    "GoldAdjudication",
    "GoldAnswer",
    "GoldCounts",
    "GoldExample",
    "GoldFacts",
    "GoldFormat",
    "GoldReader",
    "GoldSystem",
    "LabelRow",
    "ScoreFacts",
    "UnitSetFacts",
    "content_hash",
    "count_gold",
    "from_json",
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
