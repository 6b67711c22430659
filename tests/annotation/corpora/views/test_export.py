"""The export page and its downloads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.corpus.exports import EXPORT_FORMATS
from annotation.corpora.projects.models import Project
from annotation.middleware import POLICY
from tests import factories
from tests.annotation.corpora.pages import page_of

EXPORT = "/p/study/export/"


def test_it_offers_every_format(corpus: Project, as_viewer: Client):
    page = page_of(as_viewer.get(EXPORT))
    assert {f"{EXPORT}{name}/" for name in EXPORT_FORMATS} <= set(page.links)


def test_it_says_which_format_cannot_hold_the_corpus(
    project: Project, as_viewer: Client, tmp_path: Path
):
    lines = [factories.example("two", references=["One.", "Two."])]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "two.jsonl", lines))
    page = page_of(as_viewer.get(EXPORT))
    assert "Example 'two' has more than one reference." in page.text
    assert f"{EXPORT}folder/" not in page.links
    refused = page_of(as_viewer.get(f"{EXPORT}folder/"), 409)
    assert "This format can't represent the corpus." in refused.text


def test_it_offers_nothing_of_an_empty_corpus(project: Project, as_viewer: Client):
    page = page_of(as_viewer.get(EXPORT))
    assert "The corpus is empty." in page.text
    assert not [link for link in page.links if link.startswith(EXPORT) and link != EXPORT]


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_it_sends_a_file(name: str, corpus: Project, as_viewer: Client):
    response = as_viewer.get(f"{EXPORT}{name}/")
    chosen = EXPORT_FORMATS[name]
    assert response.status_code == 200
    assert response["Content-Type"] == chosen.media_type
    assert response["Content-Disposition"] == f'attachment; filename="study.{chosen.suffix}"'
    assert response["Content-Security-Policy"] == POLICY
    assert response["X-Content-Type-Options"] == "nosniff"
    assert b"dam" in b"".join(response) or name == "folder"


def test_it_sends_what_came(corpus: Project, as_viewer: Client):
    lines = b"".join(as_viewer.get(f"{EXPORT}jsonl/")).decode().splitlines()
    sent = [json.loads(line) for line in lines]
    assert [row["id"] for row in sent if row["type"] == "example"] == ["e1", "e2", "e3"]
    assert sent[-1]["summaries"] == {"lead": "The dam burst.", "soup": "dam dam"}


@pytest.mark.parametrize("name", ["pdf", "JSONL", "..", "%00"])
def test_it_knows_its_formats(name: str, corpus: Project, as_viewer: Client):
    page_of(as_viewer.get(f"{EXPORT}{name}/"), 404)
