"""The corpus as files: the same bytes each time, streamed, and only where nothing is lost."""

from __future__ import annotations

import csv
import io
import json
import random
import tracemalloc
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.corpus.exports import (
    EXPORT_FORMATS,
    get_export_format,
    stream_export,
    why_not,
)
from annotation.corpora.corpus.models import System
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import ImportState
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from tests.factories import check, example, import_corpus, write_jsonl


def export(project: Project, value: str) -> bytes:
    return b"".join(stream_export(project, value))


@pytest.mark.parametrize("value", EXPORT_FORMATS)
def test_it_is_the_same_each_time(value: str, corpus: Project) -> None:
    first = export(corpus, value)
    assert len(first) > 100
    assert export(corpus, value) == first


def peak_of(project: Project, value: str) -> tuple[int, int, int]:
    """The size of the export, of its largest block, and the memory it took."""
    tracemalloc.start()
    blocks = stream_export(project, value)
    assert isinstance(blocks, types.GeneratorType)
    largest, total = 0, 0
    for block in blocks:
        largest, total = max(largest, len(block)), total + len(block)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return total, largest, peak


def test_it_is_streamed_and_takes_little_memory(project: Project, tmp_path: Path) -> None:
    texts = [random.Random(number).randbytes(2500).hex() for number in range(500)]
    lines = [
        example(f"e{n}", documents=[text], summaries={"s": "S"}) for n, text in enumerate(texts)
    ]
    import_corpus(project, write_jsonl(tmp_path / "big.jsonl", lines))
    for value in EXPORT_FORMATS:
        total, largest, peak = peak_of(project, value)
        assert total > 1.2e6, value
        assert largest < 0.4e6, value
        assert peak < 1.8e6, f"{value}: some fifty examples of 2.5 MB are in hand"


def test_it_writes_jsonl_with_everything(project: Project, tmp_path: Path) -> None:
    named = {"name": "B", "text": "One. Two.", "sentences": [[0, 4], [5, 9]]}
    lines = [
        {"type": "system", "name": "lead", "kind": "extractive"},
        example("é", references=["R", named], summaries={"lead": "", "bart": "x\ny"}),
    ]
    import_corpus(project, write_jsonl(tmp_path / "a.jsonl", lines))
    found = [json.loads(line) for line in export(project, "jsonl").decode().splitlines()]
    assert found == [
        {"type": "system", "name": "bart", "kind": "other"},
        {"type": "system", "name": "lead", "kind": "extractive"},
        example("é", references=[{"text": "R"}, named], summaries={"bart": "x\ny", "lead": ""}),
    ]
    assert "é".encode() in export(project, "jsonl")


def test_it_defuses_formulas_in_csv(project: Project, tmp_path: Path) -> None:
    line = example(
        "=id", documents=["=1+1", "'=1", "@x", "-1", "\t=2", "plain"], summaries={"+s": "="}
    )
    import_corpus(project, write_jsonl(tmp_path / "a.jsonl", [line]))
    rows = list(csv.reader(io.StringIO(export(project, "csv").decode(), newline="")))
    assert rows[0] == ["example_id", "part", "name", "safe_text"]
    assert [row[3] for row in rows if row[1] == "document"] == [
        "'=1+1",
        "''=1",
        "'@x",
        "'-1",
        "'\t=2",
        "plain",
    ]
    assert not [cell for row in rows for cell in row if cell[:1] in tuple("=+-@\t")]


def test_it_writes_line_files_into_a_zip(corpus: Project) -> None:
    with zipfile.ZipFile(io.BytesIO(export(corpus, "folder"))) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    reference = "The dam burst on Monday. Nobody was hurt."
    document = "The dam burst. Nobody was hurt."
    assert files == {
        "ids.txt": "e1\ne2\ne3",
        "documents.txt": "\n".join([document] * 3),
        "references.txt": "\n".join([reference] * 3),
        "systems.csv": "system,type\nlead,other\nsoup,other\n",
        "summaries/lead.summary": "\n".join(["The dam burst."] * 3),
        "summaries/soup.summary": "\n".join(["dam dam"] * 3),
    }


FITS = dict.fromkeys(EXPORT_FORMATS)


