"""The dataset as tables of rows: one of examples, one of labels, one of answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from scoring.io.gold.labels import exhaustive_score, kinds_of, label_rows
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.gold.shapes import to_json
from scoring.io.packing import Pipe

Row = dict[str, Any]


class Table(Protocol):
    """A table that rows are added to."""

    def add(self, row: Row) -> None: ...

    def close(self) -> None: ...


def write_parquet(
    facts: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """One file, one row a label with its summary. The file's metadata hold the facts as JSON."""
    kinds = kinds_of(systems)
    pipe = Pipe()
    writer = open_table("labels", pipe, facts)
    for example in examples:
        for row in label_table(kinds, example):
            writer.add(row)
        if part := pipe.take():
            yield part
    writer.close()
    yield pipe.take()


def open_table(table: str, sink: Pipe | Path, facts: GoldFacts) -> Table:
    from scoring.backends.parquet import TableWriter

    return TableWriter(table, sink, {"gold": json.dumps(to_json(facts))})


def example_table(kinds: Mapping[str, str], example: GoldExample) -> Iterator[Row]:
    """One row: the example with all its units, summaries and labels."""
    yield {
        "example_id": example.key,
        "documents": list(example.documents),
        "references": [{"name": item.name, "text": item.text} for item in example.references],
        "units": [
            {"text": unit.text, "kind": unit.kind, "weight": unit.weight} for unit in example.units
        ],
        "summaries": [
            _summary(kinds, example, name) for name in kinds if name in example.summaries
        ],
    }


def _summary(kinds: Mapping[str, str], example: GoldExample, system: str) -> Row:
    labels = example.labels.get(system)
    return {
        "system": system,
        "system_kind": kinds[system],
        "text": example.summaries[system],
        "labels": None if labels is None else list(labels),
        "posteriors": list(example.posteriors[system]) if system in example.posteriors else None,
        "score": None if labels is None else exhaustive_score(example.units, labels),
    }


def label_table(kinds: Mapping[str, str], example: GoldExample) -> Iterator[Row]:
    for row in label_rows(kinds, example):
        yield {**asdict(row), "summary": example.summaries[row.system]}


def answer_table(_: Mapping[str, str], example: GoldExample) -> Iterator[Row]:
    for answer in example.answers:
        said = asdict(answer)
        yield {"example_id": example.key, "position": said.pop("unit") + 1, **said}


TABLES = {"examples": example_table, "labels": label_table, "answers": answer_table}
