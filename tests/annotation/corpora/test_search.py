"""Search across a project: what is found of each kind, by whom, and how far it counts."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation import access as permissions
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import create_invitation
from annotation.corpora.search import queries as search
from annotation.crowd.campaigns.models import ProviderName, Worker
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio.models import Comment
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.corpora.rest import Rest

SEARCH = "/p/study/search/"


@pytest.fixture
def draft(corpus: Project, owner: User) -> UnitSet:
    return factories.make_set(corpus, owner, "Draft")


def found(user: User, q: str) -> dict[str, list[str]]:
    """Titles by kind."""
    access = permissions.get_access(user, "study")
    groups = search.search_project(access, search.clean_query(q))
    return {group.kind.name: [match.title for match in group.matches] for group in groups}


def test_it_finds_examples_by_id_and_by_reference(corpus: Project, viewer: User):
    key = corpus.examples.order_by("position")[1].key
    assert found(viewer, key.upper())["examples"] == [key]
    by_text = found(viewer, "dam BURST")
    assert len(by_text["examples"]) == 3


def test_it_finds_words_as_one_piece_and_signs_as_they_are(corpus: Project, viewer: User):
    assert found(viewer, "burst dam") == {}
    assert found(viewer, "%%") == {}
    assert found(viewer, "__") == {}
    assert found(viewer, "dam\x00 burst") == found(viewer, "dam burst")


def test_it_finds_documents_unless_they_are_many(
    corpus: Project, viewer: User, monkeypatch: pytest.MonkeyPatch
):
    access = permissions.get_access(viewer, "study")
    text = access.project.examples.order_by("position")[0].documents.get().text
    assert "documents" in found(viewer, text[:20])
    monkeypatch.setattr(search, "MANY_DOCUMENTS", 2)
    assert "documents" not in found(viewer, text[:20])
    asked = search.search_kind(access, search.KINDS["documents"], text[:20], first=0, size=5)
    assert asked.count >= 1


def test_it_finds_systems_and_members(corpus: Project, owner: User, viewer: User):
    name = corpus.systems.order_by("name")[0].name
    assert found(viewer, name)["systems"] == [name]
    assert found(viewer, owner.email)["members"] == [owner.name]


def test_it_finds_units_and_comments_but_not_deleted_ones(draft: UnitSet, owner: User):
    example = draft.project.examples.order_by("position")[0]
    factories.add_unit(draft, example, owner, "A heron nested.")
    Comment.objects.create(set=draft, example=example, author=owner, text="Which heron?")
    both = found(owner, "heron")
    assert (both["units"], both["comments"]) == (["A heron nested."], ["Which heron?"])
    assert found(owner, draft.name)["unit_sets"] == [str(draft)]
    Unit.objects.filter(text="A heron nested.").update(is_deleted=True)
    assert "units" not in found(owner, "heron")


def test_it_finds_for_nobody_what_they_may_not_see(
    corpus: Project, owner: User, editor: User, viewer: User
):
    create_invitation(project=corpus, user=owner, role=permissions.Role.VIEWER, note="for Heron")
    Worker.objects.create(project=corpus, provider=ProviderName.MARKETPLACE, provider_id="AHERON77")
    assert set(found(owner, "heron")) == {"invitations", "workers"}
    assert set(found(editor, "heron")) == {"workers"}
    assert found(viewer, "heron") == {}


def test_it_finds_nothing_of_another_project(corpus: Project, owner: User, outsider: User):
    factories.make_project(outsider, "other", "Other")
    access = permissions.get_access(outsider, "other")
    assert search.search_project(access, "dam") == []


def test_it_stops_counting(corpus: Project, viewer: User, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "MOST", 2)
    access = permissions.get_access(viewer, "study")
    group = search.search_kind(access, search.KINDS["examples"], "dam", first=0, size=5)
    assert (group.count, group.is_more, len(group.matches)) == (2, True, 2)


def test_it_asks_as_often_however_much_there_is(corpus: Project, viewer: User):
    access = permissions.get_access(viewer, "study")
    with CaptureQueriesContext(connection) as few:
        search.search_project(access, "zzzz")
    assert len(few) <= len(search.KINDS)


# The page ------------------------------------------------------------------------


def test_it_shows_kinds_with_hits_marked(corpus: Project, as_viewer: Client):
    page = page_of(as_viewer.get(SEARCH, {"q": "dam"}))
    assert '<mark class="hit">dam</mark>' in page.html
    assert "Examples" in page.text
    assert page.values["q"] == "dam"


@pytest.mark.parametrize("q", ["", "d", "  ", "\x00"])
def test_it_asks_for_words(q: str, corpus: Project, as_viewer: Client):
    assert "Search this project" in page_of(as_viewer.get(SEARCH, {"q": q})).text


def test_it_says_when_nothing_is_found(corpus: Project, as_viewer: Client):
    assert "No results" in page_of(as_viewer.get(SEARCH, {"q": "zebra"})).text


def test_it_escapes_what_is_asked_and_what_is_found(draft: UnitSet, owner: User, as_owner: Client):
    example = draft.project.examples.order_by("position")[0]
    factories.add_unit(draft, example, owner, f"A heron {HOSTILE}")
    for q in (HOSTILE, "heron"):
        page = page_of(as_owner.get(SEARCH, {"q": q}))
        assert page.faults == []
        assert "<img src=x" not in page.html


def test_it_leads_through_all_of_a_kind(
    corpus: Project, as_viewer: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(search, "PREVIEW", 1)
    monkeypatch.setattr(search, "PAGE_SIZE", 2)
    page = page_of(as_viewer.get(SEARCH, {"q": "dam"}))
    assert "?q=dam&kind=examples" in page.links
    second = page_of(as_viewer.get(SEARCH, {"q": "dam", "kind": "examples", "page": "2"}))
    assert "3–3 of 3 examples" in second.text


@pytest.mark.parametrize("page", ["x", "-1", "0", "9" * 40, "\x00"])
def test_it_bears_any_page_number(page: str, corpus: Project, as_viewer: Client):
    answer = as_viewer.get(SEARCH, {"q": "dam", "kind": "examples", "page": page})
    assert answer.status_code == 200


# REST ----------------------------------------------------------------------------


def test_it_answers_by_rest(corpus: Project, viewer: User):
    answer = Rest(viewer).get("/projects/study/search/?q=dam").json()
    examples = next(row for row in answer["kinds"] if row["kind"] == "examples")
    assert (answer["q"], examples["count"], examples["is_more"]) == ("dam", 3, False)
    assert set(examples["results"][0]) == {"title", "url", "text", "note"}
    one = Rest(viewer).get("/projects/study/search/?q=dam&kind=examples&page=1").json()
    assert [row["kind"] for row in one["kinds"]] == ["examples"]


def test_it_finds_nothing_by_blanks(corpus: Project, viewer: User):
    for query in ("q=%20%20%20", "q=%20%20%20&kind=examples"):
        answer = Rest(viewer).get(f"/projects/study/search/?{query}").json()
        assert sum(row["count"] for row in answer["kinds"]) == 0


@pytest.mark.parametrize(
    "query, words",
    [
        ("q=d", "2 to 200"),
        ("q=%00%00", "NUL"),
        ("q=dam&kind=cats", "Use one of examples"),
        ("q=dam&kind=examples&page=0", "from 1 to 40"),
        ("q=dam&kind=workers", "kind: 'workers'"),
        ("q=dam&page=x", "from 1 to 40"),
    ],
)
def test_it_refuses_by_rest(query: str, words: str, corpus: Project, viewer: User):
    answer = Rest(viewer).get(f"/projects/study/search/?{query}")
    assert answer.status_code == 400
    assert words in str(answer.json())
