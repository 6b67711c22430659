"""REST: unit sets, their files, versions and settings."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import Peer, Unit, UnitSet
from annotation.units.studio.models import Assignment
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.units.writing import act, add, create, freeze, on, span

SETS = "/projects/study/unit-sets/"


def test_it_leads_a_set_from_draft_to_its_next_version(
    corpus: Project, e1: Example, owner: User, editor: User
):
    rest = Rest(owner)
    made = rest.post(SETS, {"name": "SCUs"})
    assert (made.status_code, made.json()["state"]) == (201, "draft")
    here = f"{SETS}{made.json()['id']}/"
    assert error_of(rest.post(f"{here}review/")) == (409, "conflict")
    add(UnitSet.objects.get(), e1, owner, "One.")
    assert rest.post(f"{here}review/").json()["state"] == "review"
    assert rest.post(f"{here}draft/").json()["state"] == "draft"
    assert error_of(rest.post(f"{here}next-version/")) == (409, "conflict")
    assert error_of(rest.post(f"{here}freeze/", {"reason": "Now."})) == (409, "conflict")
    assert rest.post(f"{here}review/").json()["state"] == "review"
    assert error_of(rest.post(f"{here}freeze/", {})) == (409, "conflict")
    assert error_of(Rest(editor).post(f"{here}freeze/", {"reason": "Now."})) == (409, "conflict")
    frozen = rest.post(f"{here}freeze/", {"reason": "A pilot."}).json()
    assert (frozen["state"], frozen["freeze_reason"]) == ("frozen", "A pilot.")
    assert len(frozen["content_hash"]) == 64
    copy = rest.post(f"{here}next-version/")
    assert (copy.status_code, copy.json()["version"]) == (202, 2)
    assert copy.json()["parent"] == frozen["id"]
    assert jobs_service.run_job(job_id=copy.json()["job"])
    assert [row["version"] for row in rest.get(SETS).json()["results"]] == [2, 1]
    assert error_of(rest("DELETE", here)) == (409, "conflict")
    assert rest("DELETE", f"{SETS}{copy.json()['id']}/").status_code == 204


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, 5, None])
def test_it_wants_a_name(name: Any, corpus: Project, owner: User):
    assert error_of(Rest(owner).post(SETS, {"name": name})) == (400, "invalid")


def test_it_lists_units_in_the_order_of_the_corpus(
    draft: UnitSet, e1: Example, e2: Example, owner: User
):
    add(draft, e2, owner, "Later.")
    act(draft, e1, owner, create("One.", spans=[span(e1, 0, 3)]), create("Gone.", unit="x"))
    gone = Unit.objects.get(text="Gone.")
    act(draft, e1, owner, {"action": "delete", "unit": gone.pk, "revision": 1})
    rest = Rest(owner)
    told = rest.get(f"{SETS}{draft.pk}/units/?page_size=1").json()
    assert told["count"] == 2
    [first] = told["results"]
    assert (first["example"], first["text"], first["spans"][0]["end"]) == ("e1", "One.", 3)
    [second] = rest.get(f"{SETS}{draft.pk}/units/?page=2&page_size=1").json()["results"]
    assert (second["example"], second["author"]) == ("e2", "Owner")


def upload(rest: Rest, file: str, data: bytes, **fields: str) -> Any:
    sent = {"file": SimpleUploadedFile(file, data), "name": "sent", **fields}
    return rest.client.post(f"/api/v1{SETS}import/", sent)


def test_it_makes_a_set_of_a_file(corpus: Project, e1: Example, owner: User):
    rest = Rest(owner)
    sent = upload(rest, "SCUs.txt", b"One.\tTwo.\n\nThree.", anyway="true")
    assert (sent.status_code, sent.json()["unit_count"]) == (202, 0)
    here = f"{SETS}{sent.json()['id']}/"
    ops = f"{here}examples/{e1.pk}/written/"
    assert error_of(rest.post(ops)) == (409, "conflict")
    assert jobs_service.run_job(job_id=sent.json()["job"])
    assert rest.get(here).json()["unit_count"] == 3
    assert rest.post(ops).status_code == 200


def test_it_only_checks_a_file_if_asked_to(corpus: Project, owner: User):
    sent = upload(Rest(owner), "SCUs.txt", b"One.\tTwo.\n\nThree.", anyway="true", check="true")
    assert (sent.status_code, sent.json()) == (200, {"checked": 3})
    assert not UnitSet.objects.exists()


def test_it_takes_who_made_the_units(corpus: Project, owner: User):
    rest = Rest(owner)
    told = {"kind": "stu", "extractor": "srl", "extractor_version": "1.2"}
    sent = upload(rest, "list.csv", b"eventId,questionText\ne1,It burst.\n", **told).json()
    assert jobs_service.run_job(job_id=sent["job"])
    [unit] = rest.get(f"{SETS}{sent['id']}/units/").json()["results"]
    assert {name: unit[name] for name in told} == told


def test_it_lists_what_is_wrong_with_a_file(corpus: Project, owner: User):
    line = b'{"id": "e8", "units": [{"text": "x"}]}\n'
    response = upload(Rest(owner), "u.jsonl", line + line.replace(b"e8", b"e9"))
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (409, "refused")
    assert error["message"] == "u.jsonl, line 1: The project has no example 'e8'."
    assert [problem["line"] for problem in error["problems"]] == [1, 2]
    assert not UnitSet.objects.exists()


@pytest.mark.parametrize(
    "name, data, fields, status",
    [
        ("u.jsonl", b"x", {"format": "pdf"}, 400),
        ("u.jsonl", b"x", {"name": ""}, 400),
        ("u.jsonl", b"", {}, 409),
        ("u.zip", b"PK", {}, 409),
        ("SCUs.txt", b"It burst.\n\n", {"format": "lines"}, 202),
        ("SCUs.txt", b"It burst.\n\n", {"name": "draft"}, 409),
        ("ü" * 200, b"x", {}, 400),
        ("SCUs.txt", b"One.\n\n", {"kind": "acu"}, 400),
        ("STUs.txt", b"One.\n\n", {"extractor_version": "1"}, 400),
        ("STUs.txt", b"One.\n\n", {"extractor": "x" * 81}, 400),
        ("SCUs.txt", b"It burst.\n\n", {"extractor": "srl"}, 409),
    ],
)
def test_it_takes_files(
    name: str, data: bytes, fields: dict[str, str], status: int, draft: UnitSet, owner: User
):
    assert upload(Rest(owner), name, data, **fields).status_code == status


@pytest.mark.parametrize(
    "kinds, ending", [(["scu"], "SCUs"), (["stu"], "STUs"), (["stu", "scu"], "SCUs")]
)
def test_it_names_a_line_file_by_what_it_holds(
    kinds: list[str], ending: str, draft: UnitSet, e1: Example, owner: User
):
    for kind, unit in zip(kinds, add(draft, e1, owner, *kinds), strict=True):
        Unit.objects.filter(pk=unit.pk).update(kind=kind)
    [gone] = add(draft, e1, owner, "Gone.")
    act(draft, e1, owner, {"action": "delete", "unit": gone.pk, "revision": 1})
    response = Rest(owner).client.get(f"/api/v1{SETS}{draft.pk}/export/lines/")
    assert response["Content-Disposition"].endswith(f'draft-v1-{ending}.txt"')


def test_it_sends_one_peer_as_it_is_and_many_in_a_zip(draft: UnitSet, e1: Example, owner: User):
    client, here = Rest(owner).client, f"/api/v1{SETS}{draft.pk}/export/pan/"
    add(draft, e1, owner, "One.")
    assert error_of(client.get(here)) == (409, "conflict")
    kinds = {"12": "application/xml", "ü/b": "application/zip"}
    for name, kind in kinds.items():
        Peer.objects.create(set=draft, example=e1, name=name, text="One. Two.")
        response = client.get(here)
        assert response["Content-Type"] == kind
        told = "e1.12.pan" if name == "12" else "study-draft-v1.zip"
        assert response["Content-Disposition"] == f'attachment; filename="{told}"'
        assert b"".join(response)[:2] == (b"<?" if name == "12" else b"PK")


@pytest.mark.parametrize(
    "name, shown",
    [("SCUs", "study-SCUs-v1"), ('a"b\r\nSet: x/ü', "study-a-b--Set- x---v1")],
)
def test_it_sends_the_set_as_a_file(
    name: str, shown: str, corpus: Project, e1: Example, owner: User
):
    unit_set = factories.make_set(corpus, owner, name)
    add(unit_set, e1, owner, "One.")
    here = f"/api/v1{SETS}{unit_set.pk}/export/"
    client = Rest(owner).client
    response = client.get(f"{here}lines/")
    assert b"".join(response) == b"One.\n\n"
    assert response["Content-Disposition"] == f'attachment; filename="{shown}-SCUs.txt"'
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert error_of(client.get(f"{here}pdf/")) == (404, "not_found")


def test_it_sends_no_empty_file(draft: UnitSet, owner: User):
    response = Rest(owner).get(f"{SETS}{draft.pk}/export/jsonl/")
    assert error_of(response) == (409, "conflict")


def test_it_compares_two_sets(corpus: Project, e1: Example, owner: User):
    first, second = (factories.make_set(corpus, owner, name) for name in ("a", "b"))
    add(first, e1, owner, "The dam burst.", "Gone.")
    add(second, e1, owner, "A dam burst.")
    here = f"{SETS}{first.pk}/compare/{second.pk}/"
    rest = Rest(owner)
    told = rest.get(here).json()
    assert (told["differing"], told["first_units"], told["second_units"]) == (1, 2, 1)
    [row] = told["results"]
    assert (row["example"], row["same"], row["reordered"]) == ("e1", 0, False)
    assert [(item["kind"], item["before"]) for item in row["rows"]] == [
        ("changed", "The dam burst."),
        ("removed", "Gone."),
    ]
    act(second, e1, owner, on(Unit.objects.get(set=second), spans=[span(e1, 0, 7)]))
    words = {"what": "words", "before": "", "after": "The dam"}
    assert rest.get(here).json()["results"][0]["rows"][0]["changes"] == [words]
    told = rest.get(here).json()
    assert rest.get(f"{here}?page=7").json() == told
    for page in ("0", "x", "-1", ""):
        assert error_of(rest.get(f"{here}?page={page}")) == (400, "invalid")
    assert error_of(rest.get(f"{SETS}{first.pk}/compare/999/"))[0] == 404


def test_it_changes_how_units_are_written(corpus: Project, owner: User, viewer: User):
    rest, here = Rest(owner), "/projects/study/studio-settings/"
    assert rest.get(here).json() == {"weighting": "unmerged", "disabled_rules": []}
    changed = rest("PATCH", here, {"disabled_rules": ["too-long"]}).json()
    assert changed == {"weighting": "unmerged", "disabled_rules": ["too-long"]}
    assert rest("PATCH", here, {"weighting": "merged"}).json()["disabled_rules"] == ["too-long"]
    assert rest.post(SETS, {"name": "new"}).json()["weighting"] == "merged"
    for wrong in ({"weighting": "odd"}, {"disabled_rules": ["odd"]}, {"disabled_rules": "empty"}):
        assert error_of(rest("PATCH", here, wrong)) == (400, "invalid")
    assert Rest(viewer).get(here).json()["weighting"] == "merged"


def test_it_gives_examples_out(draft: UnitSet, owner: User, editor: User, viewer: User):
    rest, here = Rest(owner), f"{SETS}{draft.pk}/assignments/"
    sent = {"first": 1, "last": 2, "author": editor.pk, "reviewer": owner.pk}
    assert rest.post(here, sent).json() == {"assigned": 2}
    rows = Assignment.objects.filter(set=draft, author=editor, reviewer=owner)
    assert rows.count() == 2
    assert error_of(rest.post(here, {**sent, "author": viewer.pk})) == (404, "not_found")
    assert error_of(rest.post(here, {**sent, "author": owner.pk})) == (409, "conflict")
    assert error_of(rest.post(here, {**sent, "first": 3})) == (409, "conflict")
    assert error_of(rest.post(here, {"first": 1, "last": 2})) == (409, "conflict")
    assert error_of(rest.post(here, {**sent, "first": 0})) == (400, "invalid")
    freeze_with_unit(draft, owner)
    assert error_of(rest.post(here, sent)) == (409, "conflict")


def freeze_with_unit(unit_set: UnitSet, owner: User) -> None:
    add(unit_set, unit_set.project.examples.all()[0], owner, "One.")
    freeze(unit_set, owner)
