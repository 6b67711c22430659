"""JSONL of the product's own: a line is an example with all its texts, or a system.

{"type": "system", "name": "bart", "kind": "abstractive"}
{"type": "example", "id": "a1", "documents": ["…"],
 "references": ["…", {"name": "B", "text": "…", "sentences": [[0, 12]]}],
 "summaries": {"bart": "…"}}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

from scoring.errors import InputError
from scoring.io.checks import RecordCheck
from scoring.io.errors import ProblemList
from scoring.io.source import LineReader, Source
from scoring.translation import gettext as _
from scoring.types import ExampleRecord, ReferenceText, Span, SystemRecord

NAME = "jsonl"
EXAMPLE_KEYS = {"type", "id", "documents", "references", "summaries"}
SYSTEM_KEYS = {"type", "name", "kind"}


class BadShape(InputError):
    """A line whose JSON is not the record it should be: (what is wrong, what was expected)."""


def json_files(source: Source) -> list[str]:
    return [name for name in source.names if name.lower().endswith((".jsonl", ".ndjson"))]


def expect_json_files(source: Source, problems: ProblemList) -> None:
    if not json_files(source):
        expected = _("a file that ends in .jsonl or .ndjson.")
        problems.add(source.path.name, None, _("There is no JSONL file."), expected)


def first_object(source: Source, problems: ProblemList) -> dict[str, Any] | None:
    """The first JSON object of the source, to tell its format by."""
    for name in json_files(source):
        with closing(LineReader(source, name, problems)) as lines:
            for line in lines:
                if line.strip():
                    return _first_object(line)
    return None


def recognises(source: Source) -> bool:
    first = first_object(source, ProblemList())
    return first is not None and "instance_id" not in first


class JsonlReader:
    """Reads one line at a time; a system that no line describes has no stated kind."""

    format = NAME

    def __init__(self, source: Source, problems: ProblemList) -> None:
        self.source = source
        self.problems = problems
        self.check = RecordCheck(problems)
        self.notes: list[str] = []
        self.kept: list[str] = []
        self._systems: dict[str, SystemRecord] = {}
        expect_json_files(source, problems)

    def systems(self) -> list[SystemRecord]:
        """Systems met so far: complete once examples() has been read to its end."""
        return list(self._systems.values())

    def verify(self) -> None:
        """Nothing besides the lines themselves."""

    def examples(self, start: int = 0) -> Iterator[ExampleRecord]:
        seen = 0
        for file, number, data in read_objects(self.source, self.problems):
            try:
                if data.get("type", "example") == "system":
                    self._add_system(data, file, number)
                    continue
                seen += 1
                if seen <= start:
                    continue
                record = _example(data, file, number)
            except BadShape as error:
                self.problems.add(file, number, *error.args)
                continue
            if self.check.accepts(record) and self._names_fit(record):
                yield record

    def _names_fit(self, record: ExampleRecord) -> bool:
        for name in record.summaries:
            if name not in self._systems:
                if not self.check.name(name, _("system name"), record.file, record.line):
                    return False
                self._systems[name] = SystemRecord(name)
        return True

    def _add_system(self, data: dict[str, Any], file: str, number: int) -> None:
        no_other_keys(data, SYSTEM_KEYS)
        name, kind = data.get("name"), data.get("kind")
        if not isinstance(name, str) or not isinstance(kind, str | None):
            raise BadShape(_("The system has no name."), _("'name' and 'kind' as strings."))
        fits = self.check.name(name, _("system name"), file, number)
        if fits and kind is None:
            self._systems.setdefault(name, SystemRecord(name))
        elif fits and kind is not None and self.check.kind(kind, name, file, number):
            self._systems[name] = SystemRecord(name, kind)


def read_objects(
    source: Source, problems: ProblemList
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(file, line, object) of every line that holds one; blank lines are passed over."""
    for file in json_files(source):
        with closing(LineReader(source, file, problems)) as lines:
            for line in lines:
                if not line.strip():
                    continue
                try:
                    yield file, lines.number, parse_object(line)
                except BadShape as error:
                    problems.add(file, lines.number, *error.args)