@pytest.mark.parametrize(
    "line, reasons",
    [
        (example("x"), {}),
        (
            example("x", documents=["D1", "D2"]),
            {"folder": "Example 'x' has more than one document."},
        ),
        (
            example("x", references=["R1", "R2"]),
            {"folder": "Example 'x' has more than one reference."},
        ),
        (
            example("x", documents=["a\nb"]),
            {"folder": "A text of example 'x' has a line break."},
        ),
        (
            example("x", summaries={"s": "a\r"}),
            {"folder": "A text of example 'x' has a line break."},
        ),
        (example("x", documents=["a\rb"]), {}),
        (
            example("x", documents=[""]),
            {"folder": "Example 'x' has an empty document or reference."},
        ),
        (
            example("x", references=[{"name": "A", "text": "R"}]),
            {"folder": "The reference of example 'x' has a name."},
        ),
        (
            example("x", references=[{"text": "One. Two.", "sentences": [[0, 4], [5, 9]]}]),
            {
                "folder": "The sentences of example 'x' were set by the imported file.",
                "csv": "The sentences of example 'x' were set by the imported file.",
            },
        ),
        (
            example("x", references=[{"text": "One. Two.", "sentences": [[0, 4]]}]),
            {
                "folder": "The sentences of example 'x' were set by the imported file.",
                "csv": "The sentences of example 'x' were set by the imported file.",
                "sacrerouge": "The sentences of example 'x' leave out some of its text.",
            },
        ),
        (
            example("x", summaries={}),
            {"sacrerouge": "Example 'x' has no summary."},
        ),
        (
            example("x", summaries={"a/b": "S"}),
            {"folder": "The name of system 'a/b' can't be used as a file name."},
        ),
    ],
)
def test_it_says_exactly_why_a_format_cannot_hold_the_corpus(
    line: dict[str, Any], reasons: dict[str, str], project: Project, tmp_path: Path
) -> None:
    import_corpus(project, write_jsonl(tmp_path / "a.jsonl", [line]))
    assert {value: why_not(project, value) for value in EXPORT_FORMATS} == FITS | reasons
    for value, reason in reasons.items():
        with pytest.raises(DomainError) as caught:
            stream_export(project, value)
        assert caught.value.message == f"This format can't represent the corpus. {reason}"
        assert caught.value.hint == "Choose JSONL."


def test_it_notices_gaps_and_systems_without_summaries(project: Project, tmp_path: Path) -> None:
    lines = [
        {"type": "system", "name": "idle", "kind": "human"},
        example("x", summaries={"s": "S"}),
        example("y", summaries={"s": "S", "t": "T"}),
    ]
    import_corpus(project, write_jsonl(tmp_path / "a.jsonl", lines))
    assert why_not(project, "folder") == "System 'idle' has no summary of some examples."
    assert why_not(project, "sacrerouge") == "System 'idle' has no summaries."
    System.objects.filter(name="idle").delete()
    assert why_not(project, "folder") == "System 't' has no summary of some examples."
    assert why_not(project, "sacrerouge") is None


@pytest.mark.parametrize("value", EXPORT_FORMATS)
def test_it_has_nothing_to_send_of_an_empty_corpus(value: str, project: Project) -> None:
    assert why_not(project, value) == "The corpus is empty."


def test_it_lists_the_formats_when_a_name_is_not_one(corpus: Project) -> None:
    with pytest.raises(NotFound, match="'xml' is not a format") as caught:
        stream_export(corpus, "xml")
    assert caught.value.hint == "Known: folder, jsonl, csv, sacrerouge."
    assert get_export_format("csv").suffix == "csv"


@pytest.mark.parametrize("value", EXPORT_FORMATS)
def test_it_leaves_out_what_an_unfinished_import_brought(
    value: str, corpus: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = export(corpus, value)
    lines = [example("e1", summaries={"new": "two\nlines"}), example("hidden")]
    import_ = check(corpus, write_jsonl(tmp_path / "b.jsonl", lines))
    job = imports_service.write_import(import_=import_, user=None)
    path = "annotation.corpora.imports.writing._complete"
    monkeypatch.setattr(path, lambda *_: 1 / 0)
    jobs_service.run_job(job_id=job.pk)
    import_.refresh_from_db()
    assert import_.state == ImportState.FAILED
    assert corpus.examples.count() == 4
    assert export(corpus, value) == before


@pytest.mark.parametrize("value", EXPORT_FORMATS)
def test_it_leaves_out_what_comes_while_it_is_sent(
    value: str, corpus: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = check(corpus, write_jsonl(tmp_path / "early.jsonl", [example("early")]))
    import_corpus(corpus, write_jsonl(tmp_path / "mid.jsonl", [example("mid")]))
    before = export(corpus, value)
    monkeypatch.setattr("annotation.corpora.corpus.exports.BLOCK", 1)
    blocks = stream_export(corpus, value)
    first = next(blocks)
    jobs_service.run_job(job_id=imports_service.write_import(import_=waiting, user=None).pk)
    lines = [example("e1", summaries={"new": "x"}), example("late")]
    import_corpus(corpus, write_jsonl(tmp_path / "late.jsonl", lines))
    assert first + b"".join(blocks) == before


def test_it_breaks_off_when_its_lines_would_no_longer_go_together(
    corpus: Project, tmp_path: Path
) -> None:
    later = import_corpus(corpus, write_jsonl(tmp_path / "later.jsonl", [example("later")]))
    blocks = stream_export(corpus, "folder")
    next(blocks)
    imports_service.undo_import(import_=later, user=None)
    with pytest.raises(DomainError, match="was undone"):
        list(blocks)


def write_study(folder: Path, ids: str) -> Path:
    files = {"ids.txt": ids, "references.txt": ids, "SCUs.txt": ids, "STUs.txt": ids}
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_it_sends_units_along_only_where_they_fit_the_lines(
    project: Project, tmp_path: Path
) -> None:
    import_corpus(project, write_study(tmp_path / "one", "a\nb"))
    with zipfile.ZipFile(io.BytesIO(export(project, "folder"))) as archive:
        assert archive.read("SCUs.txt") == b"a\nb"
    import_corpus(project, write_study(tmp_path / "two", "c\nd"))
    with zipfile.ZipFile(io.BytesIO(export(project, "folder"))) as archive:
        assert archive.namelist() == ["ids.txt", "documents.txt", "references.txt", "systems.csv"]
