"""An import: hidden until it is done, all or nothing, once, and taken back exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora import services
from annotation.corpora.models import (
    Document,
    Example,
    Import,
    ImportState,
    Job,
    JobState,
    KeptFile,
    Project,
    Reference,
    Sentence,
    Summary,
    System,
)
from annotation.corpora.selectors import corpus as selectors
from annotation.corpora.selectors.corpus import ExampleFilter
from annotation.corpora.selectors.projects import counts_of
from annotation.corpora.services import comparison, import_write
from annotation.errors import DomainError, Invalid
from tests import factories
from tests.factories import check, example, import_corpus, write_jsonl

TABLES = (Document, Example, KeptFile, Reference, Sentence, Summary, System)


def rows() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in TABLES}


def counts(project: Project) -> dict[str, int]:
    project.refresh_from_db()
    return counts_of(project)


def texts(project: Project) -> list[tuple[str, int, str, str]]:
    found = Summary.objects.live().filter(example__project=project)
    return sorted(found.values_list("example__key", "example__position", "system__name", "text"))


def problems_of(import_: Import) -> list[str]:
    return [problem["message"] for problem in import_.plan["problems"]]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two examples a step, so that a short file takes several."""
    chunked = comparison.chunked
    monkeypatch.setattr(import_write, "chunked", lambda records: chunked(records, 2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Six examples and two systems."""
    lines = [example(f"n{number}") for number in range(6)]
    system = {"type": "system", "name": "lead", "kind": "extractive"}
    return write_jsonl(tmp_path / "six.jsonl", [system, *lines])


def start(project: Project, path: Path) -> Import:
    import_ = check(project, path)
    assert import_.state == ImportState.READY, import_.plan
    services.write_import(import_=import_, user=None)
    return import_


def run(import_: Import) -> Job:
    """Run the import's job to its end, whatever that is."""
    import_.refresh_from_db()
    assert import_.job is not None
    services.run_job(job_id=import_.job.pk)
    import_.refresh_from_db()
    return Job.objects.get(pk=import_.job.pk)


def stop_after(monkeypatch: pytest.MonkeyPatch, steps: int, act: Callable[[], None]) -> None:
    """Do something when that many chunks are committed and the next is under way."""
    write, written = import_write._write_chunk, []

    def write_chunk(*args: Any) -> None:
        if len(written) == steps:
            act()
        written.append(1)
        write(*args)

    monkeypatch.setattr(import_write, "_write_chunk", write_chunk)


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
    assert project.events.first().text == "imported 6 examples and 12 summaries from six.jsonl"


@pytest.mark.parametrize(
    "bad, message",
    [
        ({"id": "x"}, "Example 'x' has no document, no reference and no summary."),
        ({"type": "example"}, "The example has no 'id'."),
        ({"id": "x\x00y", "documents": []}, "The example id 'x\\x00y' has control characters."),
        ({"id": "\ud800", "documents": [""]}, "The example id '\\ud800' has control characters."),
        (
            {"id": "x", "documents": ["a\x00"]},
            "In example 'x', document 1 holds the character U+0000 at position 2.",
        ),
        ({"id": "x", "\x00\udc00": 1}, "The key '\\x00\\udc00' is not known."),
    ],
)
def test_it_writes_nothing_when_there_is_any_problem(
    bad: dict[str, Any], message: str, project: Project, path: Path, tmp_path: Path
) -> None:
    import json

    with path.open("a") as file:
        file.write(json.dumps(bad) + "\n")
    import_ = check(project, path)
    assert import_.state == ImportState.REFUSED
    assert problems_of(import_)[0] == message
    assert import_.plan["problems"][0]["line"] == 8
    assert import_.plan["problems"][0]["file"] == "six.jsonl"
    with pytest.raises(DomainError, match="has problems"):
        services.write_import(import_=import_, user=None)
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
        ("jsnol", "No format is called 'jsnol'."),
        ("csv", "There is no CSV file."),
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
    assert problems_of(import_) == ["There is no example in it."]


def test_it_hides_rows_until_all_are_written(
    project: Project, path: Path, small_chunks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int, int, int]] = []

    def look() -> None:
        seen.append(
            (
                Example.objects.count(),
                selectors.list_examples(project).count(),
                selectors.list_systems(project).count(),
                counts(project)["examples"],
            )
        )

    stop_after(monkeypatch, 2, look)
    run(start(project, path))
    assert seen == [(4, 0, 0, 0)]
    assert selectors.list_examples(project).count() == 6


def test_it_hides_summaries_that_an_unfinished_import_adds(
    corpus: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = [example("e1", summaries={"new": "Zanzibar."}), example("e2", summaries={"new": "x"})]
    seen: list[Any] = []
    first = Example.objects.get(key="e1")

    def look() -> None:
        found = ExampleFilter(q="zanzibar", where="summary")
        seen.append(selectors.list_examples(corpus, found).count())
        seen.append(len(selectors.list_summaries(first)))
        seen.append(selectors.get_example_page(corpus, ExampleFilter(), 1).object_list[0].summaries)
        missing = ExampleFilter(missing="summaries")
        seen.append(selectors.list_examples(corpus, missing).count())

    monkeypatch.setattr(import_write, "_complete", lambda *_: look())
    import_ = start(corpus, write_jsonl(tmp_path / "more.jsonl", more))
    with pytest.raises(KeyError):
        run(import_)
    assert seen == [0, 2, 2, 0]


def test_it_goes_on_from_the_last_step_after_a_failure(
    project: Project, path: Path, small_chunks: None
) -> None:
    whole = path.read_text()
    import_ = start(project, path)
    lines = whole.splitlines(keepends=True)
    path.write_text("".join([*lines[:5], "{not json\n", *lines[6:]]))
    job = run(import_)
    assert (job.state, import_.state) == (JobState.FAILED, ImportState.WRITING)
    assert job.error.startswith("six.jsonl, line 6: The line is not a JSON object")
    assert Example.objects.count() == 4, "two steps stay"
    assert selectors.list_examples(project).count() == 0
    assert counts(project) == {"examples": 0, "references": 0, "systems": 0, "summaries": 0}

    path.write_text(whole)
    before = set(Example.objects.values_list("pk", flat=True))
    services.retry_job(job=job)
    assert run(import_).state == JobState.DONE
    assert before < set(Example.objects.values_list("pk", flat=True)), "nothing is written twice"
    assert [row[:2] for row in texts(project)][::2] == [(f"n{n}", n) for n in range(6)]
    assert counts(project) == {"examples": 6, "references": 6, "systems": 2, "summaries": 12}


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda lines: lines[:5], "six.jsonl holds 4 examples; when it was checked, there were 6."),
        (
            lambda lines: [*lines, lines[1].replace("n0", "n9")],
            "six.jsonl holds 7 examples; when it was checked, there were 6.",
        ),
        (
            lambda lines: [*lines[:6], lines[6].replace("soup", "stew")],
            "six.jsonl has a summary by 'stew', which was not in it when it was checked.",
        ),
        (lambda lines: [*lines, "{"], "six.jsonl, line 8: The line is not a JSON object: '{'. "),
        (lambda lines: [*lines[:6], lines[5]], "six.jsonl, line 7: Example 'n4' stands here a "),
    ],
)
def test_it_fails_when_the_file_has_changed_since_the_check(
    change: Callable[[list[str]], list[str]], message: str, project: Project, path: Path
) -> None:
    import_ = start(project, path)
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    job = run(import_)
    assert (job.state, import_.state) == (JobState.FAILED, ImportState.WRITING)
    assert job.error.startswith(message)
    assert selectors.list_examples(project).count() == 0
    assert counts(project)["summaries"] == 0


