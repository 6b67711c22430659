"""The example browser: search, filter, pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.projects.models import Project
from tests import factories
from tests.annotation.corpora.pages import Page, page_of

EXAMPLES = "/p/study/examples/"


@pytest.fixture
def many(project: Project, tmp_path: Path) -> Project:
    """Sixty examples that are alike, and one that is not."""
    lines = [factories.example(f"e{number:02}") for number in range(60)]
    lines.append(
        factories.example("odd", documents=["Rain."], references=[], summaries={"lead": "Rain!"})
    )
    lines.append(factories.example("Maße", references=["Ein 100 % gefüllter Stausee."]))
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "many.jsonl", lines))
    return project


def listed(page: Page) -> list[str]:
    """The links to examples, in their order."""
    return [link for link in page.links if link.startswith(EXAMPLES) and link != EXAMPLES]


def test_it_says_when_there_is_nothing(project: Project, as_owner: Client, as_viewer: Client):
    assert "/p/study/imports/new/" in page_of(as_owner.get(EXAMPLES)).links
    page = page_of(as_viewer.get(EXAMPLES))
    assert "No examples yet" in page.text
    assert "/p/study/imports/new/" not in page.links


def test_it_lists_a_page(many: Project, as_viewer: Client):
    page = page_of(as_viewer.get(EXAMPLES))
    assert len(listed(page)) == 25
    assert "1–25 of 62 examples" in page.text
    assert "The dam burst on Monday." in page.text
    assert "?page=2" in page.links


@pytest.mark.parametrize(
    "asked, shown",
    [
        ("2", "26–50 of 62"),
        ("3", "51–62 of 62"),
        ("99", "51–62 of 62"),
        ("0", "51–62 of 62"),
        ("-5", "51–62 of 62"),
        ("x", "1–25 of 62"),
        ("", "1–25 of 62"),
        ("\x00", "1–25 of 62"),
        ("9" * 50, "51–62 of 62"),
    ],
)
def test_it_shows_the_nearest_page(asked: str, shown: str, many: Project, as_viewer: Client):
    assert shown in page_of(as_viewer.get(EXAMPLES, {"page": asked})).text


@pytest.mark.parametrize(
    "query, found",
    [
        ({"q": "odd"}, 1),
        ({"q": "ODD"}, 1),
        ({"q": "monday"}, 60),
        ({"q": "monday", "where": "document"}, 0),
        ({"q": "rain", "where": "document"}, 1),
        ({"q": "rain!", "where": "summary"}, 1),
        ({"q": "rain", "where": "nowhere"}, 0),
        ({"q": "100 %"}, 1),
        ({"q": "%"}, 1),
        ({"q": "_"}, 0),
        ({"q": "Maße"}, 1),
        ({"q": "mon\x00day"}, 60),
        ({"q": "  monday  "}, 60),
        ({"q": "monday" + "x" * 500}, 0),
        ({"missing": "summaries"}, 1),
        ({"missing": "references"}, 1),
        ({"missing": "verbs"}, 62),
        ({"missing": "summaries", "q": "e01"}, 0),
    ],
)
def test_it_searches(query: dict[str, str], found: int, many: Project, as_viewer: Client):
    page = page_of(as_viewer.get(EXAMPLES, query))
    assert len(listed(page)) == min(found, 25)
    shown = f"of {found} example" if found else "No results"
    assert shown in page.text


def test_it_marks_what_was_found(many: Project, as_viewer: Client):
    page = page_of(as_viewer.get(EXAMPLES, {"q": "monday"}))
    assert '<mark class="hit">Monday</mark>' in page.html
    assert page.values["q"] == "monday"


def test_it_keeps_the_search_from_page_to_page(many: Project, as_viewer: Client):
    page = page_of(as_viewer.get(EXAMPLES, {"q": "a&b=monday", "where": "reference"}))
    assert page.values["q"] == "a&b=monday"
    page = page_of(as_viewer.get(EXAMPLES, {"q": "mon", "where": "reference", "page": "2"}))
    assert "?q=mon&where=reference&page=1" in page.links
    assert "?q=mon&where=reference&page=3" in page.links


def test_it_sends_the_rows_alone_to_the_search_field(many: Project, as_viewer: Client):
    response = as_viewer.get(EXAMPLES, {"q": "odd"}, headers={"HX-Request": "true"})
    page = page_of(response)
    assert page.html.lstrip().startswith("<section")
    assert len(listed(page)) == 1
    assert "HX-Request" in response["Vary"]


def test_it_keeps_apart_what_caches_must_keep_apart(many: Project, as_viewer: Client):
    assert "Cookie" in as_viewer.get(EXAMPLES)["Vary"]
