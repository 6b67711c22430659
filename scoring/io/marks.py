"""Texts without REALSumm's marks, `<t> … </t>`, around their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

from scoring.io.errors import ProblemList
from scoring.io.source import Source
from scoring.sentences import split_sentences
from scoring.types import ExampleRecord, ReferenceText, Span, SystemRecord

MARK = "<t>"


class _Reader(Protocol):
    format: str
    source: Source
    problems: ProblemList
    notes: list[str]
    kept: list[str]

    def systems(self) -> list[SystemRecord]: ...

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]: ...

    def verify(self) -> None: ...


class Unmarked:
    """A reader whose texts have no marks; the sentences that they told stay known."""

    format: str
    source: Source
    problems: ProblemList
    notes: list[str]
    kept: list[str]

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def systems(self) -> list[SystemRecord]:
        return self._reader.systems()

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]:
        return map(_unmark, self._reader.examples(start))

    def verify(self) -> None:
        self._reader.verify()


def without_marks(text: str) -> str:
    """The text without `<t>` and `</t>` around its sentences."""
    return _join(text)[0] if MARK in text else text


def _unmark(record: ExampleRecord) -> ExampleRecord:
    return replace(
        record,
        documents=tuple(map(without_marks, record.documents)),
        references=tuple(map(_unmark_reference, record.references)),
        summaries={name: without_marks(text) for name, text in record.summaries.items()},
    )


def _unmark_reference(reference: ReferenceText) -> ReferenceText:
    if MARK not in reference.text:
        return reference
    text, sentences = _join(reference.text)
    return replace(reference, text=text, sentences=sentences)


def _join(text: str) -> tuple[str, tuple[Span, ...]]:
    """Its sentences one after another, and where each of them lies now."""
    parts = [text[start:end] for start, end in split_sentences(text)]
    found: list[Span] = []
    at = 0
    for part in parts:
        found.append((at, at + len(part)))
        at += len(part) + 1
    return " ".join(parts), tuple(found)
