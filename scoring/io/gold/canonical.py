"""The canonical form: JSONL with the facts first, then systems, examples, and a last line.

{"type": "gold", "format": 1, "name": …}
{"type": "system", "name": "bart", "kind": "abstractive"}
{"type": "example", "id": "a1", "documents": […], "references": […], "units": […],
 "summaries": {"bart": "…"}, "labels": {"bart": [1, 0, null]}, "posteriors": {"bart": […]},
 "assignments": [{"system": "bart", "assignment": "…", "worker": "…", "answers": [1, 0, null], …}]}
{"type": "end", "examples": 1, "sha256": "…"}

Keys are sorted, nothing stands between the tokens, and text is UTF-8. So equal datasets are equal
bytes, and the SHA-256 of all lines but the last is the dataset's hash, whatever it came from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from scoring.io.errors import CorpusError, ProblemList
from scoring.io.gold.checks import GoldCheck
from scoring.io.gold.records import (
    GoldAnswer,
    GoldExample,
    GoldFacts,
    GoldSystem,
    assignment_facts,
)
from scoring.io.gold.shapes import to_json
from scoring.io.jsonl import reference_object
from scoring.io.source import LONGEST_LINE
from scoring.io.units.jsonl import unit_object
from scoring.types import Problem

FORMAT = 1
FILE = "gold.jsonl"


def content_hash(
    facts: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> str:
    """The SHA-256 of the dataset: the same for the same content, in whichever files it came."""
    digest = hashlib.sha256()
    for line in iter_lines(facts, systems, examples):
        digest.update(line)
    return digest.hexdigest()


def write_canonical(
    facts: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """The lines of `gold.jsonl`; the last one holds the hash of all before it."""
    digest = hashlib.sha256()
    for line in iter_lines(facts, systems, examples):
        digest.update(line)
        yield line
    yield canonical_line(end_object(facts.counts.examples, digest.hexdigest()))


def iter_lines(
    facts: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """All lines but the last. What could not be read back stops it, with example and reason."""
    systems = list(systems)
    check = GoldCheck(ProblemList(), FILE)
    check.facts(facts, 1)
    check.problems.raise_first()
    yield canonical_line(facts_object(facts))
    for number, system in enumerate(systems, 2):
        check.system(system, number)
        check.problems.raise_first()
        yield canonical_line(system_object(system))
    for number, example in enumerate(examples, 2 + len(systems)):
        check.example(example, number)
        check.problems.raise_first()
        yield _fit(canonical_line(example_object(example)), example.key, number)
    check.counts(facts.counts)
    check.problems.raise_first()


def canonical_line(data: dict[str, Any]) -> bytes:
    text = json.dumps(
        data, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return text.encode() + b"\n"


def facts_object(facts: GoldFacts) -> dict[str, Any]:
    return {"type": "gold", "format": FORMAT, **to_json(facts)}


def system_object(system: GoldSystem) -> dict[str, Any]:
    return {"type": "system", **to_json(system)}


def example_object(example: GoldExample) -> dict[str, Any]:
    return {
        "type": "example",
        "id": example.key,
        "documents": list(example.documents),
        "references": [reference_object(item) for item in example.references],
        "units": [unit_object(unit) for unit in example.units],
        "summaries": dict(example.summaries),
        "labels": {
            system: [None if label is None else int(label) for label in labels]
            for system, labels in example.labels.items()
        },
        "posteriors": {
            system: [None if value is None else float(value) + 0.0 for value in values]
            for system, values in example.posteriors.items()
        },
        "assignments": list(_assignments(example)),
        "adjudications": [to_json(item) for item in example.adjudications],
    }


def end_object(examples: int, sha256: str) -> dict[str, Any]:
    return {"type": "end", "examples": examples, "sha256": sha256}


def _assignments(example: GoldExample) -> Iterator[dict[str, Any]]:
    """Answers by assignment, one place a unit: what is said of it stands there once."""
    for _, group in groupby(example.answers, key=assignment_facts):
        answers: list[int | None] = [None] * len(example.units)
        for answer in group:
            answers[answer.unit] = int(answer.present)
        yield {**_assignment(answer), "answers": answers}
    for blank in example.unanswered:
        yield {**_assignment(blank), "answers": [None] * len(example.units)}


def _assignment(answer: GoldAnswer) -> dict[str, Any]:
    data = to_json(answer)
    del data["unit"], data["present"]
    return data


def _fit(line: bytes, key: str, number: int) -> bytes:
    if len(line) >= LONGEST_LINE:
        most = f"at most {LONGEST_LINE // 2**20} MB per example."
        raise CorpusError(Problem(FILE, number, f"Example '{key}' has too much text.", most))
    return line