def test_it_fails_when_a_resumed_file_repeats_what_was_written(
    project: Project, path: Path, small_chunks: None
) -> None:
    """The database's own rule is the last guard; it is not tried again and again."""
    import_ = start(project, path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:5], "{\n"]))
    job = run(import_)
    assert Example.objects.count() == 4
    path.write_text("".join([*lines[:5], lines[1], lines[2]]))
    services.retry_job(job=job)
    job = run(import_)
    assert job.state == JobState.FAILED
    assert job.error.startswith("The database refused a row: ")
    assert Example.objects.count() == 4


def test_it_removes_the_half_that_failed(corpus: Project, path: Path, small_chunks: None) -> None:
    before, shown = rows(), texts(corpus)
    import_ = start(corpus, path)
    path.write_text(path.read_text() + "{\n")
    failed = run(import_)
    assert rows()["Example"] == 9
    assert services.can_undo(import_)
    services.undo_import(import_=import_, user=None)
    assert run(import_).state == JobState.DONE
    assert import_.state == ImportState.DROPPED
    assert rows() == before
    assert texts(corpus) == shown
    with pytest.raises(DomainError, match="Only a failed job"):
        services.retry_job(job=failed)


def test_it_lets_only_one_of_retry_and_undo_win(project: Project, path: Path) -> None:
    import_ = start(project, path)
    path.write_text("{")
    job = run(import_)
    stale = Import.objects.select_related("job").get(pk=import_.pk)
    services.retry_job(job=job)
    with pytest.raises(DomainError, match="moved on meanwhile"):
        services.undo_import(import_=stale, user=None)
    assert Import.objects.get().state == ImportState.WRITING
    assert Job.objects.filter(kind="remove_import").count() == 0


