"""A page compares as many words as somebody can wait for; longer texts are shown without marks."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.corpus import views
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from tests.annotation.corpora.pages import page_of


def test_it_compares_no_more_words_than_a_page_can_wait_for(
    corpus: Project, as_viewer: Client, monkeypatch: pytest.MonkeyPatch
):
    here = f"/p/{corpus.slug}/examples/{Example.objects.earliest('pk').pk}/"
    assert "of the content words" in page_of(as_viewer.get(here)).text
    compared: list[str] = []
    plain = views.overlap_segments

    def watch(text: str, focus: str) -> object:
        compared.append(focus)
        return plain(text, focus)

    monkeypatch.setattr(views, "MOST_COMPARED", 1)
    monkeypatch.setattr(views, "overlap_segments", watch)
    page = page_of(as_viewer.get(here))
    assert "These texts are too long" in page.text
    assert "of the content words" not in page.text
    assert set(compared) == {""}
