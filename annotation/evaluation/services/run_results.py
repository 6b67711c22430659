"""What came of a run once all its chunks are done: counts, pace, a hash over every value."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
from django.db.models import Sum

from annotation.evaluation.models import JudgeRun, SummaryPresence
from annotation.evaluation.selectors.run_scores import get_run_table

READ_CHUNK = 2000


def describe_results(run: JudgeRun) -> dict[str, Any]:
    """`pairs_per_second` is one worker's, over pairs that had to be judged."""
    sums = run.chunks.aggregate(pairs=Sum("pairs"), stored=Sum("stored"), seconds=Sum("seconds"))
    judged = sums["pairs"] - sums["stored"]
    busy = run.chunks.filter(stored=0).aggregate(pairs=Sum("pairs"), seconds=Sum("seconds"))
    figures: dict[str, Any] = {
        "counts": {**run.counts, "stored": sums["stored"], "judged": judged},
        "seconds": round(sums["seconds"], 3),
        "systems": _systems(run),
    }
    if busy["pairs"] and busy["seconds"]:
        figures["pairs_per_second"] = round(busy["pairs"] / busy["seconds"], 2)
    return figures


def _systems(run: JudgeRun) -> list[dict[str, Any]]:
    """The best first; reckoned here, so that no database adds up in an order of its own."""
    table = get_run_table(run)
    numbers = (~np.isnan(table.scores)).sum(axis=1)
    rows = [
        {"system": name, "score": float(mean), "summaries": int(number)}
        for name, mean, number in zip(table.systems, table.means(), numbers, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row["score"], row["system"]))


def hash_results(run: JudgeRun) -> str:
    """SHA-256 over every value by names: two runs that found the same have the same hash."""
    digest = hashlib.sha256()
    rows = SummaryPresence.objects.filter(run=run).order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )
    fields = ("summary__example__key", "summary__system__name", "presence", "sentences")
    for row in rows.values_list(*fields).iterator(chunk_size=READ_CHUNK):
        line = json.dumps(list(row), ensure_ascii=False, separators=(",", ":"))
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
