"""Parquet, written by pyarrow a batch at a time: each batch is a row group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from scoring.io.packing import Pipe

MOST_ROWS = 5_000
MOST_TEXT = 4 * 2**20  # characters of a batch

_UNIT = pa.struct([("text", pa.string()), ("kind", pa.string()), ("weight", pa.int32())])
_REFERENCE = pa.struct([("name", pa.string()), ("text", pa.string())])
_SUMMARY = pa.struct(
    [
        ("system", pa.string()),
        ("system_kind", pa.string()),
        ("text", pa.string()),
        ("labels", pa.list_(pa.int8())),
        ("posteriors", pa.list_(pa.float64())),
        ("score", pa.float64()),
    ]
)
SCHEMAS = {
    "examples": pa.schema(
        [
            ("example_id", pa.string()),
            ("documents", pa.list_(pa.string())),
            ("references", pa.list_(_REFERENCE)),
            ("units", pa.list_(_UNIT)),
            ("summaries", pa.list_(_SUMMARY)),
        ]
    ),
    "labels": pa.schema(
        [
            ("example_id", pa.string()),
            ("system", pa.string()),
            ("system_kind", pa.string()),
            ("position", pa.int32()),
            ("unit_kind", pa.string()),
            ("weight", pa.int32()),
            ("unit", pa.string()),
            ("label", pa.int8()),
            ("posterior", pa.float64()),
            ("answers", pa.int32()),
            ("answers_present", pa.int32()),
            ("adjudicated", pa.bool_()),
            ("summary", pa.string()),
        ]
    ),
    "answers": pa.schema(
        [
            ("example_id", pa.string()),
            ("system", pa.string()),
            ("position", pa.int32()),
            ("worker", pa.string()),
            ("assignment", pa.string()),
            ("present", pa.bool_()),
            ("kept", pa.bool_()),
            ("dropped_by", pa.string()),
            ("seconds", pa.float64()),
            ("gold_asked", pa.int32()),
            ("gold_right", pa.int32()),
        ]
    ),
}


class TableWriter:
    """Add rows of a named table; they are written whenever there are enough for a row group."""

    def __init__(self, table: str, sink: Pipe | Path, metadata: Mapping[str, str]) -> None:
        self._schema = SCHEMAS[table].with_metadata(dict(metadata))
        self._writer = pq.ParquetWriter(sink, self._schema, compression="zstd")
        self._rows: list[tuple[Any, ...]] = []
        self._text = 0

    def add(self, row: tuple[Any, ...]) -> None:
        """Take a row: its values in the order of the table's columns."""
        self._rows.append(row)
        self._text += _text_in(row)
        if len(self._rows) >= MOST_ROWS or self._text >= MOST_TEXT:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            columns = zip(zip(*self._rows, strict=True), self._schema, strict=True)
            arrays = [pa.array(values, field.type) for values, field in columns]
            self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._rows.clear()
        self._text = 0


def _text_in(values: Iterable[Any]) -> int:
    """How many characters there are in a row, lists and objects in it included."""
    size = 0
    for value in values:
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, dict):
            size += _text_in(value.values())
        elif isinstance(value, list | tuple):
            size += _text_in(value)
    return size
