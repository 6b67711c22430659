"""An import: checked, written, hidden until it is done, and done once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.corpus import queries as corpus_queries
from annotation.corpora.corpus.models import Document, Example, Reference, Summary, System
from annotation.corpora.corpus.queries import ExampleFilter
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports import writing
from annotation.corpora.imports.models import ImportState
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from tests.annotation.corpora.importing import (
    counts,
    make_chunks_small,
    problems_of,
    rows,
    run,
    start,
    stop_after,
    texts,
    write_six,
)
from tests.factories import check, example, import_corpus, write_jsonl


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_six(tmp_path)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    make_chunks_small(monkeypatch)


def test_it_says_what_it_would_create(project: Project, path: Path) -> None:
    import_ = check(project, path)
    assert import_.state == ImportState.READY
    assert import_.format == "jsonl"
    plan = import_.plan
    assert {part: count["new"] for part, count in plan["counts"].items()} == {
        "examples": 6,
        "documents": 6,
        "references": 6,
        "sentences": 12,
        "systems": 2,
        "summaries": 12,
    }
    assert {count["same"] for count in plan["counts"].values()} == {0}
    assert plan["systems"] == [["lead", "extractive"], ["soup", None]]
    assert [sample["key"] for sample in plan["sample"]] == ["n0", "n1", "n2"]
    assert plan["problem_count"] == 0
    assert rows() == dict.fromkeys(rows(), 0), "nothing is written before it is asked for"


def test_it_writes_what_it_said(project: Project, path: Path) -> None:
    import_ = import_corpus(project, path)
    assert counts(project) == {"examples": 6, "references": 6, "systems": 2, "summaries": 12}
    assert rows() == {
        "Document": 6,
        "Example": 6,
        "KeptFile": 0,
        "Reference": 6,
        "Sentence": 12,
        "Summary": 12,
        "System": 2,
    }
    assert list(Example.objects.values_list("key", "position")) == [
        (f"n{number}", number) for number in range(6)
    ]
    kinds = dict(System.objects.values_list("name", "kind"))
    assert kinds == {"lead": "extractive", "soup": "other"}
    assert set(System.objects.values_list("summary_count", flat=True)) == {6}
    assert [sentence.text for sentence in Reference.objects.all()[0].sentences.all()] == [
        "The dam burst on Monday.",
        "Nobody was hurt.",
    ]
    assert import_.plan["created"]["summaries"] == 12
    assert (
        project.activities.latest("pk").text
        == "imported 6 examples and 12 summaries from six.jsonl"
    )


@pytest.mark.parametrize(
    "bad, message",
    [
        ({"id": "x"}, "Example 'x' has no document, no reference and no summary."),
        ({"type": "example"}, "The example has no 'id'."),
        ({"id": "x\x00y", "documents": []}, "The example id 'x\\x00y' has control characters."),
        ({"id": "\ud800", "documents": [""]}, "The example id '\\ud800' has control characters."),
        (
            {"id": "x", "documents": ["a\x00"]},
            "In example 'x', document 1 contains the character U+0000 at position 2.",
        ),
        ({"id": "x", "\x00\udc00": 1}, "Unknown key '\\x00\\udc00'."),
    ],
)
def test_it_writes_nothing_when_there_is_any_problem(
    bad: dict[str, Any], message: str, project: Project, path: Path, tmp_path: Path
) -> None:
    with path.open("a") as file:
        file.write(json.dumps(bad) + "\n")
    import_ = check(project, path)
    assert import_.state == ImportState.REFUSED
    assert problems_of(import_)[0] == message
    assert import_.plan["problems"][0]["line"] == 8
    assert import_.plan["problems"][0]["file"] == "six.jsonl"
    with pytest.raises(DomainError, match="has problems"):
        imports_service.write_import(import_=import_, user=None)
    assert rows() == dict.fromkeys(rows(), 0)
    assert counts(project)["examples"] == 0


def test_it_shows_fifty_problems_and_counts_all(project: Project, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "bad.jsonl", [{"id": f"e{n}"} for n in range(60)])
    import_ = check(project, path)
    assert import_.plan["problem_count"] == 60
    assert len(import_.plan["problems"]) == 50


def test_it_caps_problems_where_the_last_ends_the_reading(project: Project, tmp_path: Path) -> None:
    bad = "".join(f'{{"id": "e{n}"}}\n' for n in range(60))
    write_jsonl(tmp_path / "a.jsonl", []).write_text(bad)
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "gone")
    import_ = check(project, tmp_path)
    assert import_.state == ImportState.REFUSED
    assert import_.plan["problem_count"] == 61
    assert len(import_.plan["problems"]) == 50


@pytest.mark.parametrize(
    "format, message",
    [
        ("jsnol", "Unknown format 'jsnol'."),
        ("csv", "There is no table."),
        ("folder", "There are no line files."),
    ],
)
def test_it_refuses_a_format_that_does_not_fit(
    format: str, message: str, project: Project, path: Path
) -> None:
    import_ = check(project, path, format=format)
    assert import_.state == ImportState.REFUSED
    assert problems_of(import_) == [message]


def test_it_refuses_files_without_an_example(project: Project, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "none.jsonl", [{"type": "system", "name": "s", "kind": "human"}])
    import_ = check(project, path)
    assert problems_of(import_) == ["It contains no examples."]


def test_it_hides_rows_until_all_are_written(
    project: Project, path: Path, small_chunks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int, int, int]] = []

    def look() -> None:
        seen.append(
            (
                Example.objects.count(),
                corpus_queries.list_examples(project).count(),
                corpus_queries.list_systems(project).count(),
                counts(project)["examples"],
            )
        )

    stop_after(monkeypatch, 2, look)
    run(start(project, path))
    assert seen == [(4, 0, 0, 0)]
    assert corpus_queries.list_examples(project).count() == 6


def test_it_hides_summaries_that_an_unfinished_import_adds(
    corpus: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = [example("e1", summaries={"new": "Zanzibar."}), example("e2", summaries={"new": "x"})]
    seen: list[Any] = []
    first = Example.objects.get(key="e1")

    def look() -> None:
        found = ExampleFilter(q="zanzibar", where="summary")
        seen.append(corpus_queries.list_examples(corpus, found).count())
        seen.append(len(corpus_queries.list_summaries(first)))
        seen.append(
            corpus_queries.get_example_page(corpus, ExampleFilter(), 1).object_list[0].summaries
        )
        missing = ExampleFilter(missing="summaries")
        seen.append(corpus_queries.list_examples(corpus, missing).count())

    monkeypatch.setattr(writing, "_complete", lambda *_: look())
    import_ = start(corpus, write_jsonl(tmp_path / "more.jsonl", more))
    run(import_)
    assert seen == [0, 2, 2, 0]


def test_it_changes_nothing_the_second_time(corpus: Project, tmp_path: Path) -> None:
    before, shown = rows(), texts(corpus)
    lines = [example(key) for key in ("e1", "e2", "e3")]
    import_ = check(corpus, write_jsonl(tmp_path / "again.jsonl", lines))
    assert {count["new"] for count in import_.plan["counts"].values()} == {0}
    assert not imports_service.has_news(import_)
    with pytest.raises(DomainError, match="already in the project"):
        imports_service.write_import(import_=import_, user=None)
    assert (rows(), texts(corpus)) == (before, shown)


def test_it_writes_nothing_for_a_twin_that_was_checked_at_the_same_time(
    project: Project, path: Path
) -> None:
    first, second = check(project, path), check(project, path)
    imports_service.write_import(import_=first, user=None)
    run(first)
    before = rows()
    imports_service.write_import(import_=second, user=None)
    run(second)
    assert second.state == ImportState.DONE
    assert second.plan["created"]["examples"] == 0
    assert rows() == before


def test_it_adds_only_the_summaries_of_a_later_system(corpus: Project, tmp_path: Path) -> None:
    ids = set(Summary.objects.values_list("pk", flat=True))
    lines = [
        {"id": f"e{number}", "summaries": {"new": f"S{number}", "lead": "The dam burst."}}
        for number in (1, 2, 3)
    ]
    import_ = import_corpus(corpus, write_jsonl(tmp_path / "new.jsonl", lines))
    assert import_.plan["counts"]["summaries"] == {"new": 3, "same": 3}
    assert import_.plan["created"]["examples"] == 0
    assert counts(corpus) == {"examples": 3, "references": 3, "systems": 3, "summaries": 9}
    added = Summary.objects.exclude(pk__in=ids)
    assert sorted(added.values_list("example__key", "system__name", "text")) == [
        ("e1", "new", "S1"),
        ("e2", "new", "S2"),
        ("e3", "new", "S3"),
    ]
    assert System.objects.get(name="new").summary_count == 3
    assert System.objects.get(name="lead").summary_count == 3


@pytest.mark.parametrize(
    "line, message",
    [
        (
            example("e2", documents=["Other."]),
            "Example 'e2' is already in the project, with different documents.",
        ),
        (
            example("e2", references=["Other."]),
            "Example 'e2' is already in the project, with different references.",
        ),
        (
            example("e2", references=[{"name": "B", "text": example("x")["references"][0]}]),
            "Example 'e2' is already in the project, with different references.",
        ),
        (
            example("e2", summaries={"lead": "Other."}),
            "Example 'e2' is already in the project, with a different summary by 'lead'.",
        ),
    ],
)
def test_it_names_the_text_that_contradicts_the_project(
    line: dict[str, Any], message: str, corpus: Project, tmp_path: Path
) -> None:
    before = rows()
    import_ = check(corpus, write_jsonl(tmp_path / "other.jsonl", [example("e1"), line]))
    assert import_.state == ImportState.REFUSED
    assert problems_of(import_) == [message]
    assert import_.plan["problems"][0]["line"] == 2
    assert rows() == before


def test_it_fails_when_the_project_changed_since_the_check(
    project: Project, tmp_path: Path
) -> None:
    one = write_jsonl(tmp_path / "one.jsonl", [example("a")])
    other = write_jsonl(tmp_path / "two.jsonl", [example("a", documents=["Other."])])
    first, second = check(project, one), check(project, other)
    imports_service.write_import(import_=first, user=None)
    run(first)
    imports_service.write_import(import_=second, user=None)
    assert "Example 'a' is already in the project, with different documents." in run(second).error
    assert Document.objects.get().text != "Other."


def test_it_tells_that_a_known_system_keeps_its_kind(corpus: Project, tmp_path: Path) -> None:
    lines = [{"type": "system", "name": "lead", "kind": "human"}, example("e9")]
    import_ = check(corpus, write_jsonl(tmp_path / "kinds.jsonl", lines))
    assert import_.plan["notes"] == ["System 'lead' remains other; the file says human."]
