"""JSONL: an example or a system a line, and what is said of lines that are neither."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.io import ProblemList, open_corpus
from scoring.types import ExampleRecord, Problem, ReferenceText, SystemRecord

GOOD = '{"id": "a", "documents": ["D"]}'


def read(folder: Path, *lines: str | bytes) -> tuple[list[ExampleRecord], list[Problem]]:
    data = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    (folder / "some.jsonl").write_bytes(data)
    problems = ProblemList()
    reader = open_corpus(folder / "some.jsonl", format="jsonl", problems=problems)
    return list(reader.examples()), problems.first


def example(**changes: Any) -> str:
    return json.dumps({"type": "example", "id": "a", "documents": ["D"]} | changes)


def test_it_reads_examples_and_systems(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(
        '{"type": "system", "name": "lead", "kind": "extractive"}\n'
        "\n"
        '{"id": "a", "documents": ["D1", "D2"], "summaries": {"lead": "", "Lead": "x"},'
        ' "references": ["R", {"name": "B", "text": "One. Two.", "sentences": [[0, 4], [5, 9]]}]}'
    )
    reader = open_corpus(tmp_path / "some.jsonl")
    assert reader.format == "jsonl"
    assert list(reader.examples()) == [
        ExampleRecord(
            key="a",
            documents=("D1", "D2"),
            references=(
                ReferenceText("R"),
                ReferenceText("One. Two.", "B", ((0, 4), (5, 9))),
            ),
            summaries={"lead": "", "Lead": "x"},
            file="some.jsonl",
            line=3,
        )
    ]
    assert reader.systems() == [SystemRecord("lead", "extractive"), SystemRecord("Lead")]


def test_it_reads_several_files_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "2.ndjson").write_text(example(id="b"))
    (tmp_path / "1.jsonl").write_text(example(id="a"))
    reader = open_corpus(tmp_path)
    found = [(record.key, record.file) for record in reader.examples()]
    assert found == [("a", "1.jsonl"), ("b", "2.ndjson")]
    assert [record.key for record in open_corpus(tmp_path).examples(1)] == ["b"]


@pytest.mark.parametrize(
    "line",
    [
        "﻿" + GOOD,
        GOOD + "\r",
        example(documents=["x" * 2**20]),
        example(documents=["a\u2028b\x85\u00a0"]),
        example(id="007"),
        example(id="a b/c\\d ü"),
        example(documents=[], references=["<t> A . </t> <t> B </t>"]),
        example(documents=[], summaries={"s": ""}),
        example(references=[{"text": "شكرا", "sentences": []}]),
        example(references=[{"text": "شكرا", "sentences": None}]),
        '{"id": "a", "documents": ["\\ud83d\\ude00"]}',
    ],
)
def test_it_takes_what_is_odd_but_right(line: str, tmp_path: Path) -> None:
    records, problems = read(tmp_path, line)
    assert problems == []
    assert len(records) == 1


NOT_AN_OBJECT = "one JSON object per line."
RANGES = "[start, end] pairs in order within the text."


@pytest.mark.parametrize(
    "line, message, expected",
    [
        ("{not json", "The line is not a JSON object: '{not json'.", NOT_AN_OBJECT),
        ("[1]", "The line is not a JSON object: '[1]'.", NOT_AN_OBJECT),
        ("[" * 100_000, f"The line is not a JSON object: '{'[' * 40}'.", NOT_AN_OBJECT),
        ('{"documents": ["D"]}', "The example has no 'id'.", "'id' as a string."),
        (example(id=7), "The example has no 'id'.", "'id' as a string."),
        (example(id=" "), "The example id is empty.", "a name of 1 to 200 characters."),
        (
            example(id="x" * 201),
            "The example id has 201 characters.",
            "a name of 1 to 200 characters.",
        ),
        (
            example(id="a\ud800"),
            "The example id 'a\\ud800' has control characters.",
            "a name of 1 to 200 characters.",
        ),
        (
            example(sumaries={}),
            "Unknown key 'sumaries'.",
            "only documents, id, references, summaries, type.",
        ),
        (
            '{"id": "a", "documents": ["D"], "\\u0000": 1}',
            "Unknown key '\\x00'.",
            "only documents, id, references, summaries, type.",
        ),
        (example(type="exam"), "The type is 'exam'.", "'example' or 'system'."),
        (
            example(documents="D"),
            "'documents' is not a list of strings.",
            "a list of strings.",
        ),
        (example(documents=[1]), "'documents' is not a list of strings.", "a list of strings."),
        (example(references="R"), "'references' is not a list.", "a list."),
        (
            example(references=[{"name": "A"}]),
            "A reference has no text.",
            "a string, or an object with 'text'.",
        ),
        (
            example(references=[{"text": "R", "author": "A"}]),
            "Unknown key 'author'.",
            "only name, sentences, text.",
        ),
        (
            example(references=[{"text": "R", "name": 1}]),
            "A reference's name is not a string.",
            "a string.",
        ),
        (
            example(references=[{"text": "R", "name": "n" * 201}]),
            "The name of a reference has 201 characters.",
            "a name of 1 to 200 characters.",
        ),
        (
            example(references=[{"text": "R", "name": "\x00"}]),
            "The name of a reference '\\x00' has control characters.",
            "a name of 1 to 200 characters.",
        ),
        (
            example(references=[{"text": "R", "sentences": 1}]),
            "'sentences' is not a list.",
            RANGES,
        ),
        (
            example(references=[{"text": "R", "sentences": [[0]]}]),
            "The sentence range [0] is not a pair of numbers.",
            RANGES,
        ),
        (
            example(references=[{"text": "R", "sentences": [[0, True]]}]),
            "The sentence range [0, True] is not a pair of numbers.",
            RANGES,
        ),
        (
            example(references=[{"text": "R", "sentences": [[0, 2]]}]),
            "The sentence range [0, 2] does not fit.",
            RANGES,
        ),
        (
            example(references=[{"text": "RRRR", "sentences": [[0, 2], [1, 3]]}]),
            "The sentence range [1, 3] does not fit.",
            RANGES,
        ),
        (
            example(references=[{"text": "R", "sentences": [[1, 1]]}]),
            "The sentence range [1, 1] does not fit.",
            RANGES,
        ),
        (
            example(summaries=["x"]),
            "'summaries' is not an object of strings.",
            '{"system name": "text"}.',
        ),
        (
            example(summaries={"s": None}),
            "'summaries' is not an object of strings.",
            '{"system name": "text"}.',
        ),
        (
            '{"id": "a", "summaries": {"s": "1", "s": "2"}}',
            "The key 's' occurs twice in one object.",
            "each key once.",
        ),
        (
            example(summaries={"": "x"}),
            "The system name is empty.",
            "a name of 1 to 200 characters.",
        ),
        (
            example(documents=["a\x00"]),
            "In example 'a', document 1 contains the character U+0000 at position 2.",
            "text without NUL or unpaired surrogates.",
        ),
        (
            example(references=["\ud800"]),
            "In example 'a', reference 1 contains the character U+D800 at position 1.",
            "text without NUL or unpaired surrogates.",
        ),
        (
            example(summaries={"s": "x\udfff"}),
            "In example 'a', the summary of 's' contains the character U+DFFF at position 2.",
            "text without NUL or unpaired surrogates.",
        ),
        (
            '{"id": "a"}',
            "Example 'a' has no document, no reference and no summary.",
            "at least one text.",
        ),
        (
            '{"type": "system", "kind": "human"}',
            "The system has no name.",
            "'name' and 'kind' as strings.",
        ),
        (
            '{"type": "system", "name": "s", "kind": "robot"}',
            "System 's' has the kind 'robot'.",
            "one of extractive, abstractive, human or other.",
        ),
        (
            '{"type": "system", "name": "s", "sort": "human"}',
            "Unknown key 'sort'.",
            "only kind, name, type.",
        ),
    ],
)
def test_it_says_what_is_wrong_where(
    line: str, message: str, expected: str, tmp_path: Path
) -> None:
    records, problems = read(tmp_path, '{"id": "fine", "documents": ["D"]}', line)
    assert problems == [Problem("some.jsonl", 2, message, expected)]
    assert [record.key for record in records] == ["fine"]


def test_it_names_both_places_of_an_id(tmp_path: Path) -> None:
    _, problems = read(tmp_path, example(id="a"), example(id="A"), example(id="a"))
    assert [str(problem) for problem in problems] == [
        (
            "some.jsonl, line 3: Example 'a' occurs twice; "
            "first in some.jsonl, line 1. Expected each example id once."
        )
    ]


def test_it_names_the_bad_byte(tmp_path: Path) -> None:
    _, problems = read(tmp_path, GOOD, b'{"id": "b", "documents": ["\xff"]}')
    assert (problems[0].line, problems[0].message) == (2, "Byte 0xff at column 28 is not UTF-8.")


def test_it_notices_two_kinds_of_one_system(tmp_path: Path) -> None:
    line = '{"type": "system", "name": "s", "kind": "%s"}'
    _, problems = read(tmp_path, line % "human", line % "human", line % "other")
    assert [str(problem) for problem in problems] == [
        "some.jsonl, line 3: System 's' has the kind 'other'. Expected human, as before."
    ]


def test_it_refuses_a_source_without_such_a_file(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text(GOOD)
    problems = ProblemList()
    reader = open_corpus(tmp_path, format="jsonl", problems=problems)
    assert list(reader.examples()) == []
    assert [problem.message for problem in problems.first] == ["There is no JSONL file."]
