"""The files of an import: kept, sent, cleared away; and the odd texts they may hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.corpus.models import Example, Reference, Summary, System
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports import writing
from annotation.corpora.imports.models import Import, ImportState, KeptFile
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from tests.annotation.corpora.importing import counts, run
from tests.factories import check, example, import_corpus, write_jsonl

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
    assert not imports_service.has_news(check(project, folder))
    imports_service.write_import(import_=twin, user=None)
    run(twin)
    assert KeptFile.objects.count() == 3


@pytest.mark.parametrize("more, state", [(0, ImportState.READY), (1, ImportState.REFUSED)])
def test_it_keeps_no_file_that_is_larger_than_an_import_may_be(
    more: int, state: ImportState, project: Project, tmp_path: Path, settings: Any
) -> None:
    folder = write_folder(tmp_path / "study")
    with (folder / "SCUs.txt").open("ab") as out:
        out.truncate(2**20 + more)
    settings.MAX_UNPACKED_MB = 1
    import_ = check(project, folder)
    assert import_.state == state
    told = [(it["file"], it["message"], it["expected"]) for it in import_.plan["problems"]]
    assert told == [("SCUs.txt", "The file is too large to store.", "at most 1 MB.")] * more
    assert not KeptFile.objects.exists()


def test_it_takes_uploaded_files_and_clears_them_away(project: Project, uploads: Path) -> None:
    def send(*files: tuple[str, bytes]) -> Import:
        chunks = [(name, [data]) for name, data in files]
        return imports_service.create_import(project=project, user=None, name="sent", files=chunks)

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
    imports_service.write_import(import_=import_, user=None)
    run(import_)
    assert import_.state == ImportState.DONE
    assert list(uploads.iterdir()) == []
    assert set(KeptFile.objects.values_list("name", flat=True)) == {"SCUs.txt", "labels/lead.label"}


@pytest.mark.parametrize("name", ["", ".", "..", "a/.."])
def test_it_refuses_a_name_that_is_none(name: str, project: Project, uploads: Path) -> None:
    with pytest.raises(Invalid, match="is not a file name"):
        imports_service.create_import(project=project, user=None, name="x", files=[(name, [b"x"])])
    assert not Import.objects.exists()


def test_it_refuses_a_file_sent_twice_and_keeps_nothing(project: Project, uploads: Path) -> None:
    files = [("a.jsonl", [b"1"]), ("x/a.jsonl", [b"2"])]
    with pytest.raises(DomainError, match=r"'a\.jsonl' was uploaded twice"):
        imports_service.create_import(project=project, user=None, name="x", files=files)
    assert not Import.objects.exists()
    assert list(uploads.iterdir()) == []


def test_it_forgets_files_of_a_dropped_import(project: Project, uploads: Path) -> None:
    import_ = imports_service.create_import(
        project=project, user=None, name="x", files=[("a.jsonl", [b'{"id": "a"}'])]
    )
    run(import_)
    assert import_.state == ImportState.REFUSED
    imports_service.drop_import(import_=import_)
    assert list(uploads.iterdir()) == []
    with pytest.raises(DomainError, match="discarded"):
        imports_service.drop_import(import_=import_)


def test_it_clears_up_behind_a_worker_that_died_after_its_last_commit(
    project: Project, uploads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [("a.jsonl", [b'{"id": "a", "documents": ["D"]}'])]
    import_ = imports_service.create_import(project=project, user=None, name="x", files=files)
    run(import_)
    job = imports_service.write_import(import_=import_, user=None)
    with monkeypatch.context() as patch:
        patch.setattr(writing, "remove_files", lambda _: None)
        run(import_)
    assert len(list(uploads.iterdir())) == 1
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    jobs_service.run_job(job_id=job.pk)
    assert list(uploads.iterdir()) == []
    assert counts(project)["examples"] == 1


LONG = "x" * 2**20


def test_the_preview_shows_references_without_marks(project: Project, tmp_path: Path) -> None:
    line = example("x", references=["<t> One . </t> <t> Two . </t>"])
    plan = check(project, write_jsonl(tmp_path / "marked.jsonl", [line])).plan
    assert plan["sample"][0]["reference"] == "One . Two ."


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
