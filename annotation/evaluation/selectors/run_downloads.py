"""A run as files: every value with its unit and its summary."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from annotation.evaluation.models import JudgeRun
from annotation.evaluation.selectors.run_scores import READ_CHUNK, list_presences
from annotation.evaluation.selectors.run_texts import list_units
from scoring.io.cells import defuse, row_line


def stream_pairs_csv(run: JudgeRun) -> Iterator[str]:
    """A unit in a summary a line, with the judge's value and the sentence's place, from 0."""
    yield row_line("example", "system", "unit", "text", "presence", "sentence")
    for record in _records(run):
        for place, (text, value, sentence) in enumerate(
            zip(record["units"], record["presence"], record["sentences"], strict=True), 1
        ):
            names = map(defuse, (record["example"], record["system"]))
            named = str(sentence) if sentence >= 0 else ""
            yield row_line(*names, str(place), defuse(text), repr(value), named)


def stream_pairs_jsonl(run: JudgeRun) -> Iterator[str]:
    """The run in the first line; then a summary a line."""
    yield _line({"run": run.pk, "signature": run.signature, "hash": run.content_hash})
    for record in _records(run):
        yield _line(record)


def _records(run: JudgeRun) -> Iterator[dict[str, Any]]:
    texts = {
        example: [unit.text for unit in units]
        for example, units in list_units(run.unit_set).items()
    }
    fields = ("summary__example_id", "summary__example__key", "summary__system__name")
    rows = list_presences(run).values_list(*fields, "score", "presence", "sentences")
    for example, key, system, score, presence, sentences in rows.iterator(READ_CHUNK):
        yield {
            "example": key,
            "system": system,
            "score": score,
            "units": texts[example],
            "presence": presence,
            "sentences": sentences,
        }


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"
