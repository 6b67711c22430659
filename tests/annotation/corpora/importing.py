"""What the tests of imports share: rows counted, jobs run, an act in the middle of a write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.corpus.models import Document, Example, Reference, Sentence, Summary, System
from annotation.corpora.imports import checking, writing
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState, KeptFile
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.queries import counts_of
from tests.factories import check, example, write_jsonl

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


def make_chunks_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two examples a step, so that a short file takes several."""
    chunked = checking.chunked
    monkeypatch.setattr(writing, "chunked", lambda records: chunked(records, 2))


def write_six(folder: Path) -> Path:
    """Six examples and two systems."""
    lines = [example(f"n{number}") for number in range(6)]
    system = {"type": "system", "name": "lead", "kind": "extractive"}
    return write_jsonl(folder / "six.jsonl", [system, *lines])


def start(project: Project, path: Path) -> Import:
    import_ = check(project, path)
    assert import_.state == ImportState.READY, import_.plan
    imports_service.write_import(import_=import_, user=None)
    return import_


def run(import_: Import) -> Job:
    """Run the import's job to its end, whatever that is."""
    import_.refresh_from_db()
    assert import_.job is not None
    jobs_service.run_job(job_id=import_.job.pk)
    import_.refresh_from_db()
    return Job.objects.get(pk=import_.job.pk)


def stop_after(monkeypatch: pytest.MonkeyPatch, steps: int, act: Callable[[], None]) -> None:
    """Do something when that many chunks are committed and the next is under way."""
    write = writing._write_chunk
    written: list[int] = []

    def write_chunk(*args: Any) -> None:
        if len(written) == steps:
            act()
        written.append(1)
        write(*args)

    monkeypatch.setattr(writing, "_write_chunk", write_chunk)
