"""REST: reading the corpus, and the export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.exports import EXPORT_FORMATS
from annotation.corpora.corpus.models import Example, Summary, System
from annotation.corpora.projects.models import Project
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of

EXAMPLES = "/projects/study/examples/"
SYSTEMS = "/projects/study/systems/"


@pytest.fixture
def many(project: Project, tmp_path: Path) -> Project:
    """One example with a gap, and sixty more."""
    lines = [factories.example(f"e{number:02}") for number in range(60)]
    lines.append(
        factories.example("odd", documents=["Rain."], references=[], summaries={"lead": "Rain!"})
    )
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "many.jsonl", lines))
    return project


def keys(page: dict[str, Any]) -> list[str]:
    return [row["key"] for row in page["results"]]


def test_it_pages(many: Project, owner: User):
    rest = Rest(owner)
    first = rest.get(EXAMPLES).json()
    assert (first["count"], len(first["results"]), first["previous"]) == (61, 50, None)
    second = rest.client.get(first["next"]).json()
    assert (len(second["results"]), second["next"]) == (11, None)
    assert rest.client.get(second["previous"]).json() == first
    assert len(set(keys(first)) | set(keys(second))) == 61


@pytest.mark.parametrize(
    "query, expected", [("page_size=7", 7), ("page_size=999", 61), ("page=2&page_size=60", 1)]
)
def test_it_gives_pages_of_the_size_asked_for(
    query: str, expected: int, many: Project, owner: User
):
    assert len(Rest(owner).get(f"{EXAMPLES}?{query}").json()["results"]) == expected


def test_it_caps_a_page(project: Project, owner: User, tmp_path: Path):
    factories.import_examples(project, tmp_path, count=203)
    page = Rest(owner).get(f"{EXAMPLES}?page_size=100000").json()
    assert (page["count"], len(page["results"])) == (203, 200)


@pytest.mark.parametrize(
    "query, status",
    [
        ("page=0", 404),
        ("page=99", 404),
        ("page=x", 404),
        ("page=", 404),
        ("page=last", 404),
        (f"page={'9' * 40}", 404),
        ("page_size=0", 400),
        ("page_size=-1", 400),
        ("page_size=ten", 400),
        ("page_size=", 400),
        ("page_size=²", 400),
    ],
)
def test_it_refuses_a_page_that_is_not_there(query: str, status: int, corpus: Project, owner: User):
    assert error_of(Rest(owner).get(f"{EXAMPLES}?{query}"))[0] == status


@pytest.mark.parametrize(
    "query, expected",
    [
        ("q=odd", ["odd"]),
        ("q=rain&where=document", ["odd"]),
        ("q=RAIN!&where=summary", ["odd"]),
        ("q=rain", []),
        ("missing=summaries", ["odd"]),
        ("missing=references", ["odd"]),
        ("missing=references&q=e01", []),
    ],
)
def test_it_searches(query: str, expected: list[str], many: Project, owner: User):
    assert keys(Rest(owner).get(f"{EXAMPLES}?{query}").json()) == expected


def test_it_gives_an_example_whole(corpus: Project, owner: User):
    pk = Example.objects.get(key="e2").pk
    told = Rest(owner).get(f"{EXAMPLES}{pk}/").json()
    reference = told["references"][0]
    cut = [reference["text"][row["start"] : row["end"]] for row in reference["sentences"]]
    assert cut == ["The dam burst on Monday.", "Nobody was hurt."]
    assert told["documents"] == [{"position": 0, "text": "The dam burst. Nobody was hurt."}]
    assert [(row["system"], row["text"]) for row in told["summaries"]] == [
        ("lead", "The dam burst."),
        ("soup", "dam dam"),
    ]


def test_it_hides_what_an_import_has_not_finished(corpus: Project, owner: User):
    corpus.imports.update(state="writing")
    rest = Rest(owner)
    assert rest.get(EXAMPLES).json()["count"] == 0
    assert rest.get(SYSTEMS).json()["count"] == 0
    assert rest.get(f"{EXAMPLES}{Example.objects.all()[0].pk}/").status_code == 404
    assert rest.get(f"{SYSTEMS}{System.objects.all()[0].pk}/summaries/").status_code == 404


def test_it_hides_the_texts_of_other_projects(corpus: Project, outsider: User):
    factories.make_project(outsider, "theirs")
    rest = Rest(outsider)
    for kind, row in (("examples", Example), ("systems", System)):
        response = rest.get(f"/projects/theirs/{kind}/{row.objects.all()[0].pk}/")
        assert error_of(response) == (404, "not_found")


def test_it_corrects_a_system(corpus: Project, owner: User):
    pk = System.objects.get(name="lead").pk
    rest = Rest(owner)
    changed = rest("PATCH", f"{SYSTEMS}{pk}/", {"kind": "extractive", "summary_count": 9}).json()
    assert changed == {"id": pk, "name": "lead", "kind": "extractive", "summary_count": 3}
    taken = rest("PATCH", f"{SYSTEMS}{pk}/", {"name": "soup"})
    assert error_of(taken) == (409, "conflict")


def test_it_lists_the_summaries_of_a_system(corpus: Project, owner: User):
    system = System.objects.get(name="soup")
    rows = Rest(owner).get(f"{SYSTEMS}{system.pk}/summaries/").json()["results"]
    assert [(row["example"], row["text"]) for row in rows] == [
        ("e1", "dam dam"),
        ("e2", "dam dam"),
        ("e3", "dam dam"),
    ]
    assert {row["id"] for row in rows} == set(
        Summary.objects.filter(system=system).values_list("pk", flat=True)
    )


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_it_exports_what_the_page_downloads(
    name: str, corpus: Project, owner: User, as_owner: Client
):
    rest = Rest(owner)
    by_call = rest.client.get(
        f"/api/v1/projects/study/export/{name}/", headers={"Accept": "application/zip"}
    )
    by_page = as_owner.get(f"/p/study/export/{name}/")
    assert by_call.status_code == by_page.status_code == 200
    assert b"".join(by_call) == b"".join(by_page) != b""
    for header in ("Content-Type", "Content-Disposition"):
        assert by_call[header] == by_page[header]
