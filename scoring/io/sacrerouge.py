"""SacreROUGE-style JSONL: one summary a line, documents and references repeated with it.

    {"instance_id": "d1", "summarizer_id": "bart", "summarizer_type": "peer",
     "summary": {"text": "…" or ["sentence", …]}, "documents": [{"text": …}],
     "references": [{"summarizer_id": "A", "text": …}]}

`reference` and `document` stand for lists of one. `summarizer_kind`, an addition of ours that
SacreROUGE passes over, keeps a system's kind. Metrics and other keys are not a corpus's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scoring.io.checks import RecordCheck
from scoring.io.errors import ProblemList, shown
from scoring.io.jsonl import BadShape, expect_json_files, first_object, read_objects
from scoring.io.source import Source
from scoring.io.spool import Part, Spool
from scoring.translation import gettext as _
from scoring.types import ExampleRecord, ReferenceText, Span, SystemRecord

NAME = "sacrerouge"
READ_KEYS = {
    "instance_id",
    "summarizer_id",
    "summarizer_type",
    "summarizer_kind",
    "summary",
    "document",
    "documents",
    "reference",
    "references",
}


def recognises(source: Source) -> bool:
    first = first_object(source, ProblemList())
    return first is not None and "instance_id" in first


class SacreRougeReader:
    """Brings the lines of an instance together; its texts must be the same on each of them."""

    format = NAME

    def __init__(self, source: Source, problems: ProblemList) -> None:
        self.source = source
        self.problems = problems
        self.check = RecordCheck(problems)
        self.notes: list[str] = []
        self.kept: list[str] = []
        self._systems: dict[str, SystemRecord] = {}
        self._shared: dict[str, tuple[str, str, int]] = {}
        self._unread: set[str] = set()
        expect_json_files(source, problems)

    def systems(self) -> list[SystemRecord]:
        return list(self._systems.values())

    def verify(self) -> None:
        if self._unread:
            self.notes.append(
                _("Ignored keys: {shown}.").format(shown=shown(", ".join(sorted(self._unread))))
            )

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]:
        with Spool() as spool:
            for file, number, data in read_objects(self.source, self.problems):
                try:
                    for part in self._parts(data, file, number):
                        spool.add(part)
                except BadShape as error:
                    self.problems.add(file, number, *error.args)
            for key, parts in spool.groups(start):
                record = self._example(key, parts)
                if self.check.accepts(record):
                    yield record

    def _parts(self, data: dict[str, Any], file: str, line: int) -> list[Part]:
        self._unread |= set(data) - READ_KEYS
        key, system = _string(data, "instance_id"), _string(data, "summarizer_id")
        if "summary" not in data:
            raise BadShape(_("The line has no 'summary'."), _("'summary' with its 'text'."))
        self._add_system(data, system, file, line)
        summary, __ = _text(data["summary"], "summary")
        return [
            *self._shared_parts(data, key, file, line),
            Part(key, "summary", system, summary, file, line),
        ]

    def _shared_parts(self, data: dict[str, Any], key: str, file: str, line: int) -> list[Part]:
        """Documents and references, kept from the first line of an instance that has them."""
        parts = [
            *_documents(data, key, file, line),
            *_references(data, key, file, line),
        ]
        if not parts:
            return []
        digest = hashlib.sha256(repr([part[1:4] for part in parts]).encode("utf-8", "replace"))
        known = self._shared.setdefault(key, (digest.hexdigest(), file, line))
        if known[0] != digest.hexdigest():
            raise BadShape(
                _(
                    "Instance '{key}' has other documents or references than in {known}, "
                    "line {known_2}."
                ).format(key=key, known=known[1], known_2=known[2]),
                _("the same texts on every line of an instance."),
            )
        return parts if known[1:] == (file, line) else []

    def _add_system(self, data: dict[str, Any], name: str, file: str, line: int) -> None:
        kind = data.get("summarizer_kind")
        if kind is None and data.get("summarizer_type") == "reference":
            kind = "human"
        known = self._systems.get(name)
        if known is not None and kind in (None, known.kind):
            return
        if not self.check.name(name, _("system name"), file, line):
            return
        if kind is None or self.check.kind(str(kind), name, file, line):
            self._systems[name] = SystemRecord(name, kind)

    def _example(self, key: str, parts: list[Part]) -> ExampleRecord:
        summaries: dict[str, str] = {}
        for part in parts:
            if part.kind != "summary":
                continue
            if part.name in summaries:
                message = _("Instance '{key}' has a second summary of '{part}'.").format(
                    key=key, part=part.name
                )
                self.problems.add(
                    part.file, part.line, message, _("one line per system and instance.")
                )
            summaries[part.name] = part.text
        return ExampleRecord(
            key=key,
            documents=tuple(part.text for part in parts if part.kind == "document"),
            references=tuple(_stored(part) for part in parts if part.kind.startswith("reference")),
            summaries=summaries,
            file=parts[0].file,
            line=parts[0].line,
        )


def _string(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise BadShape(
            _("The line has no '{key}'.").format(key=key), _("'{key}' as a string.").format(key=key)
        )
    return value


def _items(data: dict[str, Any], one: str, many: str) -> list[Any]:
    if one in data:
        return [data[one]]
    value = data.get(many) or []
    if not isinstance(value, list):
        raise BadShape(_("'{many}' is not a list.").format(many=many), _("a list."))
    return value


def _text(value: Any, what: str) -> tuple[str, tuple[Span, ...] | None]:
    """A text, and the ranges of its sentences when it comes as a list of them."""
    if isinstance(value, dict):
        value = value.get("text")
    if isinstance(value, str):
        return value, None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadShape(
            _("The {what} has no text.").format(what=what), _("a string or a list of sentences.")
        )
    return " ".join(value), _joined_spans(value)


def _joined_spans(sentences: list[str]) -> tuple[Span, ...]:
    spans, at = [], 0
    for sentence in sentences:
        if sentence:
            spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return tuple(spans)


def _documents(data: dict[str, Any], key: str, file: str, line: int) -> list[Part]:
    items = _items(data, "document", "documents")
    return [Part(key, "document", "", _text(item, "document")[0], file, line) for item in items]


def _references(data: dict[str, Any], key: str, file: str, line: int) -> list[Part]:
    parts = []
    for item in _items(data, "reference", "references"):
        text, spans = _text(item, "reference")
        name = _string(item, "summarizer_id") if _is_named(item) else ""
        kind = "reference" if spans is None else "reference " + json.dumps(spans)
        parts.append(Part(key, kind, name, text, file, line))
    return parts


def _is_named(item: Any) -> bool:
    return isinstance(item, dict) and "summarizer_id" in item


def _stored(part: Part) -> ReferenceText:
    __, __, spans = part.kind.partition(" ")
    ranges = tuple((start, end) for start, end in json.loads(spans)) if spans else None
    return ReferenceText(part.text, part.name, ranges)


def write(systems: Iterable[SystemRecord], records: Iterable[ExampleRecord]) -> Iterator[str]:
    """The lines of a file that `SacreRougeReader` reads back as the same systems and examples."""
    kinds = {system.name: system.kind for system in systems}
    for record in records:
        for line in summary_objects(record, kinds):
            yield json.dumps(line, ensure_ascii=False) + "\n"


def summary_objects(
    record: ExampleRecord, kinds: Mapping[str, str | None]
) -> Iterator[dict[str, Any]]:
    """An object for each summary of an example."""
    shared = {
        "documents": [{"text": text} for text in record.documents],
        "references": [_reference_object(item) for item in record.references],
    }
    for name, text in record.summaries.items():
        yield {
            "instance_id": record.key,
            "summarizer_id": name,
            "summarizer_type": "peer",
            "summarizer_kind": kinds[name],
            "summary": {"text": text},
            **shared,
        }


def _reference_object(reference: ReferenceText) -> dict[str, Any]:
    name = {"summarizer_id": reference.name} if reference.name else {}
    text: str | list[str] = reference.text
    if reference.sentences is not None:
        text = [reference.text[start:end] for start, end in reference.sentences]
    return {**name, "summarizer_type": "reference", "text": text}