def _first_object(line: str) -> dict[str, Any] | None:
    try:
        return parse_object(line)
    except BadShape:
        return None


def parse_object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line, object_pairs_hook=_unique)
    except BadShape:
        raise
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise BadShape(
            _("The line is not a JSON object: {line!r}.").format(line=line[:40]),
            _("one JSON object per line."),
        )
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values under one key JSON keeps the last: a summary would be lost in silence."""
    data = dict(pairs)
    if len(data) < len(pairs):
        twice, __ = Counter(name for name, __ in pairs).most_common(1)[0]
        raise BadShape(
            _("The key '{twice}' occurs twice in one object.").format(twice=twice),
            _("each key once."),
        )
    return data


def _example(data: dict[str, Any], file: str, line: int) -> ExampleRecord:
    if data.get("type", "example") != "example":
        raise BadShape(
            _("The type is {type!r}.").format(type=data["type"]), "'example' or 'system'."
        )
    no_other_keys(data, EXAMPLE_KEYS)
    key = data.get("id")
    if not isinstance(key, str):
        raise BadShape(_("The example has no 'id'."), _("'id' as a string."))
    return ExampleRecord(
        key=key,
        documents=tuple(strings(data.get("documents", []), "documents")),
        references=tuple(read_reference(item) for item in _list(data, "references")),
        summaries=summaries_of(data.get("summaries", {})),
        file=file,
        line=line,
    )


def no_other_keys(data: dict[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(data) - known):
        raise BadShape(
            _("Unknown key '{unknown}'.").format(unknown=unknown[0]),
            _("only {known}.").format(known=", ".join(sorted(known))),
        )


def _list(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise BadShape(_("'{key}' is not a list.").format(key=key), _("a list."))
    return value


def strings(value: Any, key: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadShape(
            _("'{key}' is not a list of strings.").format(key=key), _("a list of strings.")
        )
    return value


def summaries_of(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise BadShape(_("'summaries' is not an object of strings."), _('{"system name": "text"}.'))
    return value


def read_reference(value: Any) -> ReferenceText:
    if isinstance(value, str):
        return ReferenceText(value)
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise BadShape(_("A reference has no text."), _("a string, or an object with 'text'."))
    no_other_keys(value, {"name", "text", "sentences"})
    name = value.get("name", "")
    if not isinstance(name, str):
        raise BadShape(_("A reference's name is not a string."), _("a string."))
    return ReferenceText(value["text"], name, _spans(value.get("sentences"), value["text"]))


def _spans(value: Any, text: str) -> tuple[Span, ...] | None:
    """Sentence ranges in order, inside the text, none empty, none overlapping."""
    if value is None:
        return None
    expected = _("[start, end] pairs in order within the text.")
    if not isinstance(value, list):
        raise BadShape(_("'sentences' is not a list."), expected)
    spans: list[Span] = []
    floor = 0
    for pair in value:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair)):
            raise BadShape(
                _("The sentence range {pair!r} is not a pair of numbers.").format(pair=pair),
                expected,
            )
        start, end = pair
        if not floor <= start < end <= len(text):
            raise BadShape(
                _("The sentence range {pair!r} does not fit.").format(pair=pair), expected
            )
        spans.append((start, end))
        floor = end
    return tuple(spans)


def write(systems: Iterable[SystemRecord], records: Iterable[ExampleRecord]) -> Iterator[str]:
    """The lines of a file that `JsonlReader` reads back as the same systems and examples."""
    for system in systems:
        yield _line({"type": "system", "name": system.name, "kind": system.kind})
    for record in records:
        yield _line(
            {
                "type": "example",
                "id": record.key,
                "documents": list(record.documents),
                "references": [reference_object(item) for item in record.references],
                "summaries": dict(record.summaries),
            }
        )


def reference_object(reference: ReferenceText) -> dict[str, Any]:
    named = {"name": reference.name} if reference.name else {}
    if reference.sentences is None:
        return {**named, "text": reference.text}
    spans = [list(span) for span in reference.sentences]
    return {**named, "text": reference.text, "sentences": spans}


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": ")) + "\n"
