"""Raw answers that tests make: annotators who judge some summaries of documents and systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.aggregation import AnswerRow, Answers, build_answers
from scoring.metaeval.raw_judgements import RawJudgements, read_judgements

UNITS = 8


def make_answers(
    *,
    documents: int = 10,
    systems: int = 4,
    annotators: int = 6,
    nested: bool = False,
    annotator_sd: float = 0.15,
    seed: int = 0,
    prefix: str = "w",
) -> Answers:
    """Each annotator judges every summary; where nested, each judges one system only."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(0, 0.1, documents)
    taste = rng.normal(0, annotator_sd, annotators)
    rows = []
    for document in range(documents):
        for system in range(systems):
            for annotator in range(annotators):
                if nested and annotator % systems != system:
                    continue
                chance = np.clip(0.5 + ease[document] + taste[annotator], 0.02, 0.98)
                present = rng.random(UNITS) < chance
                rows += [
                    AnswerRow(
                        f"d{document}",
                        f"s{system}",
                        str(unit),
                        f"{prefix}{annotator}",
                        "",
                        bool(present[unit]),
                    )
                    for unit in range(UNITS)
                ]
    return build_answers(rows)


def make_judgements(**options: Any) -> RawJudgements:
    return read_judgements(make_answers(**options))


def judge(rows: list[tuple[int, int, int, float]]) -> RawJudgements:
    """From rows of document, system, annotator and score, of one answer each."""
    columns = [np.array(column, dtype=np.int64) for column in list(zip(*rows, strict=True))[:3]]
    documents, systems, annotators = columns
    return RawJudgements(
        documents,
        systems,
        annotators,
        np.array([row[3] for row in rows], dtype=np.float64),
        np.ones(len(rows)),
        tuple(f"d{place}" for place in range(int(documents.max()) + 1)),
        tuple(f"s{place}" for place in range(int(systems.max()) + 1)),
    )
