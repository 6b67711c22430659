"""The dataset as tables of rows: one of examples, one of labels, one of answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol

from scoring.io.gold.labels import LabelRow, exhaustive_score, kinds_of, label_rows
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.gold.shapes import to_json
from scoring.io.packing import Pipe

Row = tuple[Any, ...]  # values in the order of the table's columns
_label_values = attrgetter(*LabelRow.__slots__)


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
    yield (
        example.key,
        example.documents,
        [{"name": item.name, "text": item.text} for item in example.references],
        [{"text": unit.text, "kind": unit.kind, "weight": unit.weight} for unit in example.units],
        [_summary(kinds, example, name) for name in kinds if name in example.summaries],
    )


def _summary(kinds: Mapping[str, str], example: GoldExample, system: str) -> dict[str, Any]:
    labels = example.labels.get(system)
    return {
        "system": system,
        "system_kind": kinds[system],
        "text": example.summaries[system],
        "labels": labels,
        "posteriors": example.posteriors.get(system),
        "score": None if labels is None else exhaustive_score(example.units, labels),
    }


def label_table(kinds: Mapping[str, str], example: GoldExample) -> Iterator[Row]:
    for row in label_rows(kinds, example):
        yield (*_label_values(row), example.summaries[row.system])


def answer_table(_: Mapping[str, str], example: GoldExample) -> Iterator[Row]:
    for answer in example.answers:
        yield (
            example.key,
            answer.system,
            answer.unit + 1,
            answer.worker,
            answer.assignment,
            answer.present,
            answer.kept,
            answer.dropped_by,
            answer.seconds,
            answer.gold_asked,
            answer.gold_right,
        )


TABLES = {"examples": example_table, "labels": label_table, "answers": answer_table}