def test_it_changes_nothing_the_second_time(corpus: Project, tmp_path: Path) -> None:
    before, shown = rows(), texts(corpus)
    import_ = check(corpus, tmp_path / "corpus.jsonl")
    assert {count["new"] for count in import_.plan["counts"].values()} == {0}
    assert not services.has_news(import_)
    with pytest.raises(DomainError, match="in the project already"):
        services.write_import(import_=import_, user=None)
    assert (rows(), texts(corpus)) == (before, shown)


def test_it_writes_nothing_for_a_twin_that_was_checked_at_the_same_time(
    project: Project, path: Path
) -> None:
    first, second = check(project, path), check(project, path)
    services.write_import(import_=first, user=None)
    run(first)
    before = rows()
    services.write_import(import_=second, user=None)
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
            "Example 'e2' is in the project with other documents.",
        ),
        (
            example("e2", references=["Other."]),
            "Example 'e2' is in the project with other references.",
        ),
        (
            example(
                "e2", references=[{"name": "B", "text": factories.example("x")["references"][0]}]
            ),
            "Example 'e2' is in the project with other references.",
        ),
        (
            example("e2", summaries={"lead": "Other."}),
            "Example 'e2' is in the project with another summary of 'lead'.",
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
    services.write_import(import_=first, user=None)
    run(first)
    services.write_import(import_=second, user=None)
    assert "Example 'a' is in the project with other documents." in run(second).error
    assert Document.objects.get().text != "Other."


def test_it_tells_that_a_known_system_keeps_its_kind(corpus: Project, tmp_path: Path) -> None:
    lines = [{"type": "system", "name": "lead", "kind": "human"}, example("e9")]
    import_ = check(corpus, write_jsonl(tmp_path / "kinds.jsonl", lines))
    assert import_.plan["notes"] == ["System 'lead' stays other; the file says human."]


def test_it_makes_the_second_of_two_imports_wait(
    project: Project, path: Path, tmp_path: Path
) -> None:
    other = write_jsonl(tmp_path / "other.jsonl", [example("x")])
    first, second = check(project, path), check(project, other)
    services.write_import(import_=first, user=None)
    with pytest.raises(DomainError, match="Another import is being written") as caught:
        services.write_import(import_=second, user=None)
    assert caught.value.mend == "Wait until it is done."
    assert Job.objects.filter(kind="write_import").count() == 1
    run(first)
    services.write_import(import_=second, user=None)
    run(second)
    assert counts(project)["examples"] == 7


def test_it_makes_an_undo_wait_for_a_running_import(corpus: Project, path: Path) -> None:
    done = Import.objects.get()
    running = start(corpus, path)
    with pytest.raises(DomainError, match="Another import is being written"):
        services.undo_import(import_=done, user=None)
    run(running)
    assert counts(corpus)["examples"] == 9


def test_it_is_written_once_however_often_it_is_asked_for(project: Project, path: Path) -> None:
    import_ = check(project, path)
    stale = Import.objects.get(pk=import_.pk)
    services.write_import(import_=import_, user=None)
    with pytest.raises(DomainError):
        services.write_import(import_=stale, user=None)
    assert Job.objects.filter(kind="write_import").count() == 1


def test_it_removes_everything_written_when_it_is_cancelled(
    corpus: Project, path: Path, small_chunks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, shown = rows(), texts(corpus)
    import_ = start(corpus, path)

    def cancel() -> None:
        services.cancel_job(job=Job.objects.get(kind="write_import", state=JobState.RUNNING))

    stop_after(monkeypatch, 1, cancel)
    assert import_.job is not None
    cancelled = import_.job
    services.run_job(job_id=cancelled.pk)
    cancelled.refresh_from_db()
    assert cancelled.state == JobState.CANCELLED
    import_.refresh_from_db()
    assert import_.state == ImportState.REMOVING
    assert run(import_).state == JobState.DONE
    assert import_.state == ImportState.DROPPED
    assert (rows(), texts(corpus)) == (before, shown)


def test_it_removes_nothing_but_itself_when_it_is_cancelled_before_it_began(
    corpus: Project, path: Path
) -> None:
    before = rows()
    import_ = start(corpus, path)
    assert import_.job is not None
    services.cancel_job(job=import_.job)
    assert run(import_).kind == "remove_import"
    assert import_.state == ImportState.DROPPED
    assert rows() == before


def test_it_is_dropped_when_its_check_is_cancelled(project: Project, path: Path) -> None:
    import_ = services.create_import(project=project, user=None, name="x", path=str(path))
    assert import_.job is not None
    services.cancel_job(job=import_.job)
    import_.refresh_from_db()
    assert import_.state == ImportState.DROPPED


def test_it_stays_dropped_although_its_check_was_under_way(
    project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_ = services.create_import(project=project, user=None, name="x", path=str(path))
    read = comparison.compare

    def drop_and_compare(*args: Any) -> Any:
        services.drop_import(import_=Import.objects.get(pk=import_.pk))
        return read(*args)

    monkeypatch.setattr("annotation.corpora.services.import_check.compare", drop_and_compare)
    run(import_)
    assert import_.state == ImportState.DROPPED


def test_it_restores_every_count_when_it_is_taken_back(corpus: Project, tmp_path: Path) -> None:
    before, shown, told = rows(), texts(corpus), counts(corpus)
    lines = [example("e1", summaries={"new": "x", "lead": "The dam burst."}), example("z")]
    import_ = import_corpus(corpus, write_jsonl(tmp_path / "more.jsonl", lines))
    assert counts(corpus) == {"examples": 4, "references": 4, "systems": 3, "summaries": 9}
    services.undo_import(import_=import_, user=None)
    assert counts(corpus) == told, "at once"
    assert texts(corpus) == shown, "at once"
    assert run(import_).state == JobState.DONE
    assert rows() == before
    assert import_.state == ImportState.DROPPED
    assert System.objects.get(name="lead").summary_count == 3
    assert corpus.events.first().text == "took back the import of more.jsonl"


def test_it_is_not_taken_back_while_a_later_import_builds_on_it(
    corpus: Project, tmp_path: Path
) -> None:
    first = Import.objects.get()
    later = write_jsonl(tmp_path / "later.jsonl", [{"id": "e1", "summaries": {"new": "x"}}])
    second = import_corpus(corpus, later)
    with pytest.raises(DomainError, match="later.jsonl builds on this one") as caught:
        services.undo_import(import_=first, user=None)
    assert caught.value.mend == "Take back later.jsonl first."
    services.undo_import(import_=second, user=None)
    run(second)
    services.undo_import(import_=first, user=None)
    run(first)
    assert rows() == dict.fromkeys(rows(), 0)
    assert set(counts(corpus).values()) == {0}


def test_it_can_be_imported_again_after_it_was_taken_back(corpus: Project, tmp_path: Path) -> None:
    first = Import.objects.get()
    services.undo_import(import_=first, user=None)
    run(first)
    import_corpus(corpus, tmp_path / "corpus.jsonl")
    assert counts(corpus) == {"examples": 3, "references": 3, "systems": 2, "summaries": 6}


KEPT = {
    "SCUs.txt": b"A\tB\r\nC\n\xc2\xa0D",
    "STUs.txt": b"\xff\xfe\n\n",
    "labels/lead.label": b"1\t0\n1\n1\n",
}


def write_folder(folder: Path) -> Path:
    files = {
        "ids.txt": b"a\nb\nc",
        "references.txt": b"A.\nB.\nC.",
        "summaries/lead.summary": b"1\n2\n3",
        **KEPT,
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_it_keeps_units_and_labels_once_byte_for_byte(project: Project, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "study")
    twin = check(project, folder)
    import_ = import_corpus(project, folder)
    assert import_.plan["kept"] == [
        {"name": "SCUs.txt", "lines": 3},
        {"name": "STUs.txt", "lines": 2},
        {"name": "labels/lead.label", "lines": 3},
    ]
    kept = {file.name: bytes(file.data) for file in KeptFile.objects.all()}
    assert kept == KEPT
    assert not services.has_news(check(project, folder))
    services.write_import(import_=twin, user=None)
    run(twin)
    assert KeptFile.objects.count() == 3


def test_it_takes_uploaded_files_and_clears_them_away(
    project: Project, path: Path, uploads: Path
) -> None:
    def send(*files: tuple[str, bytes]) -> Import:
        chunks = [(name, [data]) for name, data in files]
        return services.create_import(project=project, user=None, name="sent", files=chunks)

    import_ = send(
        ("ids.txt", b"a"),
        ("references.txt", b"R"),
        ("C:\\dir\\lead.summary", b"S"),
        ("SCUs.txt", b"U"),
        ("lead.label", b"1"),
    )
    run(import_)
    assert import_.state == ImportState.READY, import_.plan
    assert len(list(uploads.iterdir())) == 1
    services.write_import(import_=import_, user=None)
    run(import_)
    assert import_.state == ImportState.DONE
    assert list(uploads.iterdir()) == []
    assert set(KeptFile.objects.values_list("name", flat=True)) == {"SCUs.txt", "labels/lead.label"}


@pytest.mark.parametrize("name", ["", ".", "..", "a/.."])
def test_it_refuses_a_name_that_is_none(name: str, project: Project, uploads: Path) -> None:
    with pytest.raises(Invalid, match="is not a file name"):
        services.create_import(project=project, user=None, name="x", files=[(name, [b"x"])])
    assert not Import.objects.exists()


def test_it_refuses_a_file_sent_twice_and_keeps_nothing(project: Project, uploads: Path) -> None:
    files = [("a.jsonl", [b"1"]), ("x/a.jsonl", [b"2"])]
    with pytest.raises(DomainError, match=r"'a\.jsonl' was sent twice"):
        services.create_import(project=project, user=None, name="x", files=files)
    assert not Import.objects.exists()
    assert list(uploads.iterdir()) == []


def test_it_forgets_files_of_a_dropped_import(project: Project, uploads: Path) -> None:
    import_ = services.create_import(
        project=project, user=None, name="x", files=[("a.jsonl", [b'{"id": "a"}'])]
    )
    run(import_)
    assert import_.state == ImportState.REFUSED
    services.drop_import(import_=import_)
    assert list(uploads.iterdir()) == []
    with pytest.raises(DomainError, match="This import is dropped"):
        services.drop_import(import_=import_)


def test_it_clears_up_behind_a_worker_that_died_after_its_last_commit(
    project: Project, uploads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [("a.jsonl", [b'{"id": "a", "documents": ["D"]}'])]
    import_ = services.create_import(project=project, user=None, name="x", files=files)
    run(import_)
    job = services.write_import(import_=import_, user=None)
    with monkeypatch.context() as patch:
        patch.setattr(import_write, "remove_files", lambda _: None)
        run(import_)
    assert len(list(uploads.iterdir())) == 1
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    services.run_job(job_id=job.pk)
    assert list(uploads.iterdir()) == []
    assert counts(project)["examples"] == 1


LONG = "x" * 2**20


@pytest.mark.parametrize(
    "line",
    [
        example("one"),
        example("a b/c ü 007", documents=["D1", "D2", ""]),
        example("x", references=[{"name": "A", "text": "R."}, {"name": "B", "text": "R."}]),
        example("x", documents=[], references=["<t> One . </t> <t> Two . </t>"]),
        example("x", references=[], summaries={}),
        example("x", summaries={"lead": "", "Lead": LONG}, documents=[LONG]),
        example("x", references=["שלום. مرحبا"], documents=["a\u2028b\x85c\u00a0\ufeff\r\n\t"]),
    ],
)
def test_it_keeps_odd_texts_as_they_are(
    line: dict[str, Any], project: Project, tmp_path: Path
) -> None:
    import_corpus(project, write_jsonl(tmp_path / "odd.jsonl", [line]))
    found = Example.objects.get()
    assert found.key == line["id"]
    assert [row.text for row in found.documents.all()] == line["documents"]
    plain = [item if isinstance(item, str) else item["text"] for item in line["references"]]
    assert [row.text for row in found.references.all()] == plain
    kept = dict(Summary.objects.values_list("system__name", "text"))
    assert kept == line["summaries"]


def test_it_keeps_ids_apart_that_differ_only_in_case(project: Project, tmp_path: Path) -> None:
    lines = [example("Ab", summaries={"S": "1", "s": "2"}), example("ab"), example("aB ")]
    import_corpus(project, write_jsonl(tmp_path / "case.jsonl", lines))
    assert counts(project)["examples"] == 3
    assert set(System.objects.values_list("name", flat=True)) == {"S", "s", "lead", "soup"}


def test_it_takes_the_sentences_that_a_source_names(project: Project, tmp_path: Path) -> None:
    named = {"text": "One. Two. Three", "sentences": [[0, 9], [10, 15]]}
    import_corpus(project, write_jsonl(tmp_path / "s.jsonl", [example("x", references=[named])]))
    reference = Reference.objects.get()
    assert reference.sentences_given
    assert [row.text for row in reference.sentences.all()] == ["One. Two.", "Three"]
