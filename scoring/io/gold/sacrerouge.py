"""SacreROUGE JSONL: one summary a line with its texts, its gold score, and its labels.

To the keys of a corpus come `metrics`, which SacreROUGE reads, and ours, which it passes over:
`units`, a list of `text`, `kind` and `weight`, and `labels` in their order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.io.gold.labels import exhaustive_score, kinds_of
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.sacrerouge import summary_objects
from scoring.types import ExampleRecord

METRIC = "pyramid"


def write_sacrerouge(
    _: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """The lines of the file, summaries in the order of the systems."""
    kinds = kinds_of(systems)
    for example in examples:
        ordered = {name: example.summaries[name] for name in kinds if name in example.summaries}
        record = ExampleRecord(example.key, example.documents, example.references, ordered)
        for line in summary_objects(record, kinds):
            judged = _judged(example, line["summarizer_id"])
            yield json.dumps({**line, **judged}, ensure_ascii=False).encode() + b"\n"


def _judged(example: GoldExample, system: str) -> dict[str, Any]:
    labels = example.labels.get(system)
    if labels is None:
        return {"metrics": {}}
    score = exhaustive_score(example.units, labels)
    return {
        "metrics": {} if score is None else {METRIC: score},
        "units": [
            {"text": unit.text, "kind": unit.kind, "weight": unit.weight} for unit in example.units
        ],
        "labels": list(labels),
    }
