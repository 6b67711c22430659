"""The units of an example, on its page in the corpus."""

from __future__ import annotations

from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.pages import page_of


def test_an_example_shows_its_units_and_leads_to_the_studio(
    as_viewer: Client, written: UnitSet, example: Example
):
    page = page_of(as_viewer.get(f"/p/study/examples/{example.pk}/"))
    assert "2 units of SCUs v1" in page.text
    assert "The dam burst." in page.text
    assert f"/p/study/units/{written.pk}/examples/{example.pk}/" in page.links


def test_a_set_with_units_of_the_example_comes_first(
    as_viewer: Client, written: UnitSet, example: Example, owner: User
):
    newer = factories.make_set(written.project, owner, "newer")
    other = factories.make_set(written.project, owner, "other")
    factories.add_unit(other, example, owner, "It was a Monday.")
    page = page_of(as_viewer.get(f"/p/study/examples/{example.pk}/"))
    assert "1 unit of other v1" in page.text
    assert f"/p/study/units/{written.pk}/examples/{example.pk}/" in page.links
    assert f"/p/study/units/{newer.pk}/examples/{example.pk}/" not in page.links


def test_without_a_set_nothing_is_said_of_units(as_viewer: Client, corpus: Project):
    UnitSet.objects.all().delete()
    found = corpus.examples.get(key="e1")
    page = page_of(as_viewer.get(f"/p/study/examples/{found.pk}/"))
    assert "Open the studio" not in page.text
