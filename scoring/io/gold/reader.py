"""Reads the canonical form back: facts and systems at once, examples one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.gold.canonical import (
    FILE,
    FORMAT,
    canonical_line,
    end_object,
    example_object,
    facts_object,
    system_object,
)
from scoring.io.gold.checks import GoldCheck
from scoring.io.gold.parsing import read_example
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.gold.shapes import from_json
from scoring.io.jsonl import BadShape, json_files, parse_object
from scoring.io.source import LineReader, Source
from scoring.types import Problem


class GoldReader:
    """`facts` and `systems` are there from the start; `hash` once `examples()` has ended.

    Faults of examples go to `problems`, and so does a file whose content is not what its last
    line vouches for.
    """

    def __init__(self, source: Source, problems: ProblemList, *, max_bytes: int | None) -> None:
        self.source = source
        self.problems = problems
        self.hash = ""
        self.file = _find_file(source, max_bytes)
        self.facts, self.systems = self._read_head()

    def examples(self) -> Iterator[GoldExample]:
        check = GoldCheck(self.problems, self.file)
        digest = hashlib.sha256(canonical_line(facts_object(self.facts)))
        for system in self.systems:
            check.system(system, 0)
            digest.update(canonical_line(system_object(system)))
        end: dict[str, Any] | None = None
        for line, data in self._body():
            if data.get("type") == "end":
                end = data
                continue
            example = self._example(data, line, end, check)
            if example is not None:
                digest.update(canonical_line(example_object(example)))
                yield example
        self.hash = digest.hexdigest()
        self._compare(end, check)

    def close(self) -> None:
        self.source.close()

    def __enter__(self) -> GoldReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_head(self) -> tuple[GoldFacts, list[GoldSystem]]:
        """The first lines, up to the first example. Without facts nothing can be read."""
        problems = ProblemList()
        check = GoldCheck(problems, self.file)
        lines = self._objects(problems)
        number, first = next(lines, (1, {}))
        problems.raise_first()
        facts = self._parsed(number, first)
        check.facts(facts, number)
        for line, data in lines:
            if data.get("type") != "system":
                break
            check.system(self._system(line, data), line)
        problems.raise_first()
        return facts, list(check.systems.values())

    def _parsed(self, line: int, data: dict[str, Any]) -> GoldFacts:
        if data.get("type") != "gold" or data.get("format") != FORMAT:
            message = "The first line doesn't contain the facts of a gold dataset."
            expected = f'"type": "gold" and "format": {FORMAT}.'
            raise CorpusError(Problem(self.file, line, message, expected))
        kept = {name: value for name, value in data.items() if name not in ("type", "format")}
        try:
            facts = from_json(GoldFacts, kept, "gold")
            canonical_line(facts_object(facts))
        except BadShape as error:
            raise self._refusal(line, *error.args) from None
        except ValueError:
            message = "The facts contain a number or a character that JSON doesn't allow."
            raise self._refusal(line, message, "finite numbers and complete characters.") from None
        return facts

    def _system(self, line: int, data: dict[str, Any]) -> GoldSystem:
        kept = {name: value for name, value in data.items() if name != "type"}
        try:
            return from_json(GoldSystem, kept, "system")
        except BadShape as error:
            raise self._refusal(line, *error.args) from None

    def _refusal(self, line: int, message: str, expected: str) -> CorpusError:
        return CorpusError(Problem(shown(self.file), line, shown(message), shown(expected)))

    def _objects(self, problems: ProblemList) -> Iterator[tuple[int, dict[str, Any]]]:
        with closing(LineReader(self.source, self.file, problems)) as lines:
            for text in lines:
                if not text.strip():
                    continue
                try:
                    yield lines.number, parse_object(text)
                except BadShape as error:
                    problems.add(self.file, lines.number, *error.args)

    def _body(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The lines behind the facts and the systems."""
        lines = self._objects(self.problems)
        next(lines, None)
        in_head = True
        for line, data in lines:
            in_head = in_head and data.get("type") == "system"
            if not in_head:
                yield line, data

    def _example(
        self, data: dict[str, Any], line: int, end: dict[str, Any] | None, check: GoldCheck
    ) -> GoldExample | None:
        try:
            if end is not None:
                raise BadShape("There is a line after the end line.", "nothing after the end line.")
            example = read_example(data, self.file, line)
        except BadShape as error:
            self.problems.add(self.file, line, *error.args)
            return None
        return example if check.example(example, line) else None

    def _compare(self, end: dict[str, Any] | None, check: GoldCheck) -> None:
        """Hold the file to its last line and to its facts, unless it is known to be faulty."""
        if self.problems.count:
            return
        if end is None:
            message = "The file is incomplete: its last line is missing."
            self.problems.add(self.file, None, message, 'a last line of "type": "end".')
        elif check.counts(self.facts.counts) and end != self._end():
            message = f"The content has the hash {self.hash}, which differs from the last line."
            self.problems.add(self.file, None, message, "an unchanged file.")

    def _end(self) -> dict[str, Any]:
        return end_object(self.facts.counts.examples, self.hash)


def read_gold(
    path: Path | str, *, problems: ProblemList | None = None, max_bytes: int | None = None
) -> GoldReader:
    """A reader of the gold dataset at *path*: `gold.zip`, its folder, or `gold.jsonl` alone.

    What cannot be read at all raises `CorpusError`; other faults are told in `problems`.
    """
    source = Source(Path(path), max_bytes=max_bytes)
    try:
        return GoldReader(source, problems or ProblemList(), max_bytes=max_bytes)
    except CorpusError:
        source.close()
        raise


def _find_file(source: Source, max_bytes: int | None) -> str:
    files = [FILE] if FILE in source else json_files(source)
    if len(files) != 1:
        listed = shown(", ".join(source.names[:5])) or "none"
        message = f"Expected exactly one {FILE} (files: {listed})."
        raise CorpusError(Problem(shown(source.path.name), None, message, f"one {FILE}."))
    if max_bytes is not None and source.size(files[0]) > max_bytes:
        most = f"at most {max_bytes // 2**20:,} MB."
        raise CorpusError(Problem(shown(files[0]), None, "The file is too large.", most))
    return files[0]
