"""A chunk held against the project: new, the same, or a contradiction."""

from __future__ import annotations

import pytest

from annotation.corpora.imports.checking import Comparison, chunked, compare, sentences_of
from annotation.corpora.projects.models import Project
from scoring.io import ProblemList
from scoring.types import ExampleRecord, ReferenceText, SystemRecord

DOCUMENT = "The dam burst. Nobody was hurt."
REFERENCE = "The dam burst on Monday. Nobody was hurt."
SUMMARIES = {"lead": "The dam burst.", "soup": "dam dam"}


def record(key: str, **changes: object) -> ExampleRecord:
    fields: dict[str, object] = {
        "documents": (DOCUMENT,),
        "references": (ReferenceText(REFERENCE),),
        "summaries": SUMMARIES,
        "file": "some.jsonl",
        "line": 7,
    }
    return ExampleRecord(key, **(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("count, sizes", [(0, []), (1, [1]), (3, [3]), (4, [3, 1]), (6, [3, 3])])
def test_it_cuts_into_chunks(count: int, sizes: list[int]) -> None:
    records = (record(str(number)) for number in range(count))
    assert [len(chunk) for chunk in chunked(records, 3)] == sizes


@pytest.mark.parametrize(
    "given, expected",
    [(None, [(0, 24), (25, 41)]), ((), []), (((0, 3),), [(0, 3)])],
)
def test_it_takes_the_sentences_of_the_source_where_it_has_them(
    given: tuple[tuple[int, int], ...] | None, expected: list[tuple[int, int]]
) -> None:
    assert list(sentences_of(ReferenceText(REFERENCE, "", given))) == expected


@pytest.mark.parametrize(
    "incoming, new, added, message",
    [
        (record("e1"), 0, [], None),
        (record("E1"), 1, [], None),
        (record("e1", documents=(), references=(), summaries={}), 0, [], None),
        (record("e1", summaries=SUMMARIES | {"new": ""}), 0, [("new", "")], None),
        (
            record("e1", documents=(DOCUMENT, "More.")),
            0,
            [],
            "Example 'e1' is already in the project, with different documents.",
        ),
        (
            record("e1", references=(ReferenceText(REFERENCE, "B"),)),
            0,
            [],
            "Example 'e1' is already in the project, with different references.",
        ),
        (
            record("e1", summaries={"lead": "The dam burst. "}),
            0,
            [],
            "Example 'e1' is already in the project, with a different summary by 'lead'.",
        ),
    ],
)
def test_it_tells_new_from_known_and_contrary(
    incoming: ExampleRecord,
    new: int,
    added: list[tuple[str, str]],
    message: str | None,
    corpus: Project,
) -> None:
    problems = ProblemList()
    found = compare(corpus, [incoming], problems)
    assert len(found.new) == new
    assert [(name, text) for _, name, text in found.additions] == added
    told = [(problem.file, problem.line, problem.message) for problem in problems.first]
    assert told == ([("some.jsonl", 7, message)] if message else [])


def test_it_sums_up_what_is_new_and_what_is_there(corpus: Project) -> None:
    comparison = Comparison(corpus)
    known = record("e1", summaries=SUMMARIES | {"new": ""})
    chunk = [known, record("x", summaries={"lead": ""})]
    comparison.add(compare(corpus, chunk, ProblemList()))
    comparison.add_systems(
        [SystemRecord("lead", "human"), SystemRecord("soup"), SystemRecord("new", "other")]
    )
    assert comparison.counts() == {
        "examples": {"new": 1, "same": 1},
        "documents": {"new": 1, "same": 1},
        "references": {"new": 1, "same": 1},
        "sentences": {"new": 2, "same": 2},
        "systems": {"new": 1, "same": 2},
        "summaries": {"new": 2, "same": 2},
    }
    assert comparison.empty_summaries == 2
    assert comparison.examples == 2
    assert comparison.notes == ["System 'lead' remains other; the file says human."]


def test_it_sees_nothing_of_another_project(corpus: Project, outsider: object) -> None:
    other = Project.objects.create(name="Other", slug="other")
    assert len(compare(other, [record("e1")], ProblemList()).new) == 1
