"""Brings rows that come in any order together by example, on disk, so that size does not matter."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple


class Part(NamedTuple):
    """One text of an example."""

    example: str
    kind: str
    name: str
    text: str
    file: str
    line: int


class Spool:
    """Add parts in any order; get them back grouped by example, in order of first appearance.

    Texts are stored as bytes, because SQLite takes no text with half a surrogate pair; that it
    is no fit text is for the checks to say.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="spool-")
        self._db = sqlite3.connect(Path(self._folder.name) / "parts", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("CREATE TABLE part (example INTEGER, kind, name, text, file, line)")
        self._db.execute("BEGIN")
        self._numbers: dict[str, int] = {}

    def add(self, part: Part) -> None:
        number = self._numbers.setdefault(part.example, len(self._numbers))
        texts = (value.encode("utf-8", "surrogatepass") for value in part[1:5])
        self._db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", (number, *texts, part.line))

    def groups(self, start: int = 0) -> Iterator[tuple[str, list[Part]]]:
        keys = list(self._numbers)
        self._db.execute("CREATE INDEX IF NOT EXISTS by_example ON part (example)")
        rows = self._db.execute(
            "SELECT example, kind, name, text, file, line FROM part WHERE example >= ?"
            " ORDER BY example, rowid",
            (start,),
        )
        for number, group in groupby(rows, key=lambda row: row[0]):
            yield keys[number], [_part(keys[number], *row[1:]) for row in group]

    def close(self) -> None:
        self._db.close()
        self._folder.cleanup()

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _part(example: str, kind: bytes, name: bytes, text: bytes, file: bytes, line: int) -> Part:
    return Part(example, _text(kind), _text(name), _text(text), _text(file), line)


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
