"""Imports that fail, are cancelled or are taken back: what stays is what was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.corpus import queries as corpus_queries
from annotation.corpora.corpus.models import Example, System
from annotation.corpora.imports import checking
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from tests.annotation.corpora.importing import (
    counts,
    make_chunks_small,
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


def test_it_goes_on_from_the_last_step_after_a_failure(
    project: Project, path: Path, small_chunks: None
) -> None:
    whole = path.read_text()
    import_ = start(project, path)
    lines = whole.splitlines(keepends=True)
    path.write_text("".join([*lines[:5], "{not json\n", *lines[6:]]))
    job = run(import_)
    assert (job.state, import_.state) == (JobState.FAILED, ImportState.FAILED)
    assert job.error.startswith("six.jsonl, line 6: The line is not a JSON object")
    assert Example.objects.count() == 4, "two steps stay"
    assert corpus_queries.list_examples(project).count() == 0
    assert counts(project) == {"examples": 0, "references": 0, "systems": 0, "summaries": 0}

    path.write_text(whole)
    before = set(Example.objects.values_list("pk", flat=True))
    jobs_service.retry_job(job=job)
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
            "six.jsonl has a summary by 'stew', which was not there when it was checked.",
        ),
        (lambda lines: [*lines, "{"], "six.jsonl, line 8: The line is not a JSON object: '{'. "),
        (lambda lines: [*lines[:6], lines[5]], "six.jsonl, line 7: Example 'n4' occurs twice"),
    ],
)
def test_it_fails_when_the_file_has_changed_since_the_check(
    change: Callable[[list[str]], list[str]], message: str, project: Project, path: Path
) -> None:
    import_ = start(project, path)
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    job = run(import_)
    assert (job.state, import_.state) == (JobState.FAILED, ImportState.FAILED)
    assert job.error.startswith(message)
    assert corpus_queries.list_examples(project).count() == 0
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
    jobs_service.retry_job(job=job)
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
    assert imports_service.can_undo(import_)
    imports_service.undo_import(import_=import_, user=None)
    assert run(import_).state == JobState.DONE
    assert import_.state == ImportState.DROPPED
    assert rows() == before
    assert texts(corpus) == shown
    with pytest.raises(DomainError, match="Only failed jobs"):
        jobs_service.retry_job(job=failed)


def test_a_failed_import_frees_the_project_and_leaves_nothing_in_the_way(
    project: Project, path: Path, small_chunks: None, tmp_path: Path
) -> None:
    """Another import of the same examples goes through, and the failed one is over for good."""
    import_ = start(project, path)
    good = path.read_text()
    path.write_text(good + "{\n")
    failed = run(import_)
    assert Example.objects.exists(), "a part is written, and hidden"
    assert corpus_queries.list_examples(project).count() == 0
    (tmp_path / "fixed.jsonl").write_text(good)
    other = import_corpus(project, tmp_path / "fixed.jsonl")
    assert other.state == ImportState.DONE
    assert counts(project) == {"examples": 6, "references": 6, "systems": 2, "summaries": 12}
    assert set(Example.objects.values_list("source", flat=True)) == {other.pk}
    import_.refresh_from_db()
    assert import_.state == ImportState.DROPPED
    with pytest.raises(DomainError, match="Only failed jobs"):
        jobs_service.retry_job(job=failed)


def test_a_failed_import_is_not_retried_while_another_is_written(
    project: Project, path: Path, tmp_path: Path
) -> None:
    import_ = start(project, path)
    path.write_text("{")
    failed = run(import_)
    start(project, write_jsonl(tmp_path / "other.jsonl", [example("x")]))
    with pytest.raises(DomainError, match="Another import"):
        jobs_service.retry_job(job=failed)
    failed.refresh_from_db()
    assert failed.state == JobState.FAILED
    import_.refresh_from_db()
    assert import_.state == ImportState.FAILED


def test_a_removal_that_fails_frees_the_project_too(
    corpus: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_ = Import.objects.get()
    imports_service.undo_import(import_=import_, user=None)
    with monkeypatch.context() as patched:
        removal = "annotation.corpora.imports.writing.remove_rows"
        patched.setattr(removal, _refuse_rows)
        job = run(import_)
    assert (job.state, import_.state) == (JobState.FAILED, ImportState.FAILED)
    assert corpus_queries.list_examples(corpus).count() == 0
    import_corpus(corpus, path)
    import_.refresh_from_db()
    assert import_.state == ImportState.DROPPED
    assert counts(corpus)["examples"] == Example.objects.count() == 6


def _refuse_rows(rows: object) -> int:
    raise DomainError("Something still uses it.")


def test_a_check_that_fails_is_failed_and_can_be_retried_or_dropped(
    project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_ = imports_service.create_import(project=project, user=None, name="x", path=str(path))
    with monkeypatch.context() as patched:
        patched.setattr("annotation.corpora.imports.checking.compare", _break)
        job = run(import_)
    assert (job.state, import_.state) == (JobState.FAILED, ImportState.FAILED)
    assert not imports_service.can_undo(import_), "it has written nothing"
    jobs_service.retry_job(job=job)
    import_.refresh_from_db()
    assert import_.state == ImportState.CHECKING
    run(import_)
    assert import_.state == ImportState.READY
    Import.objects.filter(pk=import_.pk).update(state=ImportState.FAILED)
    import_.refresh_from_db()
    imports_service.drop_import(import_=import_)
    assert import_.state == ImportState.DROPPED


def _break(*args: object) -> None:
    raise RuntimeError


def test_a_project_with_a_failed_import_can_be_deleted(project: Project, path: Path) -> None:
    import_ = start(project, path)
    path.write_text("{")
    run(import_)
    projects_service.delete_project(project=project)
    assert not Example.objects.exists()


def test_it_lets_only_one_of_retry_and_undo_win(project: Project, path: Path) -> None:
    import_ = start(project, path)
    path.write_text("{")
    job = run(import_)
    stale = Import.objects.select_related("job").get(pk=import_.pk)
    jobs_service.retry_job(job=job)
    with pytest.raises(DomainError, match="has changed"):
        imports_service.undo_import(import_=stale, user=None)
    assert Import.objects.get().state == ImportState.WRITING
    assert Job.objects.filter(kind="remove_import").count() == 0


def test_it_makes_the_second_of_two_imports_wait(
    project: Project, path: Path, tmp_path: Path
) -> None:
    other = write_jsonl(tmp_path / "other.jsonl", [example("x")])
    first, second = check(project, path), check(project, other)
    imports_service.write_import(import_=first, user=None)
    with pytest.raises(DomainError, match="Another import") as caught:
        imports_service.write_import(import_=second, user=None)
    assert caught.value.hint == "Wait until it is done."
    assert Job.objects.filter(kind="write_import").count() == 1
    run(first)
    imports_service.write_import(import_=second, user=None)
    run(second)
    assert counts(project)["examples"] == 7


def test_it_makes_an_undo_wait_for_a_running_import(corpus: Project, path: Path) -> None:
    done = Import.objects.get()
    running = start(corpus, path)
    with pytest.raises(DomainError, match="Another import"):
        imports_service.undo_import(import_=done, user=None)
    run(running)
    assert counts(corpus)["examples"] == 9


def test_it_is_written_once_however_often_it_is_asked_for(project: Project, path: Path) -> None:
    import_ = check(project, path)
    stale = Import.objects.get(pk=import_.pk)
    imports_service.write_import(import_=import_, user=None)
    with pytest.raises(DomainError):
        imports_service.write_import(import_=stale, user=None)
    assert Job.objects.filter(kind="write_import").count() == 1


def test_it_removes_everything_written_when_it_is_cancelled(
    corpus: Project, path: Path, small_chunks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, shown = rows(), texts(corpus)
    import_ = start(corpus, path)

    def cancel() -> None:
        jobs_service.cancel_job(job=Job.objects.get(kind="write_import", state=JobState.RUNNING))

    stop_after(monkeypatch, 1, cancel)
    assert import_.job is not None
    cancelled = import_.job
    jobs_service.run_job(job_id=cancelled.pk)
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
    jobs_service.cancel_job(job=import_.job)
    assert run(import_).kind == "remove_import"
    assert import_.state == ImportState.DROPPED
    assert rows() == before


def test_it_is_dropped_when_its_check_is_cancelled(project: Project, path: Path) -> None:
    import_ = imports_service.create_import(project=project, user=None, name="x", path=str(path))
    assert import_.job is not None
    jobs_service.cancel_job(job=import_.job)
    import_.refresh_from_db()
    assert import_.state == ImportState.DROPPED


def test_it_stays_dropped_although_its_check_was_under_way(
    project: Project, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_ = imports_service.create_import(project=project, user=None, name="x", path=str(path))
    read = checking.compare

    def drop_and_compare(*args: Any) -> Any:
        imports_service.drop_import(import_=Import.objects.get(pk=import_.pk))
        return read(*args)

    monkeypatch.setattr("annotation.corpora.imports.checking.compare", drop_and_compare)
    run(import_)
    assert import_.state == ImportState.DROPPED


def test_it_restores_every_count_when_it_is_taken_back(corpus: Project, tmp_path: Path) -> None:
    before, shown, told = rows(), texts(corpus), counts(corpus)
    lines = [example("e1", summaries={"new": "x", "lead": "The dam burst."}), example("z")]
    import_ = import_corpus(corpus, write_jsonl(tmp_path / "more.jsonl", lines))
    assert counts(corpus) == {"examples": 4, "references": 4, "systems": 3, "summaries": 9}
    imports_service.undo_import(import_=import_, user=None)
    assert counts(corpus) == told, "at once"
    assert texts(corpus) == shown, "at once"
    assert run(import_).state == JobState.DONE
    assert rows() == before
    assert import_.state == ImportState.DROPPED
    assert System.objects.get(name="lead").summary_count == 3
    assert corpus.activities.latest("pk").text == "undid the import of more.jsonl"


def test_it_is_not_taken_back_while_a_later_import_builds_on_it(
    corpus: Project, tmp_path: Path
) -> None:
    first = Import.objects.get()
    later = write_jsonl(tmp_path / "later.jsonl", [{"id": "e1", "summaries": {"new": "x"}}])
    second = import_corpus(corpus, later)
    with pytest.raises(DomainError, match=r"later\.jsonl depends on this one") as caught:
        imports_service.undo_import(import_=first, user=None)
    assert caught.value.hint == "Undo the import of later.jsonl first."
    imports_service.undo_import(import_=second, user=None)
    run(second)
    imports_service.undo_import(import_=first, user=None)
    run(first)
    assert rows() == dict.fromkeys(rows(), 0)
    assert set(counts(corpus).values()) == {0}


def test_it_can_be_imported_again_after_it_was_taken_back(corpus: Project, tmp_path: Path) -> None:
    first = Import.objects.get()
    imports_service.undo_import(import_=first, user=None)
    run(first)
    lines = [example(key) for key in ("e1", "e2", "e3")]
    import_corpus(corpus, write_jsonl(tmp_path / "again.jsonl", lines))
    assert counts(corpus) == {"examples": 3, "references": 3, "systems": 2, "summaries": 6}
