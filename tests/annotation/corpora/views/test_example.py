"""One example: its texts side by side, and what each summary shares with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from tests import factories
from tests.annotation.corpora.pages import Page, page_of

LINES = [
    factories.example("first"),
    factories.example(
        "second",
        documents=["One line.\n\nAnother line.", "The second document."],
        references=["The dam burst on Monday. Nobody was hurt.", "A wall of water came down."],
        summaries={"a-soup": "wall wall", "b-good": "The dam burst on Monday.", "c-none": ""},
    ),
    factories.example("third", references=[], summaries={}),
    factories.example("fourth", documents=[]),
]


@pytest.fixture
def texts(project: Project, tmp_path: Path) -> Project:
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "texts.jsonl", LINES))
    return project


def address(key: str) -> str:
    return f"/p/study/examples/{Example.objects.get(key=key).pk}/"


def order_of(page: Page) -> list[str]:
    return [word for word in page.words if word in ("a-soup", "b-good", "c-none")]


def test_it_shows_all_texts(texts: Project, as_viewer: Client):
    page = page_of(as_viewer.get(address("second")))
    for text in ("One line.", "Another line.", "The second document.", "Nobody was hurt."):
        assert text in page.text
    assert "3 summaries" in page.text
    assert "empty summary" in page.text


def test_it_says_what_there_is_not(texts: Project, as_viewer: Client):
    page = page_of(as_viewer.get(address("fourth")))
    assert "This example has no document." in page.text
    page = page_of(as_viewer.get(address("third")))
    assert "This example has no reference" in page.text
    assert "No summaries yet" in page.text


@pytest.mark.parametrize(
    "key, place, neighbours",
    [
        ("first", "1 of 4", ["second"]),
        ("second", "2 of 4", ["first", "third"]),
        ("fourth", "4 of 4", ["third"]),
    ],
)
def test_it_leads_to_its_neighbours(
    key: str, place: str, neighbours: list[str], texts: Project, as_viewer: Client
):
    page = page_of(as_viewer.get(address(key)))
    assert place in page.text
    others = {address(other) for other in ("first", "second", "third", "fourth")}
    assert [link for link in page.links if link in others] == [address(n) for n in neighbours]


def test_it_marks_what_a_summary_shares_with_the_references(texts: Project, as_viewer: Client):
    page = page_of(as_viewer.get(address("second")))
    assert "all references" in page.text
    assert '<mark class="phrase">The dam burst on Monday</mark>' in page.html


@pytest.mark.parametrize(
    "query, label, marked",
    [
        ({"sentence": "1"}, "sentence 1 of reference 1", "dam burst on Monday"),
        ({"reference": "1", "sentence": "1"}, "sentence 1 of reference 1", "dam burst on Monday"),
        ({"reference": "2", "sentence": "1"}, "sentence 1 of reference 2", "wall"),
    ],
)
def test_it_looks_at_one_sentence(
    query: dict[str, str], label: str, marked: str, texts: Project, as_viewer: Client
):
    page = page_of(as_viewer.get(address("second"), query))
    assert label in page.text
    marks = [part.split("</mark>")[0] for part in page.html.split('<mark class="')[3:]]
    assert any(marked in mark for mark in marks)
    assert f"{address('second')}?" in page.links


@pytest.mark.parametrize(
    "query",
    [
        {"sentence": "9"},
        {"reference": "9", "sentence": "1"},
        {"sentence": "x"},
        {"reference": "\x00", "sentence": "-1"},
        {"sentence": "9" * 50},
        {"order": "size"},
    ],
)
def test_it_takes_a_wrong_place_for_none(query: dict[str, str], texts: Project, as_viewer: Client):
    page = page_of(as_viewer.get(address("second"), query))
    assert "all references" in page.text
    assert order_of(page) == ["a-soup", "b-good", "c-none"]


def test_it_sorts_by_coverage(texts: Project, as_viewer: Client):
    query = {"reference": "1", "sentence": "1", "order": "coverage"}
    page = page_of(as_viewer.get(address("second"), query))
    assert order_of(page)[0] == "b-good"
    assert f"{address('second')}?reference=1&sentence=1" in page.links
    assert f"{address('second')}?order=coverage" in page.links


@pytest.mark.parametrize("pk", [0, 10**6, 10**30])
def test_it_is_not_there(pk: int, texts: Project, as_viewer: Client):
    page_of(as_viewer.get(f"/p/study/examples/{pk}/"), 404)


def test_it_shows_no_text_of_another_project(texts: Project, as_outsider: Client, outsider):
    factories.make_project(outsider, "theirs")
    there = address("first").replace("/study/", "/theirs/")
    assert "dam" not in page_of(as_outsider.get(there), 404).text


def test_it_is_hidden_until_its_import_is_done(texts: Project, as_viewer: Client):
    texts.imports.update(state="removing")
    assert as_viewer.get(address("first")).status_code == 404
