"""Gold datasets in and out: facts, systems and labelled examples, streamed."""

from __future__ import annotations

from scoring.io.gold.canonical import content_hash, write_canonical
from scoring.io.gold.counts import count_gold
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

__all__ = [
    "AgreementFacts",
    "CampaignFacts",
    "DropFacts",
    "GoldAdjudication",
    "GoldAnswer",
    "GoldCounts",
    "GoldExample",
    "GoldFacts",
    "GoldReader",
    "GoldSystem",
    "ScoreFacts",
    "UnitSetFacts",
    "content_hash",
    "count_gold",
    "pseudonym",
    "read_gold",
    "write_canonical",
]
