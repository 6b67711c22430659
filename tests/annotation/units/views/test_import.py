"""Units from a file: sent, refused with reasons, or already there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.corpora.imports.models import KeptFile
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.projects.models import Project
from annotation.units.files.queries import UNIT_FILE_FORMATS
from annotation.units.sets.models import Unit, UnitSet
from tests.annotation.corpora.pages import HOSTILE, page_of

IMPORT = "/p/study/units/import/"
LINES = b"The dam burst.\tNobody was hurt.\nThe dam burst.\n\n"
As = Callable[[str], Client]


def send(client: Client, data: bytes, file_name: str = "SCUs.txt", **fields: str) -> Any:
    sent = {"name": "SCUs", "format": "", **fields, "file": SimpleUploadedFile(file_name, data)}
    return client.post(IMPORT, sent)


@pytest.mark.parametrize(
    "who, status",
    [("owner", 200), ("editor", 200), ("annotator", 403), ("viewer", 403), ("outsider", 404)],
)
def test_it_is_open_to_editors(who: str, status: int, corpus: Project, as_who: As):
    assert as_who(who).get(IMPORT).status_code == status


def test_it_asks_strangers_to_sign_in(corpus: Project, client: Client):
    assert client.get(IMPORT)["Location"].startswith("/sign-in/")


def test_it_explains_every_format(corpus: Project, as_owner: Client):
    page = page_of(as_owner.get(IMPORT))
    for format in UNIT_FILE_FORMATS:
        assert f"{format.label} {format.explanation}" in page.text
        assert " ".join(format.sample.split()) in page.text
    assert "Units that came with the corpus" not in page.text


def test_it_makes_a_set_of_a_file(corpus: Project, as_owner: Client):
    response = send(as_owner, LINES)
    made = UnitSet.objects.get()
    assert response["Location"] == f"/p/study/units/{made.pk}/"
    assert made.job is not None
    page = page_of(as_owner.get(response["Location"]))
    assert "Import units from SCUs.txt" in page.text
    jobs_service.run_job(job_id=made.job.pk)
    assert "3 units" in page_of(as_owner.get(response["Location"])).text


def test_it_says_what_of_a_file_is_not_imported(corpus: Project, as_owner: Client):
    data = b"eventId,questionText,forUse,flag\ne1,The dam burst.,1,x\ne1,Nobody was hurt.,0,\n"
    said = [
        "Columns of list.csv that were not imported: flag.",
        "Skipped because forUse is 0: 1 row of list.csv.",
    ]
    text = page_of(as_owner.get(send(as_owner, data, "list.csv")["Location"])).text
    assert all(note in text for note in said)
    job = UnitSet.objects.get().job
    assert job is not None
    jobs_service.run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.result == {"units": 1, "notes": said}
    assert [line.text for line in job.lines.all()[:2]] == said


def test_it_shows_what_is_wrong_with_a_file(corpus: Project, as_owner: Client):
    data = b'{"id": "e1", "units": [{"text": "The dam burst."}]}\n{"id": "e9", "units": []}\nno\n'
    page = page_of(send(as_owner, data, "units.jsonl"), 422)
    assert "found. Nothing was changed." in page.text
    assert "units.jsonl 3" in page.text
    assert page.values["name"] == "SCUs"
    assert not UnitSet.objects.exists()


def test_it_takes_who_made_the_units(corpus: Project, as_owner: Client):
    told = {"kind": "stu", "extractor": "srl", "extractor_version": "1.2"}
    assert send(as_owner, LINES, **told).status_code == 302
    job = UnitSet.objects.get().job
    assert job is not None
    jobs_service.run_job(job_id=job.pk)
    made = Unit.objects.values_list("kind", "extractor", "extractor_version")
    assert set(made) == {("stu", "srl", "1.2")}


@pytest.mark.parametrize(
    "fields, message",
    [
        ({"name": ""}, "This field is required."),
        ({"format": "odd"}, "odd is not one of"),
        ({"kind": "odd"}, "odd is not one of"),
        ({"extractor_version": "1"}, "A version needs the name of its extractor."),
        ({"extractor": "srl"}, "the file contains no STUs"),
    ],
)
def test_it_says_what_is_wrong_with_the_form(
    fields: dict[str, str], message: str, corpus: Project, as_owner: Client
):
    assert message in page_of(send(as_owner, LINES, **fields), 422).text
    assert not UnitSet.objects.exists()


def test_it_keeps_the_format_that_was_chosen(corpus: Project, as_owner: Client):
    page = page_of(send(as_owner, b"not json\n", "units.txt", format="jsonl"), 422)
    assert 'value="jsonl" id="format-jsonl" checked' in page.html


def test_it_offers_the_files_that_came_along(corpus: Project, as_owner: Client):
    source = corpus.imports.get()
    kept = KeptFile.objects.create(source=source, name="SCUs.txt", data=LINES)
    page = page_of(as_owner.get(IMPORT))
    assert f"/p/study/units/kept/{kept.pk}/import/" in page.actions
    response = as_owner.post(f"/p/study/units/kept/{kept.pk}/import/")
    made = UnitSet.objects.get()
    assert response["Location"] == f"/p/study/units/{made.pk}/"
    assert made.name == "SCUs"


@pytest.mark.parametrize("who, status", [("annotator", 403), ("viewer", 403), ("outsider", 404)])
def test_it_refuses_others(who: str, status: int, corpus: Project, as_who: As):
    assert send(as_who(who), LINES).status_code == status
    assert not UnitSet.objects.exists()


def test_it_escapes_what_a_file_says(corpus: Project, as_owner: Client):
    name = "<img src=x onerror=alert(1)>.jsonl"
    line = f'{{"id": "{HOSTILE}", "units": [{{"text": "a"}}]}}\n'.encode()
    page = page_of(send(as_owner, line, name, name=HOSTILE), 422)
    assert name in page.text
    assert HOSTILE in page.text
    assert page.values["name"] == HOSTILE
