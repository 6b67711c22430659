"""SacreROUGE's JSONL: one summary a line, brought together by instance."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.io import ProblemList, open_corpus
from scoring.types import ExampleRecord, Problem, ReferenceText, SystemRecord


def line(instance: Any = "d1", system: Any = "bart", **changes: Any) -> str:
    data = {
        "instance_id": instance,
        "summarizer_id": system,
        "summarizer_type": "peer",
        "summary": {"text": "S"},
        "documents": [{"text": "D"}],
        "references": [{"summarizer_id": "A", "text": ["One.", "Two."]}],
    }
    return json.dumps({k: v for k, v in (data | changes).items() if v is not ...})


def read(folder: Path, *lines: str) -> tuple[list[ExampleRecord], list[Problem]]:
    (folder / "some.jsonl").write_text("\n".join(lines))
    problems = ProblemList()
    reader = open_corpus(folder / "some.jsonl", format="sacrerouge", problems=problems)
    return list(reader.examples()), problems.first


def test_it_brings_the_lines_of_an_instance_together(tmp_path: Path) -> None:
    lines = [
        line("d2", "bart"),
        line("d1", "bart", summary={"text": ["A.", "B."]}, metrics={"rouge": 1}),
        line("d2", "t5", summarizer_kind="abstractive", documents=..., references=...),
        line("d2", "A", summarizer_type="reference"),
    ]
    (tmp_path / "some.jsonl").write_text("\n".join(lines))
    reader = open_corpus(tmp_path)
    assert reader.format == "sacrerouge"
    reference = ReferenceText("One. Two.", "A", ((0, 4), (5, 9)))
    assert list(reader.examples()) == [
        ExampleRecord(
            "d2", ("D",), (reference,), {"bart": "S", "t5": "S", "A": "S"}, "some.jsonl", 1
        ),
        ExampleRecord("d1", ("D",), (reference,), {"bart": "A. B."}, "some.jsonl", 2),
    ]
    reader.verify()
    assert reader.notes == ["Ignored keys: metrics."]
    assert reader.systems() == [
        SystemRecord("bart"),
        SystemRecord("t5", "abstractive"),
        SystemRecord("A", "human"),
    ]
    assert [record.key for record in open_corpus(tmp_path).examples(1)] == ["d1"]


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({"documents": ..., "references": ...}, ExampleRecord("d1", (), ())),
        (
            {"documents": ..., "document": {"text": "D"}, "references": ..., "reference": "R"},
            ExampleRecord("d1", ("D",), (ReferenceText("R"),)),
        ),
        ({"instance": 7, "references": []}, ExampleRecord("7", ("D",), ())),
        (
            {"references": [{"text": "x" * 2**20}]},
            ExampleRecord("d1", ("D",), (ReferenceText("x" * 2**20),)),
        ),
        (
            {"references": [{"text": []}]},
            ExampleRecord("d1", ("D",), (ReferenceText("", "", ()),)),
        ),
        (
            {"references": [{"text": ["a", "", "b"]}]},
            ExampleRecord("d1", ("D",), (ReferenceText("a  b", "", ((0, 1), (3, 4))),)),
        ),
    ],
)
def test_it_takes_what_is_odd_but_right(
    changes: dict[str, Any], expected: ExampleRecord, tmp_path: Path
) -> None:
    records, problems = read(tmp_path, line(**changes))
    assert problems == []
    assert [(r.key, r.documents, r.references) for r in records] == [
        (expected.key, expected.documents, expected.references)
    ]


def test_it_keeps_a_kind_that_later_lines_leave_out(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(
        line("d1", summarizer_kind="human") + "\n" + line("d2") + "\n"
    )
    reader = open_corpus(tmp_path)
    assert len(list(reader.examples())) == 2
    assert reader.systems() == [SystemRecord("bart", "human")]


@pytest.mark.parametrize(
    "bad, message, expected",
    [
        (line(instance=...), "The line has no 'instance_id'.", "'instance_id' as a string."),
        (line(instance=True), "The line has no 'instance_id'.", "'instance_id' as a string."),
        (line(system=None), "The line has no 'summarizer_id'.", "'summarizer_id' as a string."),
        (line(summary=...), "The line has no 'summary'.", "'summary' with its 'text'."),
        (
            line(summary={"text": 1}),
            "The summary has no text.",
            "a string or a list of sentences.",
        ),
        (line(documents="D"), "'documents' is not a list.", "a list."),
        (line(documents=[{}]), "The document has no text.", "a string or a list of sentences."),
        (
            line(references=[{"text": [1]}]),
            "The reference has no text.",
            "a string or a list of sentences.",
        ),
        (
            line(summarizer_kind="robot"),
            "System 'bart' has the kind 'robot'.",
            "one of extractive, abstractive, human or other.",
        ),
        (
            line("fine", "t5", references=[{"text": "Other."}]),
            "Instance 'fine' has other documents or references than in some.jsonl, line 1.",
            "the same texts on every line of an instance.",
        ),
        (
            line("fine", "first"),
            "Instance 'fine' has a second summary of 'first'.",
            "one line per system and instance.",
        ),
        (
            line(summary={"text": "\ud800"}),
            "In example 'd1', the summary of 'bart' contains the character U+D800 at position 1.",
            "text without NUL or unpaired surrogates.",
        ),
        (
            line(documents=["a\x00"]),
            "In example 'd1', document 1 contains the character U+0000 at position 2.",
            "text without NUL or unpaired surrogates.",
        ),
        (
            line(references=[{"summarizer_id": "n" * 201, "text": "R"}]),
            "The name of a reference has 201 characters.",
            "a name of 1 to 200 characters.",
        ),
        (
            line(system="\udc00"),
            "The system name '\\udc00' has control characters.",
            "a name of 1 to 200 characters.",
        ),
    ],
)
def test_it_says_what_is_wrong_where(bad: str, message: str, expected: str, tmp_path: Path) -> None:
    _, problems = read(tmp_path, line("fine", "first"), bad)
    assert problems == [Problem("some.jsonl", 2, message, expected)]
